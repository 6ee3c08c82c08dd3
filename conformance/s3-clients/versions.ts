/** Which clients a release has. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { hasS3Program, s3ProgramsPrefix } from '@millpond/testing';

const run = promisify(execFile);

interface Client {
  readonly name: string;
  /** The file of its tests. */
  readonly test: string;
  readonly command: readonly string[];
}

export const clients: readonly Client[] = [
  { name: 'aws-cli', test: 'aws-cli', command: ['/usr/bin/aws', '--version'] },
  {
    name: 'boto3',
    test: 'boto3',
    command: ['/usr/bin/python3', '-c', 'import boto3; print(boto3.__version__)'],
  },
  { name: 'rclone', test: 'rclone', command: ['/usr/bin/rclone', 'version'] },
  { name: 'restic', test: 'restic', command: ['/usr/bin/restic', 'version'] },
  { name: 'mc', test: 'mc', command: ['/usr/bin/minio-client', '--version'] },
  { name: 's3cmd', test: 's3cmd', command: ['/usr/bin/s3cmd', '--version'] },
];

/** Empty: it has none. */
export async function versionOf({ command }: Client, release: string): Promise<string> {
  const name = path.basename(command[0] ?? '');
  if (!hasS3Program(release, name)) return '';
  const prefix = s3ProgramsPrefix(release) ?? [];
  const [program = '', ...args] = [...prefix, ...command];
  const { stdout, stderr } = await run(program, args, { env: { PATH: '/usr/bin', HOME: '/tmp' } });
  return /\d+(?:\.\d+)+|\d{4}-\d\d-\d\d/.exec(`${stdout}${stderr}`)?.[0] ?? 'unknown';
}

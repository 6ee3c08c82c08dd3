/** Which clients a release has. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { s3ProgramsPrefix } from '@millpond/testing';

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
  { name: 's3cmd', test: 's3cmd', command: ['/usr/bin/s3cmd', '--version'] },
];

/** `release` undefined: this machine's own. */
export async function versionOf({ command }: Client, release: string | undefined): Promise<string> {
  const prefix = release === undefined ? [] : (s3ProgramsPrefix(release) ?? []);
  const [program = '', ...args] = [...prefix, ...command];
  const { stdout, stderr } = await run(program, args, { env: { PATH: '/usr/bin', HOME: '/tmp' } });
  return /\d+(?:\.\d+)+/.exec(`${stdout}${stderr}`)?.[0] ?? 'unknown';
}

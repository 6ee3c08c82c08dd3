/**
 * Clients of S3 as users run them, each with a home of its own and keys in its environment. Those of this machine, or with
 * MILLPOND_TEST_S3_RELEASE those of another Debian release (`npm run s3-clients`).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { s3ProgramsPrefix, s3ProgramVersion } from '@millpond/testing';
import { afterAll } from 'vitest';
import { target } from '../target.ts';
import type { S3Fixture } from './fixtures.ts';

/** Undefined: this machine's own programs. */
const release = process.env.MILLPOND_TEST_S3_RELEASE;

/** Their packages in Debian. */
const PACKAGES = {
  aws: 'awscli',
  rclone: 'rclone',
  restic: 'restic',
  s3cmd: 's3cmd',
  python3: 'python3-boto3',
  'minio-client': 'minio-client',
} as const;
type ProgramName = keyof typeof PACKAGES;

export interface S3Program {
  /** For files of the test. */
  readonly folder: string;
  /** Standard output of a run that ended well. */
  run(args: readonly string[], at: S3Fixture, input?: string | Uint8Array): Promise<Buffer>;
}

/** To be called at the top of a file. `environment`: what the client is told by its own variables. */
export function useS3Program(
  name: ProgramName,
  environment: (at: S3Fixture) => Readonly<Record<string, string>>,
): S3Program {
  // Short, and where the programs of another release see it too.
  const folder = mkdtempSync(path.join(tmpdir(), `millpond-${name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return {
    folder,
    async run(args, at, input = '') {
      const [program = '', ...before] = commandOf(name);
      const child = spawn(program, [...before, ...args], {
        cwd: folder,
        env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', HOME: folder, TMPDIR: '/tmp', ...environment(at) },
      });
      child.stdin.on('error', () => undefined);
      child.stdin.end(input);
      const [stdout, stderr, [code]] = await Promise.all([
        buffer(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ]);
      if (code !== 0)
        throw new Error(
          `${name} ${args.join(' ')} ended with ${code}: ${stderr.slice(-3000)}${stdout.toString().slice(-1000)}`,
        );
      return stdout;
    },
  };
}

/** What most of them read. */
export function awsEnvironment(at: S3Fixture): Record<string, string> {
  return {
    AWS_ACCESS_KEY_ID: target.account.accessKey,
    AWS_SECRET_ACCESS_KEY: target.account.secretKey,
    AWS_EC2_METADATA_DISABLED: 'true',
    ...(at.certificate === undefined ? {} : { AWS_CA_BUNDLE: at.certificate }),
  };
}

/** Whether another release has a program that this machine's does not: its tests are left out elsewhere. */
export const hasMinioClient =
  release !== undefined && s3ProgramVersion(release, 'minio-client') !== undefined;

function commandOf(name: ProgramName): string[] {
  if (release !== undefined) {
    const prefix = s3ProgramsPrefix(release);
    if (prefix === undefined)
      throw new Error(`Debian ${release}'s programs are not here: npm run s3-clients -- ${release}`);
    return [...prefix, `/usr/bin/${name}`];
  }
  // By its path: a Python of the user's own, further ahead, would have a client of its own too.
  const program = `/usr/bin/${name}`;
  if (!existsSync(program))
    throw new Error(`${program} is not installed: apt-get install --no-install-recommends ${PACKAGES[name]}`);
  return [program];
}

/**
 * S3's own programs of another Debian release, for those that this machine's are too old for: the clients, and a Python
 * that ceph/s3-tests can run with.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { inDebianRoot, makeDebianRoot, versionInDebianRoot } from '../debian-root.ts';

const FOLDER = path.join(import.meta.dirname, '../../../.s3-programs');

const PACKAGES = [
  'awscli',
  'rclone',
  'restic',
  's3cmd',
  'ca-certificates',
  ...['boto3', 'pytest', 'munch', 'isodate', 'tz', 'requests', 'httplib2', 'lxml', 'dateutil', 'yaml'].map(
    (name) => `python3-${name}`,
  ),
];

/** Those that not every release has. */
const FURTHER: Readonly<Record<string, readonly string[]>> = { trixie: ['minio-client'] };

/** Where the programs of a release are, or would be. */
export function s3ProgramsFolder(release: string): string {
  return path.join(FOLDER, release);
}

export async function installS3Programs(release: string): Promise<void> {
  await makeDebianRoot(s3ProgramsFolder(release), release, [...PACKAGES, ...(FURTHER[release] ?? [])]);
}

/** The beginning of a command line; undefined if they were not installed. `visible`: folders that the program reads. */
export function s3ProgramsPrefix(release: string, visible: readonly string[] = []): string[] | undefined {
  const folder = s3ProgramsFolder(release);
  if (!existsSync(folder)) return undefined;
  return [...inDebianRoot(folder), ...visible.flatMap((each) => ['--ro-bind', each, each])];
}

/** Undefined: the release has no such package. */
export function s3ProgramVersion(release: string, name: string): string | undefined {
  return versionInDebianRoot(s3ProgramsFolder(release), name);
}

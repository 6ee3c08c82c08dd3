// Which PostgreSQL is used. Of the versions that the system has, the newest makes a cluster, and only the version that made it
// can run it. Small engines have the one that npm installs.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EngineError } from './fault.ts';

const debianFolder = '/usr/lib/postgresql';
const oldest = 15;
// What is installed where there is none: that of Debian 12, if the release is not known to have another.
const versionsOfReleases: Readonly<Record<string, number>> = { bookworm: 15, trixie: 17, forky: 18 };

// Empty if a version that will do is there already.
export function missingPostgres(folder = debianFolder, release = releaseName()): string[] {
  return installed(folder).length > 0 ? [] : [`postgresql-${versionsOfReleases[release] ?? oldest}`];
}

// The folder of the programs for a cluster; without `data`, for one that is to be made.
export function postgresPrograms(data?: string, folder = debianFolder): string {
  const versions = installed(folder);
  const made = data === undefined ? undefined : versionOf(data);
  const version = made ?? versions[0];
  if (version === undefined)
    throw new EngineError(`PostgreSQL ${oldest} or newer is not installed: run \`npm run engines -- up\``);
  if (!versions.includes(version))
    throw new EngineError(
      `${data} was made by PostgreSQL ${version}, which is not installed: apt-get install postgresql-${version}, or begin anew with \`npm run engines -- destroy\``,
    );
  return join(folder, String(version), 'bin');
}

// The folder of the programs that `millpond dev` uses too, on any system for which npm has them.
export async function embeddedPrograms(): Promise<string> {
  // Loaded only where it is needed, as it brings the server's modules.
  const { postgresPrograms: programs } = await import('millpond/dev/postgres');
  try {
    return dirname(programs().postgres);
  } catch (error) {
    throw new EngineError(error instanceof Error ? error.message : String(error));
  }
}

// Newest first.
function installed(folder: string): number[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^\d+$/.test(name) && existsSync(join(folder, name, 'bin', 'postgres')))
    .map(Number)
    .filter((version) => version >= oldest)
    .toSorted((a, b) => b - a);
}

function versionOf(data: string): number | undefined {
  const file = join(data, 'PG_VERSION');
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
}

function releaseName(): string {
  const file = '/etc/os-release';
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return /^VERSION_CODENAME=(\w+)$/m.exec(text)?.[1] ?? '';
}

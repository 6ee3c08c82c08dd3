/**
 * PostgreSQL's programs, from the package for this machine. The package lacks the links by which its libraries are
 * found; its install script would make them, but npm no longer runs such scripts by default. So we assemble them once,
 * in our own folder that any user can read, because PostgreSQL refuses to run as root.
 */
import { copyFileSync, linkSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '@millpond/server/folders';
import { buildAtomically, cacheFolder } from './cache.ts';
import { postgresPackage } from './npm/postgres-package.ts';

export { databaseUser } from './account.ts';

export interface PostgresPrograms {
  readonly postgres: string;
  readonly initdb: string;
  readonly version: string;
}

export function postgresPrograms(): PostgresPrograms {
  const { version, with: withPackage } = postgresPackage();
  const folder = path.join(cacheFolder(), `postgres-${version}-${process.platform}-${process.arch}`);
  buildAtomically(folder, (made) =>
    withPackage((source) => {
      copyTree(path.join(source, 'native'), path.join(made, 'native'));
      for (const { from, to } of missingLinks(source)) symlinkSync(path.basename(from), path.join(made, to));
    }),
  );
  const bin = path.join(folder, 'native/bin');
  return { postgres: path.join(bin, 'postgres'), initdb: path.join(bin, 'initdb'), version };
}

/** The package's own list; both ends are in one folder. */
function missingLinks(source: string): { from: string; to: string }[] {
  const list = path.join(source, 'native/pg-symlinks.json');
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  return links.map((link) => ({ from: link.source, to: link.target }));
}

/** With hard links where the file system allows them, so that 60 MB need not be stored twice. */
function copyTree(from: string, to: string): void {
  makeFolder(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) copyTree(source, target);
    // Where the install script did run, its links are recreated with the others.
    else if (entry.isFile()) linkOrCopy(source, target);
  }
}

function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    rmSync(target, { force: true });
    copyFileSync(source, target);
  }
}

/**
 * The version before this one, as a folder whose command can be run: a given checkout, a temporary worktree of a commit, or the packages of a
 * release, installed in a temporary folder.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { migrationsOf } from '@millpond/testing';
import { UsageError } from '../options.ts';
import { type Build, hasOnlyBaseline } from './not-vacuous.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const MIGRATIONS = 'packages/server/migrations';
/** Our own packages are links into the checkout that they belong to. */
const OWN_PACKAGES = '@millpond';
const TARBALL = /^millpond(?:-[a-z]+)?-\d.*\.tgz$/;
const run = promisify(execFile);

export interface EarlierVersion extends Build {
  readonly folder: string;
  /** The commit, the folder that was given, or the version of the packages. */
  readonly name: string;
  remove(): Promise<void>;
}

export async function openVersion(
  from: string | undefined,
  say: (progress: string) => void,
): Promise<EarlierVersion> {
  if (from !== undefined && existsSync(path.join(from, 'package.json')))
    return givenFolder(path.resolve(from));
  const packages = from === undefined ? [] : await packagesIn(from);
  if (packages.length > 0) return installed(packages, say);
  const commit = await commitOf(from ?? (await beforeNewestMigration(ROOT)), ROOT);
  // Others must be able to enter it: what the sandbox runs belongs to nobody.
  const folder = await mkdtemp(path.join(tmpdir(), 'millpond-before-'));
  const remove = async () => {
    await git(ROOT, 'worktree', 'remove', '--force', folder).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await chmod(folder, 0o755);
    await git(ROOT, 'worktree', 'add', '--quiet', '--detach', folder, commit);
    await addPackages(folder, say);
    return { folder, name: commit.slice(0, 8), ...(await buildOf(folder)), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * The newest version with other tables: that before the commit which added the newest migration, or the last commit, if a
 * migration has not been committed yet. Versions in between have the same tables, and an upgrade from them shows less. The
 * oldest is the one whose baseline is ours: until a migration follows, that version and this one have the same tables.
 */
export async function beforeNewestMigration(root: string): Promise<string> {
  if ((await git(root, 'status', '--porcelain', '--', MIGRATIONS)) !== '') return 'HEAD';
  const lastChange = (...filter: string[]) =>
    git(root, 'log', '-1', ...filter, '--format=%H', '--', MIGRATIONS);
  const files = (await git(root, 'ls-files', '--', MIGRATIONS)).split('\n');
  return hasOnlyBaseline(files) ? lastChange() : `${await lastChange('--diff-filter=A')}^`;
}

export async function commitOf(ref: string, root: string): Promise<string> {
  try {
    return await git(root, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`);
  } catch {
    const isShallow = (await git(root, 'rev-parse', '--is-shallow-repository')) === 'true';
    throw new UsageError(
      `${ref} is not in the history of this clone: ${
        isShallow ? 'get all of it with `git fetch --unshallow`, or ' : ''
      }name a version with --from, a commit, a checkout with its dependencies, or a folder of packages`,
    );
  }
}

async function givenFolder(folder: string): Promise<EarlierVersion> {
  if (!existsSync(path.join(folder, 'node_modules/.bin/node')))
    throw new UsageError(`${folder} has no dependencies: run \`npm ci\` there`);
  return { folder, name: folder, ...(await buildOf(folder)), remove: async () => undefined };
}

/** The build in a checkout, or in a folder with the installed packages. */
export async function buildOf(folder: string): Promise<Build> {
  const source = path.join(folder, 'packages/cli/package.json');
  const about = existsSync(source) ? source : path.join(folder, 'node_modules/millpond/package.json');
  const { version } = JSON.parse(await readFile(about, 'utf8')) as { version: string };
  const files = await readdir(migrationsOf(folder), { recursive: true });
  return { version, migrations: files.filter((file) => file.endsWith('.sql')).toSorted() };
}

/** Tarballs, in a release's folder or in one that `npm run pack` made. */
async function packagesIn(folder: string): Promise<string[]> {
  const found = await Promise.all(
    [folder, path.join(folder, 'packages')].map(async (place) =>
      (await readdir(place).catch(() => []))
        .filter((name) => TARBALL.test(name))
        .map((name) => path.resolve(place, name)),
    ),
  );
  return found.flat();
}

async function installed(
  packages: readonly string[],
  say: (progress: string) => void,
): Promise<EarlierVersion> {
  const folder = await mkdtemp(path.join(tmpdir(), 'millpond-before-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await chmod(folder, 0o755);
    say('installing the packages of the version before');
    // The only script of them all is that of the PostgreSQL for `millpond dev`.
    await run(
      'npm',
      ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...packages],
      {
        cwd: folder,
      },
    );
    const build = await buildOf(folder);
    return { folder, name: `the packages of ${build.version}`, ...build, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Where this checkout has all dependencies of that version, they are used. */
async function addPackages(folder: string, say: (progress: string) => void): Promise<void> {
  const lock = async (checkout: string) =>
    JSON.parse(await readFile(path.join(checkout, 'package-lock.json'), 'utf8')) as Lock;
  if (hasAllOf(await lock(ROOT), await lock(folder))) return linkPackages(folder);
  say('installing the dependencies of the version before');
  await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder });
}

/** What is read from `package-lock.json`. */
interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly link?: boolean }>>;
}

/** Whether what one lock file installs is, in the same versions and places, among what the other does. */
export function hasAllOf(ours: Lock, theirs: Lock): boolean {
  return Object.entries(theirs.packages)
    .filter(([place, { link }]) => place.includes('node_modules/') && link !== true)
    .every(([place, { version }]) => ours.packages[place]?.version === version);
}

/** One link for each, not one for all: our own packages must be those of that version. */
async function linkPackages(folder: string): Promise<void> {
  const [ours, theirs] = [path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules')];
  await mkdir(theirs);
  for (const name of await readdir(ours))
    if (name !== OWN_PACKAGES) await symlink(path.join(ours, name), path.join(theirs, name));
  await cp(path.join(ours, OWN_PACKAGES), path.join(theirs, OWN_PACKAGES), {
    recursive: true,
    verbatimSymlinks: true,
  });
}

async function git(root: string, ...args: string[]): Promise<string> {
  return (await run('git', ['-C', root, ...args])).stdout.trim();
}

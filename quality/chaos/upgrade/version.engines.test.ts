// @module-tag debian
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UsageError } from '../options.ts';
import { beforeNewestMigration, commitOf, hasAllOf, openVersion } from './version.ts';

const MIGRATIONS = 'packages/server/migrations/region';
const AUTHOR = ['-c', 'user.name=nobody', '-c', 'user.email=nobody@example.com'];

let folder: string;
let root: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'millpond-versions-'));
  root = path.join(folder, 'full');
  mkdirSync(path.join(root, MIGRATIONS), { recursive: true });
  git('init', '--quiet');
});

afterEach(() => rmSync(folder, { recursive: true }));

test('the newest version with other migrations is the one before the last was added', async () => {
  commit(`${MIGRATIONS}/0001_one.sql`);
  const before = commit('code.ts');
  commit(`${MIGRATIONS}/0002_two.sql`);
  commit('more-code.ts');
  expect(await commitOf(await beforeNewestMigration(root), root)).toBe(before);
});

test('while only the baseline is there, it is the version that last changed the baseline', async () => {
  commit(`${MIGRATIONS}/0001_old.sql`);
  commit(`${MIGRATIONS}/0002_old.sql`);
  rmSync(path.join(root, MIGRATIONS), { recursive: true });
  mkdirSync(path.join(root, MIGRATIONS));
  commit(`${MIGRATIONS}/0001_baseline.sql`);
  commit('code.ts');
  const changed = commit(`${MIGRATIONS}/0001_baseline.sql`, 'more of it');
  const last = commit('more-code.ts');
  expect(await commitOf(await beforeNewestMigration(root), root)).toBe(changed);
  // A clone that knows no more than its last commit has that.
  const shallow = path.join(folder, 'shallow');
  git('clone', '--quiet', '--depth', '1', `file://${root}`, shallow);
  expect(await commitOf(await beforeNewestMigration(shallow), shallow)).toBe(last);
});

test('it is the last commit while a migration is being written', async () => {
  const last = commit(`${MIGRATIONS}/0001_one.sql`);
  write(`${MIGRATIONS}/0002_two.sql`);
  expect(await commitOf(await beforeNewestMigration(root), root)).toBe(last);
});

test('a clone without it says how to get it', async () => {
  commit(`${MIGRATIONS}/0001_one.sql`);
  commit(`${MIGRATIONS}/0002_two.sql`);
  const shallow = path.join(folder, 'shallow');
  git('clone', '--quiet', '--depth', '1', `file://${root}`, shallow);
  const refused = commitOf(await beforeNewestMigration(shallow), shallow);
  await expect(refused).rejects.toThrow(/is not in the history of this clone: .*git fetch --unshallow/);
});

test('neither a commit nor a folder with dependencies is refused', async () => {
  await expect(openVersion('no-such-version', () => undefined)).rejects.toThrow(UsageError);
  write('package.json');
  await expect(openVersion(root, () => undefined)).rejects.toThrow(/npm ci/);
});

test('dependencies are taken from here if all are the same, whatever else there is', () => {
  const pg = { 'node_modules/pg': { version: '8.1.0' } };
  const own = { 'node_modules/@millpond/chaos': { link: true }, chaos: { version: '0.1.0' } };
  expect(
    hasAllOf(
      { packages: { ...pg, 'node_modules/more': { version: '1.0.0' } } },
      { packages: { ...pg, ...own } },
    ),
  ).toBe(true);
  expect(hasAllOf({ packages: { 'node_modules/pg': { version: '8.2.0' } } }, { packages: pg })).toBe(false);
  expect(hasAllOf({ packages: own }, { packages: pg })).toBe(false);
});

test('a release is installed from its folder, and names its version and its migrations', async () => {
  const packages = path.join(folder, 'millpond-9.9.9/packages');
  mkdirSync(packages, { recursive: true });
  const migrations = ['control/0001_one.sql', 'region/0001_one.sql'];
  pack(
    packages,
    'millpond-server',
    '@millpond/server',
    Object.fromEntries(migrations.map((name) => [`migrations/${name}`, ''])),
  );
  pack(packages, 'millpond', 'millpond', { 'bin/millpond.js': '' }, { '@millpond/server': '9.9.9' });
  // Neither is a package of ours.
  for (const name of ['sbom.cdx.json', 'other-1.0.0.tgz']) writeFileSync(path.join(packages, name), '');
  const before = await openVersion(path.dirname(packages), () => undefined);
  expect(before).toMatchObject({ name: 'the packages of 9.9.9', version: '9.9.9', migrations });
  expect(existsSync(path.join(before.folder, 'node_modules/millpond/bin/millpond.js'))).toBe(true);
  await before.remove();
  expect(existsSync(before.folder)).toBe(false);
});

test('a release without packages is told to be no version', async () => {
  mkdirSync(path.join(folder, 'empty/chart'), { recursive: true });
  writeFileSync(path.join(folder, 'empty/chart/millpond-9.9.9.tgz'), '');
  await expect(openVersion(path.join(folder, 'empty'), () => undefined)).rejects.toThrow(UsageError);
});

/** As `npm run pack` names them. */
function pack(
  into: string,
  file: string,
  name: string,
  files: Readonly<Record<string, string>>,
  dependencies = {},
): void {
  const staged = path.join(folder, 'staged', file);
  const about = JSON.stringify({ name, version: '9.9.9', dependencies });
  for (const [each, text] of Object.entries({ ...files, 'package.json': about })) {
    mkdirSync(path.join(staged, 'package', path.dirname(each)), { recursive: true });
    writeFileSync(path.join(staged, 'package', each), text);
  }
  execFileSync('tar', ['-C', staged, '-czf', path.join(into, `${file}-9.9.9.tgz`), 'package']);
}

function write(file: string, text = file): void {
  writeFileSync(path.join(root, file), text);
}

/** Returns the commit. */
function commit(file: string, text = file): string {
  write(file, text);
  git('add', '.');
  git(...AUTHOR, 'commit', '--quiet', '--message', file);
  return git('rev-parse', 'HEAD');
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}

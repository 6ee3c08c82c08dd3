// @module-tag registry
/** Packing a checkout in which somebody works: with keys, notes and drafts in it. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { knownFiles } from './known-files.ts';

const run = promisify(execFile);
const ROOT = path.join(import.meta.dirname, '../..');
/** What nobody meant to publish, one for each way into a package. */
const PRIVATE = [
  '.env',
  'deploy/container/secrets/master-key',
  'deploy/container/secrets/database-url',
  'deploy/systemd/.env',
  'deploy/notes.txt',
  'docs/draft.md',
  'packages/cli/bin/.env',
  'packages/cli/src/.env',
  'packages/client/src/scratch.ts',
  'packages/server/migrations/region/9999-draft.sql',
  'packages/server/src/local.json',
];
const WORD = 'nobodyShouldHaveThis';
const TEXT = `export const ${WORD} = 1;\n`;

let checkout: string;
/** What packing said, and where it put what. */
let said: string;
let dist: string;
let tarballs: string[];
beforeAll(async () => {
  checkout = await mkdtemp(path.join(tmpdir(), 'mp-checkout-'));
  const known = knownFiles(ROOT);
  for (const folder of ['packages', 'docs', 'deploy', 'scripts'])
    for (const file of known.below(folder)) await copy(path.join(folder, file));
  for (const file of await readdir(ROOT)) if (known.has(file)) await copy(file);
  for (const file of ['.gitignore', '.npmrc']) await copy(file);
  await run('git', ['init', '--quiet'], { cwd: checkout });
  await run('git', ['add', '--all'], { cwd: checkout });
  await linkModules();
  for (const file of PRIVATE) await write(file, TEXT);
  for (const name of ['millpond-0.0.9.tgz', 'millpond-client-0.0.9-rc.1.tgz', 'other-1.0.0.txt'])
    await write(`dist/${name}`, '');
  await run('chmod', ['-R', 'go=', 'packages', 'docs', 'deploy', 'README.md'], { cwd: checkout });
  const environment = { ...process.env, TZ: 'Pacific/Chatham', LANG: 'tr_TR.UTF-8', LC_ALL: 'C' };
  said = (await run('sh', ['-c', 'umask 077; npm run pack'], { cwd: checkout, env: environment })).stderr;
  dist = path.join(checkout, 'dist');
  tarballs = (await readdir(dist)).filter((name) => name.endsWith('.tgz')).toSorted();
});
afterAll(() => rm(checkout, { recursive: true, force: true }));

test('keys, settings and drafts that git does not know are in no package', async () => {
  // Nor do tarballs of an earlier version stay beside the new ones.
  expect(tarballs.map(nameOf)).toEqual([
    'millpond',
    'millpond-client',
    'millpond-protocol',
    'millpond-server',
  ]);
  expect(tarballs.filter((name) => name.includes('0.0.9'))).toEqual([]);
  const files: string[] = [];
  for (const name of tarballs) {
    const tarball = path.join(dist, name);
    files.push(...(await filesOf(name)));
    const { stdout } = await run('tar', ['-xzOf', tarball], { maxBuffer: 64 * 1024 * 1024 });
    expect(stdout.includes(WORD), name).toBe(false);
  }
  expect(
    files.filter((file) => /container\/secrets|\/\.env$|draft|scratch|notes|\/local\.json/.test(file)),
  ).toEqual([]);
  expect(files).toContain('package/deploy/container/compose.yaml');
  expect(files).toContain('package/node_modules/@millpond/jail/src/index.js');
  expect(files.filter((file) => /node_modules\/(?!@millpond\/)/.test(file))).toEqual([]);
  expect(files).toContain('package/deploy/helm/millpond/files/alerts.yaml');

  // Somebody who forgot to add a file learns of it; what git is told to ignore is left out without a word.
  expect(said).toContain('not packed, because git does not track them: ');
  expect(said).toContain('packages/client/src/scratch.ts');
  expect(said).not.toMatch(/secrets|\.env/);
});

test('packages are the same bytes, whoever packs them, where and when', async () => {
  // In CI they were packed before; elsewhere once more.
  const other = process.env.MILLPOND_TEST_PACKAGES ?? path.join(checkout, 'packed-here');
  if (process.env.MILLPOND_TEST_PACKAGES === undefined)
    await run(process.execPath, ['scripts/pack/main.ts', '--out', other], { cwd: ROOT });
  for (const name of tarballs) {
    const same = (await readFile(path.join(dist, name))).equals(await readFile(path.join(other, name)));
    expect([name, same]).toEqual([name, true]);
  }
  const { stdout } = await run('tar', ['--utc', '-tvzf', path.join(dist, tarballs[0] ?? '')]);
  const modes = new Set(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0]),
  );
  expect(modes).toEqual(new Set(['-rw-r--r--', '-rwxr-xr-x']));
});

test('every package says what it is, and libraries can be shaken out of a bundle', async () => {
  for (const tarball of tarballs) {
    const { stdout } = await run('tar', ['-xzOf', path.join(dist, tarball), 'package/package.json']);
    const about = JSON.parse(stdout) as { description?: string; sideEffects?: boolean };
    const [name, files] = [nameOf(tarball), await filesOf(tarball)];
    const isLibrary = name === 'millpond-client' || name === 'millpond-protocol';
    const isServer = name === 'millpond-server';
    expect([name, about.sideEffects, files.includes('package/README.md')]).toEqual([
      name,
      isLibrary ? false : undefined,
      !isServer,
    ]);
    expect(about.description).toMatch(/./);
    for (const page of ['console/index.html', 'console/index.html.br'])
      expect(files.includes(`package/${page}`), `${name}: ${page}`).toBe(isServer);
  }
});

test('the licences of what the console’s pages are made of come with them', async () => {
  const { stdout } = await run('tar', [
    '-xzOf',
    path.join(dist, tarballs.find((name) => nameOf(name) === 'millpond-server') ?? ''),
    'package/console/THIRD-PARTY-LICENSES.txt',
  ]);
  const { dependencies } = JSON.parse(
    await readFile(path.join(ROOT, 'packages/console/package.json'), 'utf8'),
  ) as { dependencies: Record<string, string> };
  for (const [name, version] of Object.entries(dependencies))
    if (!name.startsWith('@millpond/')) expect(stdout).toContain(`=== ${name} ${version} (`);
  // With their texts, also of fonts, and of what is there only because another package needs it.
  for (const part of ['=== scheduler ', 'SIL OPEN FONT LICENSE', 'Apache License', 'Meta Platforms'])
    expect(stdout).toContain(part);
});

test('a tree that git does not know is not packed, and it says what to do', async () => {
  const bare = await mkdtemp(path.join(tmpdir(), 'mp-no-git-'));
  try {
    for (const each of ['scripts', 'packages', 'docs', 'deploy', 'package.json'])
      await cp(path.join(checkout, each), path.join(bare, each), { recursive: true });
    const packed = run(process.execPath, ['scripts/pack/main.ts'], { cwd: bare });
    await expect(packed).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^pack: only files tracked by git are packed, .*: run this in a clone/),
    });
    // Nor below a repository that has other files.
    await run('git', ['init', '--quiet'], { cwd: bare });
    expect(() => knownFiles(bare)).toThrow('only files tracked by git are packed');
    expect(await readdir(bare)).not.toContain('dist');
  } finally {
    await rm(bare, { recursive: true });
  }
});

const nameOf = (tarball: string) => tarball.replace(/-\d.*/, '');
const filesOf = async (tarball: string) =>
  (await run('tar', ['-tzf', path.join(dist, tarball)])).stdout.trim().split('\n');

async function copy(file: string): Promise<void> {
  await cp(path.join(ROOT, file), path.join(checkout, file));
}

/** Other packages as they are installed here, and our own of that checkout. */
async function linkModules(): Promise<void> {
  const modules = path.join(checkout, 'node_modules');
  await mkdir(path.join(modules, '@millpond'), { recursive: true });
  for (const name of await readdir(path.join(ROOT, 'node_modules')))
    if (!/^(?:@millpond|millpond)$/.test(name))
      await symlink(path.join(ROOT, 'node_modules', name), path.join(modules, name));
  for (const name of ['base', 'blobs', 'camera-wire', 'client', 'jail', 'outbound', 'protocol', 'server'])
    await symlink(path.join(checkout, 'packages', name), path.join(modules, '@millpond', name));
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.join(checkout, path.dirname(file)), { recursive: true });
  await writeFile(path.join(checkout, file), text);
}

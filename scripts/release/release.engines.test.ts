// @module-tag debian
/** Versions, notes and lists of a release; and that two of the same commit are the same bytes. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { knownFiles } from '../pack/known-files.ts';
import { bomOf, type Lock } from './bom.ts';
import { differences } from './checksums.ts';
import { makeRelease } from './folder.ts';
import { notesOf, sectionsOf } from './notes.ts';
import { readVersion, setVersion, versionsIn } from './version.ts';

const run = promisify(execFile);
const ROOT = path.join(import.meta.dirname, '../..');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'millpond-release-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the version', () => {
  test('is the same in every place that says it', async () => {
    const version = await readVersion(ROOT);
    const found = await versionsIn(ROOT);
    expect([...found].filter(([, each]) => each.length === 0)).toEqual([]);
    expect(new Set([...found.values()].flat())).toEqual(new Set([version]));
  });

  test('is set in all of them, and nowhere else', async () => {
    const copy = path.join(folder, 'copy');
    const files = [...(await versionsIn(ROOT)).keys()];
    for (const file of files) {
      await mkdir(path.dirname(path.join(copy, file)), { recursive: true });
      await cp(path.join(ROOT, file), path.join(copy, file));
    }
    const before = await readVersion(ROOT);
    await setVersion(copy, '9.8.7-rc.1');
    expect(new Set([...(await versionsIn(copy)).values()].flat())).toEqual(new Set(['9.8.7-rc.1']));
    await setVersion(copy, before);
    for (const file of files)
      expect(await readFile(path.join(copy, file), 'utf8')).toBe(
        await readFile(path.join(ROOT, file), 'utf8'),
      );
    await expect(setVersion(copy, '9.8')).rejects.toThrow('9.8 is no version');
  });
});

describe('notes', () => {
  const changelog = [
    '# Changelog',
    '## [Unreleased]',
    '### Added',
    '- new',
    '## [0.2.0] - 2026-11-20',
    '- second',
    '## [0.1.0] - 2026-11-15',
    '- first',
    '',
  ].join('\n\n');
  const source = { commit: 'abc123', isChanged: false };

  test('are the section of the version', () => {
    expect(notesOf(changelog, '0.2.0', source)).toBe('# Millpond 0.2.0, 2026-11-20\n\n- second\n');
    expect(notesOf(changelog, '0.1.0', source)).toBe('# Millpond 0.1.0, 2026-11-15\n\n- first\n');
  });

  test('of what is not released say so, and whether it is in a commit', () => {
    expect(notesOf(changelog, '0.3.0-dev', source)).toBe(
      '# Millpond 0.3.0-dev, not released\n\nOf commit abc123.\n\n### Added\n\n- new\n',
    );
    expect(notesOf(changelog, '0.2.0', { ...source, isChanged: true })).toBe(
      '# Millpond 0.2.0, not released\n\nOf commit abc123, with changes that are not committed.\n\n- second\n',
    );
  });

  test('of this project say what is not released, or what its version is', async () => {
    const sections = sectionsOf(await readFile(path.join(ROOT, 'CHANGELOG.md'), 'utf8'));
    expect(sections.some(({ text }) => text !== '')).toBe(true);
  });
});

test('the list names our packages, what is installed with them and what the console is built of, with licences, and nothing for development', async () => {
  const lock = JSON.parse(await readFile(path.join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
  const { components } = bomOf(lock, '0.1.0') as {
    components: { name: string; purl: string; licenses?: unknown }[];
  };
  const names = new Set(components.map(({ name }) => name));
  expect(components).toHaveLength(new Set(components.map(({ purl }) => purl)).size);
  for (const name of ['find-my-way', 'pg', 'sharp', 'undici', 'commander']) expect(names).toContain(name);
  for (const name of ['react', 'scheduler', 'hls.js', '@fontsource-variable/inter'])
    expect(names).toContain(name);
  for (const name of ['millpond', '@millpond/client', '@millpond/protocol', '@millpond/server'])
    expect(names).toContain(name);
  for (const name of ['vitest', 'typescript', '@biomejs/biome', 'vitepress', 'vite', '@millpond/console'])
    expect(names).not.toContain(name);
  expect(components.filter(({ licenses }) => licenses === undefined).map(({ name }) => name)).toEqual([]);
});

/** Copies the files that a release reads besides its packages to another folder, with modes of another umask. */
async function checkoutElsewhere(): Promise<string> {
  const place = path.join(folder, 'elsewhere');
  for (const file of knownFiles(ROOT).below('deploy'))
    await cp(path.join(ROOT, 'deploy', file), path.join(place, 'deploy', file), {
      recursive: true,
      verbatimSymlinks: true,
    });
  for (const file of ['package.json', 'package-lock.json'])
    await cp(path.join(ROOT, file), path.join(place, file));
  await run('chmod', ['-R', 'go=', place]);
  await run('git', ['init', '--quiet'], { cwd: place });
  await run('git', ['add', '--all'], { cwd: place });
  return place;
}

test('two releases of the same commit, at two places, are the same bytes, with the checksums of everything', async () => {
  const version = await readVersion(ROOT);
  // That packages are the same bytes is shown in pack/checkout.engines.test.ts, and images in archive.engines.test.ts.
  const plan = {
    version,
    notes: '# Notes\n',
    epoch: 1_795_000_000,
    registry: 'registry.test/mp',
    say: () => undefined,
    makePackages: (packages: string) => writeFile(path.join(packages, `millpond-${version}.tgz`), 'packed'),
    makeImages: (images: string) => writeFile(path.join(images, `millpond-${version}.tar`), 'image'),
  };
  const [one, two] = [path.join(folder, 'one'), path.join(folder, 'two')];
  await writeFile(await mkdir(one).then(() => path.join(one, 'of-an-earlier-run')), '');
  await makeRelease({ ...plan, root: ROOT }, one);
  await makeRelease({ ...plan, root: await checkoutElsewhere() }, two);
  expect(await differences(one, two)).toEqual([]);

  await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: one });
  const { stdout } = await run('sh', ['-c', 'cut -c67- SHA256SUMS'], { cwd: one });
  expect(stdout.trim().split('\n')).toEqual([
    'NOTES.md',
    `chart/millpond-${version}.tgz`,
    `images/millpond-${version}.tar`,
    `packages/millpond-${version}.tgz`,
    'packages/sbom.cdx.json',
  ]);
  await run('tar', ['-C', one, '-xf', `${one}/chart/millpond-${version}.tgz`]);
  expect(await readFile(path.join(one, 'millpond/files/alerts.yaml'), 'utf8')).toBe(
    await readFile(path.join(ROOT, 'deploy/prometheus/alerts.yaml'), 'utf8'),
  );

  const values = await readFile(path.join(one, 'millpond/values.yaml'), 'utf8');
  expect([...values.matchAll(/epository: (\S+[^\s,])/g)].map(([, name]) => name)).toEqual([
    'registry.test/mp/millpond',
    'registry.test/mp/millpond-media',
    'registry.test/mp/millpond-nginx-rtmp',
  ]);

  await writeFile(path.join(two, 'images/millpond.tar'), '');
  await writeFile(path.join(two, 'NOTES.md'), 'other');
  expect(await differences(one, two)).toEqual(
    expect.arrayContaining(['NOTES.md', 'images/millpond.tar', 'millpond/files/alerts.yaml']),
  );
});

/** Versions, notes and lists of a release; and that what it makes is the same bytes twice. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bomOf, type Lock } from './bom.ts';
import { packChart } from './chart.ts';
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

  test('are the section of the version', () => {
    const released = changelog.replace('### Added\n\n- new\n\n', '');
    expect(notesOf(released, '0.2.0', false)).toBe('# Millpond 0.2.0, 2026-11-20\n\n- second\n');
    expect(notesOf(released, '0.1.0', true)).toBe('# Millpond 0.1.0, 2026-11-15\n\n- first\n');
  });

  test('of a dry run are what is not released yet, which a release refuses', () => {
    expect(notesOf(changelog, '0.2.0', true)).toContain('not released\n\n### Added\n\n- new\n');
    expect(() => notesOf(changelog, '0.2.0', false)).toThrow('under [Unreleased]');
    expect(() => notesOf('## [Unreleased]\n', '0.2.0', false)).toThrow(
      'has no section "## [0.2.0] - <date>"',
    );
  });

  test('of this project have a section of the first version', async () => {
    const sections = sectionsOf(await readFile(path.join(ROOT, 'CHANGELOG.md'), 'utf8'));
    expect(sections.map(({ version }) => version)).toContain('0.1.0');
  });
});

test('the list names what is installed with the packages, with licences, and nothing for development', async () => {
  const lock = JSON.parse(await readFile(path.join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
  const { components } = bomOf(lock, '0.1.0') as { components: { name: string; licenses?: unknown }[] };
  const names = new Set(components.map(({ name }) => name));
  for (const name of ['fastify', 'pg', 'sharp', 'undici', 'commander']) expect(names).toContain(name);
  for (const name of ['vitest', 'typescript', '@biomejs/biome', 'vitepress', 'react'])
    expect(names).not.toContain(name);
  expect(components.filter(({ licenses }) => licenses === undefined).map(({ name }) => name)).toEqual([]);
});

test('the chart is the same bytes at another time, and unpacks with the files that it links to', async () => {
  const [one, two] = [path.join(folder, 'one.tgz'), path.join(folder, 'two.tgz')];
  await packChart(ROOT, one, 1_795_000_000);
  const now = new Date();
  await utimes(path.join(ROOT, 'deploy/helm/millpond/Chart.yaml'), now, now);
  await packChart(ROOT, two, 1_795_000_000);
  expect((await readFile(one)).equals(await readFile(two))).toBe(true);
  await run('tar', ['-C', folder, '-xf', one]);
  expect(await readFile(path.join(folder, 'millpond/files/alerts.yaml'), 'utf8')).toBe(
    await readFile(path.join(ROOT, 'deploy/prometheus/alerts.yaml'), 'utf8'),
  );
});

test('a dry run makes all but the images, the packages the same bytes as `npm run pack`', async () => {
  const out = path.join(folder, 'out');
  await run(process.execPath, ['scripts/release/main.ts', '--dry-run', '--images', 'none', '--out', out], {
    cwd: ROOT,
  });
  const made = path.join(out, `millpond-${await readVersion(ROOT)}`);
  await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: made });
  const { stdout } = await run('sh', ['-c', 'cut -c67- SHA256SUMS'], { cwd: made });
  const version = await readVersion(ROOT);
  expect(stdout.trim().split('\n')).toEqual([
    'NOTES.md',
    `chart/millpond-${version}.tgz`,
    `packages/millpond-${version}.tgz`,
    `packages/millpond-client-${version}.tgz`,
    `packages/millpond-protocol-${version}.tgz`,
    `packages/millpond-server-${version}.tgz`,
    'packages/sbom.cdx.json',
  ]);
  // In CI they were packed before; elsewhere once more.
  const other = process.env.MILLPOND_TEST_PACKAGES ?? path.join(folder, 'packed');
  if (process.env.MILLPOND_TEST_PACKAGES === undefined)
    await run(process.execPath, ['scripts/pack/main.ts', '--out', other], { cwd: ROOT });
  for (const name of ['millpond', 'millpond-client', 'millpond-protocol', 'millpond-server']) {
    const file = `${name}-${version}.tgz`;
    const same = (await readFile(path.join(made, 'packages', file))).equals(
      await readFile(path.join(other, file)),
    );
    expect([file, same]).toEqual([file, true]);
  }
});

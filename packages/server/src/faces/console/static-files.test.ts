import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readApplication } from './load-static-files.ts';
import { acceptsBrotli } from './static-files.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mp-console-'));
  await mkdir(path.join(folder, 'assets'));
  for (const name of ['index.html', 'index.html.br', 'assets/a-1.js', 'assets/a-1.js.map', 'notes'])
    await writeFile(path.join(folder, name), name);
});
afterAll(() => rm(folder, { recursive: true }));

test('files that a browser can use are read, with their copies in brotli', async () => {
  const files = await readApplication([`${folder}/none`, folder]);
  expect([...files.keys()].toSorted()).toEqual(['/assets/a-1.js', '/index.html']);
  expect(files.get('/index.html')).toMatchObject({
    type: 'text/html; charset=utf-8',
    brotli: Buffer.from('index.html.br'),
  });
  expect(files.get('/assets/a-1.js')?.brotli).toBeUndefined();
});

test('pages that were not built are none', async () => {
  expect((await readApplication([`${folder}/none`, `${folder}/assets`])).size).toBe(0);
});

test.each([
  ['br', true],
  ['gzip, deflate, br, zstd', true],
  ['gzip;q=1, BR ; q=0.5', true],
  ['br;q=0', false],
  ['br;q=0.000', false],
  ['gzip', false],
  ['', false],
  [undefined, false],
  ['*', false],
])('Accept-Encoding: %s', (header, accepted) => {
  expect(acceptsBrotli(header)).toBe(accepted);
});

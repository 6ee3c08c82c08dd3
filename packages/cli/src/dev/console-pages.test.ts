import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildConsolePages } from './console-pages.ts';

/** Builds as the console's own program does: into the folder that the server reads. */
const BUILD = `import { appendFileSync, mkdirSync } from 'node:fs';
mkdirSync(import.meta.dirname + '/../dist', { recursive: true });
appendFileSync(import.meta.dirname + '/../dist/index.html', 'built ');`;

let folder: string;
let said: string[];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mp-pages-'));
  said = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const build = () => buildConsolePages((line) => said.push(line), folder);
const pages = () => readFileSync(path.join(folder, 'dist/index.html'), 'utf8');
function write(name: string, text: string, at?: number): void {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  if (at !== undefined) utimesSync(file, at, at);
}

test('the first start in a checkout builds the pages and says so, the next finds them', async () => {
  write('build/main.ts', BUILD);
  write('src/app.tsx', '');
  expect(await build()).toBeUndefined();
  expect(said).toEqual([expect.stringMatching(/^building the console's pages/)]);
  expect(await build()).toBeUndefined();
  expect([said.length, pages()]).toEqual([1, 'built ']);
});

test('pages that are older than their sources are built again', async () => {
  write('build/main.ts', BUILD, 1000);
  write('src/deep/app.tsx', '', 3000);
  write('dist/index.html', 'old ', 2000);
  await build();
  expect(pages()).toBe('old built ');
});

test('a build that fails is no end: what is off is named, with the reason and what to do', async () => {
  write('build/main.ts', `process.stderr.write('vite is not installed\\nat …\\n'); process.exit(1);`);
  expect(await build()).toEqual({
    program: 'the console',
    off: 'the console',
    reason: 'its pages could not be built (vite is not installed)',
    remedy: 'npm ci, then npm run console',
  });
});

test('a build that fails leaves the pages of before, and says so', async () => {
  write('build/main.ts', `process.stderr.write('no space'); process.exit(1);`, 3000);
  write('dist/index.html', 'old', 2000);
  expect(await build()).toBeUndefined();
  expect([pages(), said.at(-1)]).toEqual(['old', expect.stringContaining('(no space)')]);
});

test('a package contains its pages, and there is nothing to build', async () => {
  expect(await build()).toBeUndefined();
  expect(said).toEqual([]);
});

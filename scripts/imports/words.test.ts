import path from 'node:path';
import { expect, test } from 'vitest';
import { readTree } from './check.ts';
import { retiredWords } from './words.ts';

/** In two pieces, so that this file does not contain it itself. */
const plant = (start: string, end: string) => `${start}${end}`;

test.each([
  plant('export interface ', 'Told {'),
  plant('const MOST', '_PARTS = 10_000;'),
  plant('function judge', 'Run(code: number): void {'),
  plant('say', 'Way(cause);'),
  plant('/** O', 'f a small blob. */'),
])('reports %s', (line) => {
  expect(retiredWords(`\n${line}\n`)).toHaveLength(1);
  expect(retiredWords(`\n${line}\n`)[0]).toMatch(/^2: /);
});

test('no file outside the console has a retired word', async () => {
  const files = [...(await readTree(path.join(import.meta.dirname, '../..')))];
  const ours = files.filter(
    ([file]) => !file.startsWith('packages/console/') && !file.endsWith('imports/words.ts'),
  );
  expect(ours.length).toBeGreaterThan(1000);
  expect(ours.flatMap(([file, text]) => retiredWords(text).map((found) => `${file}:${found}`))).toEqual([]);
});

import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'millpond-folders-'));
});
afterEach(() => rmSync(root, { recursive: true }));

test('makes what is missing of a path, once or ten times at once', async () => {
  const deep = path.join(root, 'a/b/c');
  await Promise.all(Array.from({ length: 10 }, () => makeFolder(deep, 0o700)));
  expect(statSync(deep).mode & 0o777).toBe(0o700);
  symlinkSync(root, path.join(root, 'link'));
  await makeFolder(path.join(root, 'link/under'));
  expect(existsSync(path.join(root, 'under'))).toBe(true);
});

test('ends below /proc, where nothing can be made, and below a file', async () => {
  for (const folder of ['/proc/nothing', '/proc/nothing/below/it'])
    await expect(makeFolder(folder)).rejects.toMatchObject({ code: 'ENOENT' });
  const file = path.join(root, 'file');
  writeFileSync(file, '');
  await expect(makeFolder(file)).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolder(path.join(file, 'below'))).rejects.toThrow(/EEXIST|ENOTDIR/);
});

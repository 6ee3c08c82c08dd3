import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder } from './folders.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'millpond-folders-'));
});
afterEach(() => rmSync(root, { recursive: true }));
const modeOf = (folder: string) => statSync(folder).mode & 0o777;

test('makes a folder with all its parents, and leaves those that are there as they are', () => {
  const deep = path.join(root, 'a/b/c');
  makeFolder(deep, 0o700);
  expect([modeOf(path.join(root, 'a')), modeOf(deep)]).toEqual([0o700, 0o700]);
  chmodSync(deep, 0o750);
  makeFolder(deep, 0o700);
  makeFolder(path.join(root, 'a/./b/../b/c/'), 0o700);
  expect(modeOf(deep)).toBe(0o750);
});

test('takes a link to a folder for the folder, and relative names', () => {
  symlinkSync(root, path.join(root, 'link'));
  makeFolder(path.join(root, 'link'));
  makeFolder(path.join(root, 'link/under/it'));
  expect(existsSync(path.join(root, 'under/it'))).toBe(true);
  makeFolder(path.relative(process.cwd(), path.join(root, 'relative/one')));
  expect(existsSync(path.join(root, 'relative/one'))).toBe(true);
});

test('ends below /proc, where nothing can be made, and below a file', () => {
  for (const folder of ['/proc/nothing', '/proc/nothing/below/it', `/proc/${process.pid}/nothing/at/all`])
    expect(() => makeFolder(folder)).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  symlinkSync('/proc', path.join(root, 'proc'));
  expect(() => makeFolder(path.join(root, 'proc/nothing/below'))).toThrow(
    expect.objectContaining({ code: 'ENOENT' }),
  );
  const file = path.join(root, 'file');
  writeFileSync(file, '');
  expect(() => makeFolder(file)).toThrow(expect.objectContaining({ code: 'EEXIST' }));
  expect(() => makeFolder(path.join(file, 'below'))).toThrow(expect.objectContaining({ code: 'ENOTDIR' }));
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type LocalList, localEntries } from './local-list.ts';
import { FilterRules, parseRule } from './rules.ts';
import { sortedNames } from './sorted-names.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'millpond-local-list-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function treeOf(name: string, files: readonly string[]): string {
  const folder = path.join(root, name);
  for (const file of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), file);
  }
  return folder;
}

async function listOf(folder: string, options: Partial<LocalList> = {}): Promise<string[]> {
  const names: string[] = [];
  const list: LocalList = {
    rules: new FilterRules([]),
    followLinks: false,
    needsContent: true,
    onFailure: (_, name, error) => names.push(`!${name} ${(error as Error).message}`),
    ...options,
  };
  for await (const entry of localEntries(folder, list))
    names.push(entry.kind === 'leftOut' ? `-${entry.name}` : entry.name);
  return names;
}

test('a tree is listed as its keys would be, whatever stands beside the names of its folders', async () => {
  const files = [
    'a-b',
    'a/b',
    'a/b-/c',
    'a/b/c'.replace('b/', 'b0/'),
    'a.txt',
    'a0',
    'b',
    '\ue000',
    '𝄞',
    'é/ü',
  ];
  const listed = await listOf(treeOf('order', files));
  expect(listed).toEqual(
    files.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))),
  );
});

test('a folder of more than fits is sorted outside memory, and leaves nothing behind', async () => {
  const files = Array.from({ length: 100 }, (_, n) => `${(n * 37) % 100}\tn\n${n % 7}`);
  const folder = treeOf('many', [...files, 'folder/x']);
  symlinkSync('folder', path.join(folder, 'link'));
  const beside = path.join(root, 'beside');
  mkdirSync(beside);
  vi.stubEnv('TMPDIR', beside);
  onTestFinished(() => void vi.unstubAllEnvs());
  const names: string[] = [];
  for await (const { name, isLink } of sortedNames(folder, 7)) names.push(isLink ? `${name}@` : name);
  expect(names).toEqual([...files, 'folder/', 'link/@'].toSorted());
  expect(readdirSync(beside)).toEqual([]);
});

test('what is no file, links to folders and to nothing, and what a download left', async () => {
  const folder = treeOf('special', ['a', 'd/x', '.millpond-0123456789abcdef.part']);
  symlinkSync('d', path.join(folder, 'link'));
  symlinkSync('a', path.join(folder, 'file-link'));
  symlinkSync('nowhere', path.join(folder, 'broken'));
  symlinkSync('..', path.join(folder, 'd/up'));
  execFileSync('mkfifo', [path.join(folder, 'pipe')]);
  expect(await listOf(folder)).toEqual([
    'a',
    expect.stringContaining('!broken ENOENT'),
    '-d/up/',
    'd/x',
    'file-link',
    '-link/',
    '-pipe',
  ]);
  expect(await listOf(folder, { needsContent: false, followLinks: true })).toEqual([
    'a',
    '-broken',
    '-d/up/',
    'd/x',
    'file-link',
    '-link/up/',
    'link/x',
    '-pipe',
  ]);
});

test('what is excluded is not even looked at', async () => {
  const folder = treeOf('excluded', ['a', 'no/x', 'd/no/y', 'd/z']);
  symlinkSync('nowhere', path.join(folder, 'no/broken'));
  symlinkSync('nowhere', path.join(folder, 'x.tmp'));
  const rules = new FilterRules([parseRule('exclude', 'no/'), parseRule('exclude', '*.tmp')]);
  expect(await listOf(folder, { rules })).toEqual(['a', 'd/z']);
});

test('a folder that can’t be read is told by its name', async () => {
  const folder = treeOf('gone', ['a']);
  rmSync(folder, { recursive: true });
  expect(await listOf(folder)).toEqual([expect.stringContaining('! ENOENT')]);
});

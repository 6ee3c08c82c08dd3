import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameInZip } from './zip.ts';

test('names are keys below the folder of the prefix', () => {
  expect(nameInZip('a/b/c.txt', 'a/')).toBe('b/c.txt');
  expect(nameInZip('a/b/c.txt', 'a/b')).toBe('b/c.txt');
  expect(nameInZip('a.txt', 'a.txt')).toBe('a.txt');
  expect(nameInZip('a/', 'a/')).toBe('');
  expect(nameInZip('a/b/', 'a/')).toBe('b/');
  expect(nameInZip('日本/é', '')).toBe('日本/é');
});

test.each(['../x', 'a/../../x', '/x', 'a//b', './x', 'C:x', 'a\\b', 'a\nb', '..', 'a/..'])(
  'refuses %j',
  (key) => {
    expect(nameInZip(key, '')).toBeUndefined();
  },
);

test('whatever the key, its file is inside of the folder it is unpacked to, and no two share one', () => {
  const key = fc.string({ unit: fc.constantFrom('a', '.', '/', '\\', ':', '猫', '\u0001'), maxLength: 10 });
  fc.assert(
    fc.property(fc.uniqueArray(key, { maxLength: 5 }), (keys) => {
      const names = keys.map((each) => nameInZip(each, '')).filter((name) => name !== undefined);
      expect(new Set(names).size).toBe(names.length);
      for (const name of names) expect(`${path.posix.resolve('/to', name)}/`.startsWith('/to/')).toBe(true);
    }),
  );
});

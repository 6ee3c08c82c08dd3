import { anyText } from '@millpond/testing/any-text';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldersOf, objectAddress, pathOfPrefix, prefixOfPath, splitKey } from './address.ts';

/** Keys as they are: any well-formed text, and often the signs that addresses care about. */
const keys = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '',
        '.',
        '..',
        '~',
        '~2E',
        '%',
        '%2F',
        '%2e%2e',
        '?',
        '#',
        '\\',
        ' ',
        '&',
        '+',
        '场记',
        '🎞',
      ),
      anyText({ maxLength: 8 }),
    ),
    { maxLength: 6 },
  )
  .map((segments) => segments.join('/'));

test('every prefix survives its address', () => {
  fc.assert(
    fc.property(keys, (key) => {
      const { prefix } = splitKey(key);
      expect(prefixOfPath(pathOfPrefix(prefix))).toBe(prefix);
    }),
  );
});

test('a browser leaves the address as it is, and decoding it once or twice makes no difference', () => {
  fc.assert(
    fc.property(keys, (key) => {
      const { prefix } = splitKey(key);
      if (prefix === '') return;
      const path = pathOfPrefix(prefix);
      const encoded = path.split('/').map(encodeURIComponent).join('/');
      const { pathname } = new URL(`/buckets/b/objects/${encoded}`, 'https://console.example.com');
      const seen = decodeURIComponent(pathname.slice('/buckets/b/objects/'.length));
      expect(seen).toBe(path);
      expect(decodeURIComponent(seen)).toBe(path);
      expect(path).not.toMatch(/^\/|\/\/|\/$/);
    }),
  );
});

test('keys keep their folder and their name', () => {
  fc.assert(
    fc.property(keys, (key) => {
      const { prefix, name } = splitKey(key);
      expect(prefix + name).toBe(key);
      expect(objectAddress('b', key).search.key).toBe(name);
    }),
  );
});

test('folders above are named one by one', () => {
  expect(foldersOf('a//b/')).toEqual([
    { name: 'a', prefix: 'a/' },
    { name: '', prefix: 'a//' },
    { name: 'b', prefix: 'a//b/' },
  ]);
  expect(foldersOf('')).toEqual([]);
  expect(pathOfPrefix('dailies/2026-03-08/')).toBe('dailies/2026-03-08');
  expect(pathOfPrefix('/')).toBe('~');
  expect(pathOfPrefix('a/../b/')).toBe('a/~2E~2E/b');
});

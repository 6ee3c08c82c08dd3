import fc from 'fast-check';
import { expect, test } from 'vitest';
import { relativeAddress } from './part-keys.ts';

test.each([
  ['video.m3u8', 'video.m3u8/000000.ts', 'video.m3u8/000000.ts'],
  ['a/b/video.m3u8', 'a/b/video.m3u8/000000.ts', 'video.m3u8/000000.ts'],
  ['a/b/video.m3u8', 'c/0.ts', '../../c/0.ts'],
  ['video.m3u8', 'a?b#c/0.ts', 'a%3Fb%23c/0.ts'],
])('from %s to %s is %s', (from, to, expected) => {
  expect(relativeAddress(from, to)).toBe(expected);
});

/** URLs resolve dots away, so no address can lead to keys that have them as segments. */
const key = fc
  .array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 5 })
  .map((segments) => segments.map((segment) => segment.replaceAll('/', '_')).join('/'))
  .filter((text) => text.isWellFormed() && !text.split('/').some((segment) => /^\.{1,2}$/.test(segment)));

test('a player that resolves it arrives at the other object', () => {
  fc.assert(
    fc.property(key, key, (from, to) => {
      const url = (text: string) => `http://host/bucket/${text.split('/').map(encodeURIComponent).join('/')}`;
      expect(new URL(relativeAddress(from, to), url(from)).href).toBe(new URL(url(to)).href);
    }),
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextName, totalsOf, type Upload } from './upload.ts';

const upload = (change: Partial<Upload>): Upload => ({
  id: 'u',
  bucket: 'b',
  key: 'k',
  name: 'n',
  size: 100,
  modified: 0,
  state: 'waiting',
  sent: 0,
  speed: 0,
  replaces: false,
  ...change,
});

test('totals count what is done, what moves, and what needs somebody', () => {
  const totals = totalsOf([
    upload({ state: 'done', sent: 100 }),
    upload({ state: 'sending', sent: 50, speed: 10 }),
    upload({ state: 'exists' }),
    upload({ state: 'fileless', sent: 20 }),
    upload({}),
  ]);
  expect(totals).toMatchObject({ files: 5, done: 1, sending: 1, needs: 2, bytes: 500, sent: 170, speed: 10 });
  expect(totals.left).toBe(23_000);
  expect(totalsOf([upload({})]).left).toBeUndefined();
});

test('the next name is beside the first, in the same folder', () => {
  expect(nextName('a/photo.jpg')).toBe('a/photo (2).jpg');
  expect(nextName('a/photo (2).jpg')).toBe('a/photo (3).jpg');
  expect(nextName('noending')).toBe('noending (2)');
  expect(nextName('a.b/c')).toBe('a.b/c (2)');
});

test('it is always another name, and each next one is too', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (key) => {
      const seen = new Set([key]);
      for (let next = nextName(key), times = 0; times < 5; next = nextName(next), times++) {
        expect(seen.has(next)).toBe(false);
        seen.add(next);
      }
    }),
  );
});

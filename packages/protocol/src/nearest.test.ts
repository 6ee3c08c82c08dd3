import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance, nearestName } from './nearest.ts';

test('the distance of two texts is what has to be typed to get from one to the other', () => {
  expect([editDistance('', 'abc'), editDistance('kitten', 'sitting'), editDistance('a', 'a')]).toEqual([
    3, 3, 0,
  ]);
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      const distance = editDistance(one, other);
      expect(distance).toBe(editDistance(other, one));
      expect(distance).toBeLessThanOrEqual(Math.max(one.length, other.length));
      expect(distance === 0).toBe(one === other);
    }),
  );
});

test.each([
  ['fsizeLimt', 'fsizeLimit'],
  ['callbackURL', 'callbackUrl'],
  ['fileSizeLimit', 'fsizeLimit'],
  ['scop', 'scope'],
  ['notifyUrl', 'persistentNotifyUrl'],
  ['key', undefined],
  ['colour', undefined],
  ['x'.repeat(10_000), undefined],
])('%s was meant as %s', (typed, meant) => {
  const known = ['scope', 'fsizeLimit', 'callbackUrl', 'persistentNotifyUrl', 'saveKey', 'keylimit'];
  expect(nearestName(typed, known)).toBe(meant);
});

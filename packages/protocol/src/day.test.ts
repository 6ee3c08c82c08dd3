import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS, midnightAfter } from './day.ts';

test('what is kept some days goes at the first midnight after them', () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.nat(2 ** 40), (days, now) => {
      const end = midnightAfter(days, now).getTime();
      expect(end % DAY_MS).toBe(0);
      expect(end - days * DAY_MS).toBeGreaterThanOrEqual(now);
      expect(end - days * DAY_MS).toBeLessThan(now + DAY_MS);
    }),
  );
});

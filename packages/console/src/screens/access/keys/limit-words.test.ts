import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limitsOf, writtenOf } from './limit-words.ts';

const name = fc.stringMatching(/^[a-z0-9-]{3,20}$/);
const prefix = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => !text.includes('\n'));

test('limits that are shown in a form and not changed are the same limits', () => {
  const limits = fc.record(
    {
      buckets: fc.array(name, { minLength: 1, maxLength: 3 }),
      prefixes: fc.array(prefix, { minLength: 1, maxLength: 3 }),
      actions: fc.subarray(['read', 'list'] as const, { minLength: 1 }),
      networks: fc.constant(['10.0.0.0/8', '2001:db8::/32']),
      expiresAt: fc.integer({ min: 1, max: 4_000_000 }).map((minutes) => minutes * 60),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(limits, (given) => {
      expect(limitsOf(writtenOf(given))).toEqual(given);
    }),
  );
});

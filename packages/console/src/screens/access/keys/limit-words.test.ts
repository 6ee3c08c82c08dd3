import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limitNames, limitsOf, limitWords, missingIn, writtenOf } from './limit-words.ts';

const name = fc.stringMatching(/^[a-z0-9-]{3,20}$/);
const prefix = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => !text.includes('\n'));
const limits = fc.record(
  {
    buckets: fc.array(name, { maxLength: 3 }),
    prefixes: fc.array(prefix, { maxLength: 3 }),
    actions: fc.subarray(['read', 'list'] as const),
    networks: fc.constantFrom([], ['10.0.0.0/8', '2001:db8::/32']),
    expiresAt: fc.integer({ min: 1, max: 4_000_000 }).map((minutes) => minutes * 60),
  },
  { requiredKeys: [] },
);

test('limits that are shown in a form and not changed are the same limits, empty ones too', () => {
  fc.assert(
    fc.property(limits, (given) => {
      expect(limitsOf(writtenOf(given))).toEqual(given);
    }),
  );
});

test('what is chosen and left empty is missing, and so is any choice at all', () => {
  fc.assert(
    fc.property(limits, (given) => {
      const isEmpty = Object.values(given).some((each) => Array.isArray(each) && each.length === 0);
      const isNone = Object.keys(given).length === 0;
      expect(missingIn(writtenOf(given)) !== undefined).toBe(isEmpty || isNone);
    }),
  );
  const nothing = {
    chosen: [],
    buckets: 'photos',
    prefixes: 'a',
    actions: ['read'],
    networks: '::1',
    ends: '',
  };
  expect(missingIn(nothing)).toBe('any');
  for (const each of limitNames) expect(missingIn({ ...writtenOf({}), chosen: [each] })).toBe(each);
});

test('a limit that allows nothing is no limit that is not there', () => {
  expect(limitWords({ actions: [], buckets: ['photos'] })).toEqual([
    { word: 'buckets', values: 'photos' },
    { word: 'actions', values: undefined },
  ]);
});

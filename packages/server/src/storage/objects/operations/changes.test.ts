import { Fault } from '@millpond/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSchedule } from './changes.ts';
import { readPairs } from './path.ts';

const days = fc.oneof(fc.constantFrom(-1, 0), fc.integer({ min: 1, max: 36_500 }));

test('a schedule is read whatever its order', () => {
  const words = ['toIAAfterDays', 'toArchiveAfterDays', 'toDeepArchiveAfterDays', 'deleteAfterDays'] as const;
  fc.assert(
    fc.property(
      fc.tuple(days, days, days, days),
      fc.shuffledSubarray([0, 1, 2, 3], { minLength: 1 }),
      (ages, order) => {
        const segments = order.flatMap((index) => [words[index] ?? '', String(ages[index])]);
        const given = (index: number) => (order.includes(index) ? ages[index] : 0);
        expect(readSchedule(readPairs(segments, words))).toEqual({
          toIA: given(0),
          toArchive: given(1),
          toDeepArchive: given(2),
          remove: given(3),
        });
      },
    ),
  );
});

test.each([
  [[]],
  [['toIAAfterDays']],
  [['toIAAfterDays', '']],
  [['toIAAfterDays', '1', 'toIAAfterDays', '1']],
  [['sometime', '1']],
  [['toArchiveIRAfterDays', '1']],
  ...['-2', '+1', '01', '1.0', '1e1', ' 1', '36501', '99999', '100000', '%31', 'NaN'].map((text) => [
    ['deleteAfterDays', text],
  ]),
])('%j is refused', (segments) => {
  const words = ['toIAAfterDays', 'toArchiveIRAfterDays', 'deleteAfterDays'];
  expect(() => readSchedule(readPairs(segments, words))).toThrow(Fault);
});

test('pairs come back as they were written, or are refused', () => {
  const known = ['a', 'b', 'c'];
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom(...known), fc.string())), (segments) => {
      try {
        const pairs = readPairs(segments, known);
        expect([...pairs].flat()).toEqual(segments);
      } catch (error) {
        expect(error).toBeInstanceOf(Fault);
      }
    }),
  );
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dueAction, type LifecycleRule, readLifecycleRule, ruleFor } from './lifecycle-rules.ts';

const rule = (given: Partial<LifecycleRule>): LifecycleRule => ({
  name: 'r',
  prefix: '',
  to_line_after_days: 0,
  to_archive_after_days: 0,
  to_deep_archive_after_days: 0,
  delete_after_days: 0,
  ...given,
});

describe('a lifecycle rule', () => {
  test('that was read is read again as it is', () => {
    const days = fc.uniqueArray(fc.integer({ min: 1, max: 36_500 }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(
        days,
        fc.subarray([0, 1, 2, 3], { minLength: 1 }),
        fc.string({ maxLength: 20 }),
        (given, stages, prefix) => {
          fc.pre(!prefix.includes('\0') && prefix.isWellFormed());
          const [line = 0, archive = 0, deep = 0, gone = 0] = given
            .toSorted((one, other) => one - other)
            .map((number, index) => (stages.includes(index) ? number : 0));
          const wanted = rule({
            prefix,
            to_line_after_days: line,
            to_archive_after_days: archive,
            to_deep_archive_after_days: deep,
            delete_after_days: gone,
          });
          const form = new URLSearchParams(
            Object.entries(wanted).map(([name, value]) => [name, String(value)]),
          );
          expect(readLifecycleRule(form)).toEqual(wanted);
          expect(readLifecycleRule(new URLSearchParams({ name: 'r' }), wanted)).toEqual(wanted);
        },
      ),
    );
  });

  test.each([
    [0, 0, undefined],
    [1, 0, 1],
    [1, 1, undefined],
    [3, 0, 1],
    [4, 1, 2],
    [4, 2, undefined],
    [9, 0, 3],
    [9, 3, undefined],
    [11, 3, 'delete'],
    [400, 0, 'delete'],
  ])('after %i days in class %i: %s', (age, storageClass, action) => {
    const all = rule({
      to_line_after_days: 1,
      to_archive_after_days: 4,
      to_deep_archive_after_days: 8,
      delete_after_days: 11,
    });
    expect(dueAction(all, age, storageClass)).toBe(action);
  });

  test('never makes anything warmer, and 0 days are never', () => {
    expect(dueAction(rule({ to_line_after_days: 1 }), 100, 3)).toBeUndefined();
    expect(dueAction(rule({}), 36_500, 0)).toBeUndefined();
  });

  test('applies by the longest prefix', () => {
    const rules = ['a/', '', 'a/b', 'ab'].map((prefix) => rule({ name: `n${prefix}`, prefix }));
    const found = (key: string) => ruleFor(rules, key)?.prefix;
    expect(['x', 'a', 'a/', 'a/c', 'a/bc', 'abc'].map(found)).toEqual(['', '', 'a/', 'a/', 'a/b', 'ab']);
    expect(ruleFor([rule({ prefix: 'x' })], 'y')).toBeUndefined();
  });
});

import { expect, test } from 'vitest';
import { Fault, faultBody } from './errors/fault.ts';
import { parseFreezeAfterDays } from './restore-times.ts';
import {
  FIRST_ARCHIVE_CLASS,
  isArchiveClass,
  parseStorageClass,
  storageClasses,
  tierOfClass,
  unrestoredFault,
} from './storage-classes.ts';

test('one to seven days', () => {
  expect(['1', '2', '3', '4', '5', '6', '7'].map(parseFreezeAfterDays)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test.each(['0', '8', '01', '+1', '-1', '1.0', '1e0', '%31', '', ' 1', '1\n', '１', '11'])(
  '%j is not a number of days',
  (text) => {
    expect(() => parseFreezeAfterDays(text)).toThrow(
      expect.objectContaining({ fault: 'invalidFreezeAfterDays', status: 400 }),
    );
  },
);

test('archive and deep archive are refused in words of their own', () => {
  const answers = storageClasses.map(({ number }) => {
    const fault = unrestoredFault(number);
    return fault === undefined ? undefined : [fault.status, faultBody(fault)];
  });
  expect(answers).toEqual([
    undefined,
    undefined,
    [403, { error: 'archive unrestored' }],
    [403, { error: 'deep archive unrestored' }],
  ]);
  expect(storageClasses.map(({ number }) => isArchiveClass(number))).toEqual([false, false, true, true]);
});

test('class numbers', () => {
  expect(['0', '1', '2', '3'].map(parseStorageClass)).toEqual([0, 1, 2, 3]);
  for (const text of ['4', '-1', '', '00', '1.0']) expect(() => parseStorageClass(text)).toThrow(Fault);
});

test('the table: numbers are places, and frozen classes come last', () => {
  expect(storageClasses.map(({ number }) => number)).toEqual([...storageClasses.keys()]);
  const isFrozen = storageClasses.map(({ number }) => number >= FIRST_ARCHIVE_CLASS);
  expect(storageClasses.map(({ number }) => isArchiveClass(number))).toEqual(isFrozen);
  expect(storageClasses.map(({ number }) => tierOfClass(number) === 'COLD')).toEqual(isFrozen);
});

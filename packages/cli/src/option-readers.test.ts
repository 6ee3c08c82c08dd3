import { expect, test } from 'vitest';
import { readSize } from './option-readers.ts';
import { readClass } from './storage-classes.ts';

test('sizes are by 1024, as they are shown', () => {
  expect(['7', '512k', '8M', '50g', '50GiB', '2tib'].map(readSize)).toEqual([
    7,
    512 * 1024,
    8 * 1024 ** 2,
    50 * 1024 ** 3,
    50 * 1024 ** 3,
    2 * 1024 ** 4,
  ]);
  for (const text of ['', '0', '50GB', '50 g', '1.5g', 'g', '7ib'])
    expect(() => readSize(text), text).toThrow('must be a size such as');
});

test('classes by word and by number', () => {
  expect(['standard', 'infrequent', 'archive', 'deep-archive', '0', '3'].map(readClass)).toEqual([
    0, 1, 2, 3, 0, 3,
  ]);
  for (const text of ['', '4', 'cold'])
    expect(() => readClass(text), text).toThrow('must be one of standard');
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fault } from './errors/fault.ts';
import { makeTaskId, parseTaskId } from './task-id.ts';

const random = Uint8Array.from({ length: 16 }, (_, i) => i);

test('region, time and random digits', () => {
  const id = makeTaskId('z0', 0x594b66f7, random);
  expect(id).toBe('z0.594b66f7000102030405060708090a0b0c0d0e0f');
  expect(parseTaskId(id)).toEqual({ region: 'z0', createdAt: 0x594b66f7 });
});

test.each([
  '',
  'z0.594b66f745a2650c99aa9e57',
  '594b66f7000102030405060708090a0b0c0d0e0f',
  'z0.594b66f7000102030405060708090a0b0c0d0e0',
  'z0.594b66f7000102030405060708090a0b0c0d0e0f0',
  'z0.594B66F7000102030405060708090A0B0C0D0E0F',
  'Z0.594b66f7000102030405060708090a0b0c0d0e0f',
  '.594b66f7000102030405060708090a0b0c0d0e0f',
  'z0.594b66f7000102030405060708090a0b0c0d0e0f\n',
  ' z0.594b66f7000102030405060708090a0b0c0d0e0f',
])('%j is no id', (text) => {
  expect(parseTaskId(text)).toBeUndefined();
});

test('parts that give no id are refused', () => {
  expect(() => makeTaskId('Z 0', 1, random)).toThrow(Fault);
  expect(() => makeTaskId('z0', 2 ** 32, random)).toThrow(Fault);
  expect(() => makeTaskId('z0', 1.5, random)).toThrow(Fault);
  expect(() => makeTaskId('z0', 1, random.subarray(1))).toThrow(Fault);
});

test('what is made is parsed', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,31}$/),
      fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      fc.uint8Array({ minLength: 16, maxLength: 16 }),
      (region, createdAt, bytes) => {
        expect(parseTaskId(makeTaskId(region, createdAt, bytes))).toEqual({ region, createdAt });
      },
    ),
  );
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { refreshedValue } from './refreshed-value.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

test('however many read, it is asked once in its time', async () => {
  let asked = 0;
  const read = refreshedValue(() => Promise.resolve(++asked), { everyMs: 100 });
  expect(await Promise.all([read(), read()])).toEqual([1, 1]);
  vi.advanceTimersByTime(99);
  expect(await read()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await read()).toBe(2);
});

test('nobody waits long for one that is silent; what it said last holds for a while', async () => {
  const answers = [Promise.resolve('said'), new Promise<string>(() => undefined)];
  let asked = 0;
  const read = refreshedValue(() => answers[asked++] ?? Promise.reject(new Error('asked twice')), {
    everyMs: 100,
    waitMs: 1,
  });
  expect(await read()).toBe('said');
  vi.advanceTimersByTime(100);
  expect(await read()).toBe('said');
  vi.advanceTimersByTime(300);
  expect(await read()).toBeUndefined();
  expect(asked).toBe(2);
});

test('where it fails nothing is known, until it answers again', async () => {
  const answers = [
    () => Promise.reject(new Error('away')),
    () => {
      throw new Error('away at once');
    },
    () => Promise.resolve('back'),
  ];
  let asked = 0;
  const read = refreshedValue(() => answers[asked++]?.() ?? Promise.reject(new Error('asked too often')), {
    everyMs: 100,
  });
  expect([await read(), await read(), asked]).toEqual([undefined, undefined, 1]);
  vi.advanceTimersByTime(100);
  expect([await read(), asked]).toEqual([undefined, 2]);
  vi.advanceTimersByTime(100);
  expect([await read(), asked]).toEqual(['back', 3]);
});

import { expect, test } from 'vitest';
import { Throttle } from './throttle.ts';

const never = new AbortController().signal;
const BITS_PER_SECOND = 8_000_000;

test('bytes that are ahead of the rate wait until they are due', async () => {
  const throttle = new Throttle(BITS_PER_SECOND);
  const started = performance.now();
  for (let i = 0; i < 20; i++) await throttle.take(10_000, never);
  const took = performance.now() - started;
  expect(took).toBeGreaterThan(190);
});

test('bytes that are behind it do not wait', () => {
  let now = 0;
  const throttle = new Throttle(BITS_PER_SECOND, () => now);
  now = 60;
  expect(throttle.take(50_000, never)).toBeUndefined();
  expect(throttle.take(11_000, never)).toBeUndefined();
  expect(throttle.take(1, never)).toBeInstanceOf(Promise);
});

test('a client that leaves is not waited for', async () => {
  const stop = new AbortController();
  const waiting = new Throttle(BITS_PER_SECOND).take(1_000_000_000, stop.signal);
  stop.abort(new Error('left'));
  await expect(waiting).rejects.toThrow();
});

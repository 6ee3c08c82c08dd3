import { expect, test } from 'vitest';
import { RateLimiter } from './rate-limit.ts';

test('a burst is let through, then a steady rate, each key for itself', () => {
  let now = 0;
  const limit = new RateLimiter({ burst: 3, perMinute: 6 }, 'failedRequest', () => now);
  for (let i = 0; i < 3; i++) limit.take('a');
  expect(() => limit.take('a')).toThrow(
    expect.objectContaining({ fault: 'failedRequest', retryAfterSeconds: 10 }),
  );
  limit.take('b');
  now = 10_000;
  limit.take('a');
  expect(() => limit.take('a')).toThrow();
  now = 10_000_000;
  for (let i = 0; i < 3; i++) limit.take('a');
  expect(() => limit.take('a')).toThrow();
});

test('what is given back can be taken again, and never makes more than the burst', () => {
  const limit = new RateLimiter({ burst: 2, perMinute: 6 }, 'failedRequest', () => 0);
  limit.giveBack('a');
  for (let i = 0; i < 2; i++) limit.take('a');
  limit.giveBack('a');
  limit.take('a');
  expect(() => limit.take('a')).toThrow();
  for (let i = 0; i < 9; i++) limit.giveBack('a');
  for (let i = 0; i < 2; i++) limit.take('a');
  expect(() => limit.take('a')).toThrow();
});

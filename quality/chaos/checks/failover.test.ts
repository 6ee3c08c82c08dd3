import { expect, test } from 'vitest';
import { type Attempt, lossBound, whatWasNoticed } from './failover.ts';

const good = (endedAt: number, isRetry = false): Attempt => ({
  begunAt: endedAt - 10,
  endedAt,
  isGood: true,
  isRetry,
});
const bad = (endedAt: number, isRetry = false): Attempt => ({ ...good(endedAt, isRetry), isGood: false });

test('the silence is between two successes, and is counted from the new primary on too', () => {
  const attempts = [
    good(100),
    good(900),
    bad(1100),
    bad(1500, true),
    bad(1200),
    good(4000, true),
    good(4100),
  ];
  expect(whatWasNoticed(attempts, { struckAt: 1000, primaryAt: 3500, overAt: 9000 })).toEqual({
    silentMs: 3100,
    writesBackMs: 500,
    failed: 3,
    unhealed: 1,
  });
});

test('what never comes back is silent to the end', () => {
  const attempts = [good(900), bad(1100), good(9500)];
  expect(whatWasNoticed(attempts, { struckAt: 1000, primaryAt: 2000, overAt: 9000 })).toMatchObject({
    silentMs: 8000,
    writesBackMs: 7000,
  });
});

test('a fault of a standby has no new primary, and earlier silences are not its own', () => {
  const attempts = [good(100), good(900), good(1300), good(1400)];
  expect(whatWasNoticed(attempts, { struckAt: 1000, overAt: 2000 })).toEqual({
    silentMs: 400,
    failed: 0,
    unhealed: 0,
  });
});

test('the bound is three in so many', () => {
  expect([lossBound(0), lossBound(3000)]).toEqual([undefined, 0.001]);
});

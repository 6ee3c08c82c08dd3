import { expect, test } from 'vitest';
import { adviceOf } from './advice.ts';
import { healthOf } from './health.ts';
import { ticksOf } from './ticks-of.ts';

test('a receiver is what its record says', () => {
  const base = { waiting: 0 };
  expect(healthOf({ ...base, suspended: '2026-11-01T00:00:00Z' }).word).toBe('suspended');
  expect(healthOf({ ...base, failingSince: '2026-11-01T00:00:00Z' }).word).toBe('away');
  expect(
    healthOf({ ...base, lastFailure: '2026-11-02T00:00:00Z', lastSuccess: '2026-11-01T00:00:00Z' }).word,
  ).toBe('refuses');
  expect(
    healthOf({ ...base, lastFailure: '2026-11-01T00:00:00Z', lastSuccess: '2026-11-02T00:00:00Z' }).word,
  ).toBe('well');
  expect(healthOf(base).word).toBe('quiet');
});

test('ticks gather five minutes each, the newest last', () => {
  const now = Date.parse('2026-11-17T12:00:00Z');
  const at = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
  const ticks = ticksOf(
    [
      { minute: at(59), ok: 1, failed: 0 },
      { minute: at(7), ok: 1, failed: 2 },
      { minute: at(1), ok: 0, failed: 3 },
      { minute: at(90), ok: 9, failed: 9 },
    ],
    now,
  );
  expect(ticks).toEqual(['ok', ...Array<string>(9).fill(''), 'warn', 'bad']);
});

test.each([
  [{ status: 200 }, undefined],
  [{ status: 301 }, 'redirect'],
  [{ status: 401 }, 'signature'],
  [{ status: 404 }, 'missing'],
  [{ status: 502 }, 'proxy'],
  [{ status: 500 }, 'failing'],
  [{ error: 'no connection in time' }, 'slow'],
  [{ error: 'the connection was refused' }, 'unreached'],
])('%o: %s', (attempt, advice) => {
  expect(adviceOf(attempt)).toBe(advice);
});

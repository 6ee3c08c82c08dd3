import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TRIED_FOR_MS } from '../limits.ts';
import { DAY, MAX_RETRY_DELAY, nextRetryDelay, parseRetryAfter, RETRY_DELAYS } from './retry-schedule.ts';

const HOUR = DAY / 24;
const failure = { tries: 1, age: 0, retryAfter: undefined, random: 0 };
const random = fc.double({ min: 0, max: 1, noNaN: true });

/** The waits of a delivery whose every try fails at once. */
function waitsOf(draw: () => number): number[] {
  const waits: number[] = [];
  for (let age = 0; ; ) {
    const wait = nextRetryDelay({ ...failure, tries: waits.length + 1, age, random: draw() });
    if (wait === undefined) return waits;
    waits.push(wait);
    age += wait;
  }
}

describe('waits', () => {
  test('are 1 s, 5 s, 30 s, 2 m, 10 m, 30 m, 1 h, 2 h, 4 h, 8 h, then 12 h until five days are over [delivery-10 delivery-11]', () => {
    const waits = waitsOf(() => 0).map((wait) => wait / 1000);
    expect(waits).toEqual([
      1,
      5,
      30,
      120,
      600,
      1800,
      3600,
      7200,
      14_400,
      28_800,
      ...Array.from({ length: 8 }, () => 43_200),
    ]);
  });

  test('have up to a fifth more, and never less [delivery-10]', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), random, (tries, drawn) => {
        const base = RETRY_DELAYS[tries - 1] ?? MAX_RETRY_DELAY;
        const wait = nextRetryDelay({ ...failure, tries, random: drawn }) ?? 0;
        expect(wait).toBeGreaterThanOrEqual(base);
        expect(wait).toBeLessThanOrEqual(base * 1.2);
      }),
    );
  });

  test('never reach past five days, whatever is drawn [delivery-11]', () => {
    fc.assert(
      fc.property(fc.infiniteStream(random), (stream) => {
        const waits = waitsOf(() => stream.next().value as number);
        const last = waits.reduce((sum, wait) => sum + wait, 0);
        expect(last).toBeLessThanOrEqual(TRIED_FOR_MS);
        expect(last).toBeGreaterThan(TRIED_FOR_MS - MAX_RETRY_DELAY * 1.2);
      }),
    );
  });

  test('are as long as the receiver asks, up to an hour, and never shorter than ours [delivery-12]', () => {
    const asked = (retryAfter: number) => nextRetryDelay({ ...failure, retryAfter });
    expect(asked(0)).toBe(1000);
    expect(asked(500)).toBe(1000);
    expect(asked(90_000)).toBe(90_000);
    expect(asked(HOUR)).toBe(HOUR);
    expect(asked(50 * HOUR)).toBe(HOUR);
    expect(nextRetryDelay({ ...failure, tries: 11, retryAfter: HOUR })).toBe(12 * HOUR);
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-11-15T08:00:00Z');

  test.each([
    ['120', 120_000],
    ['0', 0],
    ['Sun, 15 Nov 2026 08:01:00 GMT', 60_000],
    ['Sun, 15 Nov 2026 07:00:00 GMT', 0],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['2026-11-15T08:01:00Z', undefined],
    ['9'.repeat(40), undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s', (value, expected) => expect(parseRetryAfter(value, now)).toBe(expected));

  test('of any text is a time to come or nothing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.date({ noInvalidDate: true }).map(String)), (text) => {
        const asked = parseRetryAfter(text, now);
        expect(asked === undefined || (Number.isFinite(asked) && asked >= 0)).toBe(true);
      }),
    );
  });
});

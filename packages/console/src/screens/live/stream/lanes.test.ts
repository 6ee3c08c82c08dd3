/** Places in a day, and what of its recordings plays. */
import type { RecordingRecord } from '@millpond/client/session';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { atShare, barOf, DAY, eventsOf, partsOf, secondsOf, shareOf, ticksOf } from './lanes.ts';

const day = { from: 1_790_000_000, to: 1_790_000_000 + DAY };

function recording(start: number, end: number, file = `${start}.mp4`): RecordingRecord {
  return { url: '', type: 1, start, end, duration: end - start, format: 4, bucket: 'films', file };
}

test('what reaches beyond the day is cut at its ends, and what lies outside is left out', () => {
  expect(barOf({ from: day.from - 100, to: day.from + DAY / 2 }, day)).toEqual({ left: 0, width: 50 });
  expect(barOf({ from: day.to - DAY / 4, to: day.to + 100 }, day)).toEqual({ left: 75, width: 25 });
  expect(barOf({ from: day.from - 200, to: day.from - 100 }, day)).toBeUndefined();
  expect(barOf({ from: day.to + 1, to: day.to + 2 }, day)).toBeUndefined();
});

test('a share of the day and its second are the same place', () => {
  fc.assert(
    fc.property(fc.integer({ min: day.from, max: day.to }), (at) => {
      expect(atShare(shareOf(at, day) / 100, day)).toBe(at);
    }),
  );
  expect([atShare(-1, day), atShare(2, day)]).toEqual([day.from, day.to]);
});

test('there is a mark every fourth hour of the clock', () => {
  const hourAt = (second: number) => Math.floor(second / 3600) % 24;
  const ticks = ticksOf(day, hourAt);
  expect(ticks).toHaveLength(6);
  for (const at of ticks) expect(at % (4 * 3600)).toBe(0);
});

test('what was recorded plays once and in order, however recordings overlap', () => {
  const range = { from: 100, to: 200 };
  const parts = partsOf([recording(150, 260), recording(90, 120), recording(110, 130)], range);
  expect(parts.map(({ begin, end, recording: { start } }) => [start, begin, end])).toEqual([
    [90, 10, 30],
    [110, 10, 20],
    [150, 0, 50],
  ]);
  expect(secondsOf(parts)).toBe(80);
  const spans = fc.array(fc.tuple(fc.nat(300), fc.nat(100)), { maxLength: 20 });
  fc.assert(
    fc.property(spans, (all) => {
      const played = partsOf(
        all.map(([start, length], at) => recording(start, start + length, String(at))),
        range,
      );
      const times = played.map(({ recording: { start }, begin, end }) => [start + begin, start + end]);
      for (const [at, [begin = 0, end = 0]] of times.entries()) {
        expect(begin).toBeLessThan(end);
        expect(begin).toBeGreaterThanOrEqual(times[at - 1]?.[1] ?? range.from);
        expect(end).toBeLessThanOrEqual(range.to);
      }
    }),
  );
});

test('a publisher that is still there has not gone', () => {
  const events = eventsOf(
    [
      { start: 100, clientIp: '192.0.2.1' },
      { start: 10, end: 50, duration: 40, clientIp: '192.0.2.2' },
    ],
    [recording(10, 49)],
  );
  expect(events.map(({ kind, at }) => `${kind} ${at}`)).toEqual([
    'connected 100',
    'gone 50',
    'recorded 49',
    'connected 10',
  ]);
});

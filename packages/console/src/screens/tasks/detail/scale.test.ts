import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placeOf, scaleOf, ticksOf } from './scale.ts';

const at = (seconds: number) => new Date(1_790_000_000_000 + seconds * 1000).toISOString();

describe('the axis of a timeline', () => {
  test('begins with the submission, if the wait was short', () => {
    const scale = scaleOf({ creationDate: at(0), begun: at(2), finishDate: at(20), code: 0, items: [] }, 0);
    expect(scale).toEqual({ from: Date.parse(at(0)), to: Date.parse(at(20)), isCut: false });
  });

  test('begins shortly before the work, if the wait was longer', () => {
    const scale = scaleOf(
      { creationDate: at(0), begun: at(7200), finishDate: at(7210), code: 3, items: [] },
      0,
    );
    expect(scale.isCut).toBe(true);
    expect(placeOf(scale, Date.parse(at(7200)))).toBeLessThan(0.1);
  });

  test('ends now, while the task runs', () => {
    const now = Date.parse(at(30));
    expect(scaleOf({ creationDate: at(0), begun: at(1), code: 2, items: [] }, now).to).toBe(now);
  });

  test('knows the begin of old tasks from their items', () => {
    const items = [{ begun: at(5), ended: at(6) }, {}];
    expect(scaleOf({ creationDate: at(4), finishDate: at(9), code: 0, items }, 0).from).toBe(
      Date.parse(at(4)),
    );
  });

  test('has few ticks, all of them on it', () => {
    const [begin, length, count] = [
      fc.integer({ min: 0, max: 1e12 }),
      fc.integer({ min: 10, max: 1e10 }),
      fc.integer({ min: 1, max: 12 }),
    ];
    fc.assert(
      fc.property(begin, length, count, (from, span, most) => {
        const scale = { from, to: from + span, isCut: false };
        const { at: ticks } = ticksOf(scale, most);
        expect(ticks.length).toBeLessThanOrEqual(most);
        for (const tick of ticks) expect(tick >= scale.from && tick <= scale.to).toBe(true);
      }),
    );
  });
});

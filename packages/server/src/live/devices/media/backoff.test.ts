import { describe, expect, test } from 'vitest';
import { failuresAfter, waitMs } from './media-sessions.ts';

describe('a channel whose media ended', () => {
  test('is asked again soon, then less and less often, but never less than once a minute or so', () => {
    const waits = [1, 2, 3, 4, 7, 1000].map((failures) => waitMs(failures, { isHopeless: false }, 0.5));
    expect(waits).toEqual([1000, 2000, 4000, 8000, 60_000, 60_000]);
    expect(waitMs(1, { isHopeless: false }, 0)).toBe(800);
    expect(waitMs(1, { isHopeless: false }, 1)).toBeCloseTo(1200);
  });

  test('begins anew where it was seen for long, and waits long where nothing will change', () => {
    expect(failuresAfter(5, { seenMs: 29_999, isHopeless: false })).toBe(6);
    expect(failuresAfter(5, { seenMs: 30_000, isHopeless: false })).toBe(1);
    expect(waitMs(1, { isHopeless: true }, 0.5)).toBe(600_000);
  });
});

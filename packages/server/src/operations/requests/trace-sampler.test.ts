/** Which requests are kept. */
import { describe, expect, test } from 'vitest';
import { TraceSampler } from './trace-sampler.ts';

function chosen(which: 'refused' | 'all') {
  const clock = { at: 0 };
  const choice = new TraceSampler(which, () => clock.at);
  const kept = (count: number, ...[status, ms, isProven]: Parameters<TraceSampler['keeps']>) =>
    Array.from({ length: count }, () => choice.keeps(status, ms, isProven)).filter(Boolean).length;
  return { clock, choice, kept };
}

describe('kept are', () => {
  test('refused, failed and slow requests, and one in a hundred of the others', () => {
    const { kept } = chosen('refused');
    expect([kept(10, 401, 1, true), kept(10, 599, 1, true), kept(10, 200, 1001, true)]).toEqual([10, 10, 10]);
    expect(kept(1000, 200, 1, true)).toBe(10);
  });

  test('all, where all are asked for', () => {
    expect(chosen('all').kept(100_000, 200, 1, false)).toBe(100_000);
  });

  test('no more than so many, however many are refused; what strangers send takes nothing from accounts', () => {
    const { clock, choice, kept } = chosen('refused');
    expect(kept(10_000, 404, 1, false)).toBe(200);
    expect(kept(500, 401, 1, true)).toBe(500);
    expect(choice.tooMany).toBe(9_800);
    clock.at = 10_000;
    expect(kept(10_000, 404, 1, false)).toBe(50);
    expect(kept(10_000, 404, 1, true)).toBe(1000);
  });
});

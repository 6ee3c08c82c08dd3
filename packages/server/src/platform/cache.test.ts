import { describe, expect, test } from 'vitest';
import { BriefCache } from './cache.ts';

function setUp(options: { entries?: number } = {}) {
  const state = { now: 0, loads: 0, away: false, value: 'first' as string | undefined };
  const cache = new BriefCache<string>({
    load: async () => {
      state.loads++;
      const value = state.value;
      await Promise.resolve();
      if (state.away) throw new Error('away');
      return value;
    },
    freshMs: 5_000,
    staleMs: 600_000,
    entries: options.entries ?? 100,
    now: () => state.now,
  });
  return { state, cache };
}

describe('a brief cache', () => {
  test('asks once for many at the same time, and again after its time', async () => {
    const { state, cache } = setUp();
    await Promise.all(Array.from({ length: 50 }, () => cache.get('k')));
    expect(state.loads).toBe(1);
    state.now = 4_999;
    await cache.get('k');
    expect(state.loads).toBe(1);
    state.now = 5_000;
    state.value = 'second';
    expect(await cache.get('k')).toBe('second');
  });

  test('remembers that there is none', async () => {
    const { state, cache } = setUp();
    state.value = undefined;
    await cache.get('k');
    await cache.get('k');
    expect(state.loads).toBe(1);
  });

  test('serves on while its source is away, but not for ever', async () => {
    const { state, cache } = setUp();
    await cache.get('k');
    state.away = true;
    state.now = 599_999;
    expect(await cache.get('k')).toBe('first');
    state.now = 600_000;
    await expect(cache.get('k')).rejects.toThrow('away');
  });

  test('a lookup that began before a change does not bring the old value back', async () => {
    const { state, cache } = setUp();
    const before = cache.get('k');
    state.value = 'second';
    cache.forget('k');
    await before;
    expect(await cache.get('k')).toBe('second');
  });

  test('is bounded', async () => {
    const { state, cache } = setUp({ entries: 2 });
    for (const key of ['a', 'b', 'c']) await cache.get(key);
    expect(state.loads).toBe(3);
    await cache.get('c');
    expect(state.loads).toBe(3);
    await cache.get('a');
    expect(state.loads).toBe(4);
  });
});

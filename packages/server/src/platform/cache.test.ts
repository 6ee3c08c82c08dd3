import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Fault } from '@millpond/protocol';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { StaleIfErrorCache } from './cache.ts';

function setUp(options: { entries?: number } = {}) {
  const state = {
    now: 0,
    loads: 0,
    away: false,
    silent: false,
    value: 'first' as string | undefined,
    refusal: undefined as Fault | undefined,
  };
  const cache = new StaleIfErrorCache<string>({
    load: async () => {
      state.loads++;
      const value = state.value;
      await Promise.resolve();
      if (state.refusal !== undefined) throw state.refusal;
      if (state.away) throw new Fault('serverFailure', { detail: 'away' });
      if (state.silent) await new Promise(() => {});
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

  test('asks anew for what must be there by now, once for all who ask at the same time', async () => {
    const { state, cache } = setUp();
    state.value = undefined;
    expect(await cache.get('k')).toBeUndefined();
    state.now = 1;
    state.value = 'second';
    expect(await cache.get('k')).toBeUndefined();
    const all = await Promise.all(Array.from({ length: 50 }, () => cache.getNew('k')));
    expect([new Set(all), state.loads]).toEqual([new Set(['second']), 2]);
    expect(await cache.get('k')).toBe('second');
  });

  test('a lookup that began before is no answer to who asks anew', async () => {
    const { state, cache } = setUp();
    const early = cache.get('k');
    state.now = 1;
    state.value = 'second';
    const [one, other] = [cache.getNew('k'), cache.getNew('k')];
    expect(await Promise.all([early, one, other])).toEqual(['first', 'second', 'second']);
    expect(state.loads).toBe(2);
  });

  test('who asks anew has the last answer while the source is away', async () => {
    const { state, cache } = setUp();
    await cache.get('k');
    state.away = true;
    state.now = 10_000;
    expect([await cache.getNew('k'), await cache.getNew('k')]).toEqual(['first', 'first']);
    expect(state.loads).toBe(2);
    state.now = 600_000;
    await expect(cache.getNew('k')).rejects.toThrow('away');
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

  test('a source that failed is left alone for a second, then asked while nobody waits', async () => {
    const { state, cache } = setUp();
    await cache.get('k');
    state.away = true;
    state.now = 10_000;
    for (let i = 0; i < 5; i++) expect(await cache.get('k')).toBe('first');
    expect(state.loads).toBe(2);
    state.away = false;
    state.value = 'second';
    state.now = 11_000;
    expect(await cache.get('k')).toBe('first');
    await expect.poll(() => cache.get('k')).toBe('second');
    expect(state.loads).toBe(3);
  });

  test('a key that its source refuses says nothing about the others', async () => {
    const { state, cache } = setUp();
    await cache.get('k');
    state.now = 10_000;
    state.value = undefined;
    for (const name of ['invalidArgument', 'serverFailure'] as const) {
      state.refusal = new Fault(name, { cause: { code: '22021' } });
      await expect(cache.get('a\0')).rejects.toThrow(name);
    }
    state.refusal = undefined;
    expect(await cache.get('k')).toBeUndefined();
  });

  test('after that a doubt is over: an old answer is asked for again before it is given', async () => {
    const { state, cache } = setUp();
    await cache.get('k');
    state.away = true;
    state.now = 10_000;
    await cache.get('k');
    state.away = false;
    state.value = 'second';
    state.now = 20_000;
    expect(await cache.get('k')).toBe('second');
  });

  test('a source that is silent costs one wait, and then none, for all keys', async () => {
    const { state, cache } = setUp();
    for (const key of ['k', 'l', 'm']) await cache.get(key);
    state.silent = true;
    state.now = 10_000;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const waiting = cache.get('k');
    await vi.advanceTimersByTimeAsync(1_999);
    expect(await Promise.race([waiting, Promise.resolve('waits')])).toBe('waits');
    await vi.advanceTimersByTimeAsync(1);
    expect(await waiting).toBe('first');
    state.now = 12_000;
    // The clock stands still now: whoever waits for it waits for ever.
    for (const key of ['k', 'l', 'm']) expect(await cache.get(key)).toBe('first');
  });

  test('an answer is as old as its lookup', async () => {
    const { state, cache } = setUp();
    const slow = cache.get('k');
    state.now = 4_000;
    await slow;
    state.value = 'second';
    state.now = 5_000;
    expect(await cache.get('k')).toBe('second');
  });

  test('a lookup that began before a change does not bring the old value back', async () => {
    const { state, cache } = setUp();
    const before = cache.get('k');
    state.value = 'second';
    cache.forget('k');
    await before;
    expect(await cache.get('k')).toBe('second');
  });

  test('does not hold on to what its keys were cut from', async () => {
    const cache = new StaleIfErrorCache<string>({
      load: async () => undefined,
      freshMs: 1000,
      staleMs: 1000,
      entries: 1000,
    });
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let n = 0; n < 100; n++) {
      // A token whose access key is its first part.
      const token = Buffer.alloc(1024 * 1024, `${n}`.padStart(40, 'k')).toString('latin1');
      await cache.get(token.slice(0, 40));
    }
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20 * 1024 * 1024);
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

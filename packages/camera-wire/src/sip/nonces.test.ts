import { describe, expect, test } from 'vitest';
import { Nonces } from './nonces.ts';

describe('a nonce', () => {
  const at = { now: 1000 };
  const nonces = new Nonces({ lifeMs: 60_000, now: () => at.now });

  test('is good for the address that it was made for, for a while', () => {
    const nonce = nonces.make('10.0.0.1');
    expect(nonces.isFresh(nonce, '10.0.0.1')).toBe(true);
    expect(nonces.isFresh(nonce, '10.0.0.2')).toBe(false);
    at.now += 60_001;
    expect(nonces.isFresh(nonce, '10.0.0.1')).toBe(false);
  });

  test('of nobody, changed, or of another process is none', () => {
    const nonce = nonces.make('10.0.0.1');
    const other = new Nonces({ lifeMs: 60_000, now: () => at.now });
    expect(other.isFresh(nonce, '10.0.0.1')).toBe(false);
    for (const bad of ['', 'x', nonce.slice(1), `1${nonce}`, `${nonce}0`, nonce.toUpperCase()])
      expect(nonces.isFresh(bad, '10.0.0.1')).toBe(false);
  });

  test('is good once, or with a count that grows', () => {
    const [plain, counted] = [nonces.make('a'), nonces.make('a')];
    expect(plain).not.toBe(counted);
    expect([nonces.use(plain, undefined), nonces.use(plain, undefined)]).toEqual([true, false]);
    const counts = ['00000001', '00000002', '00000002', '00000001', '0000000a'];
    expect(counts.map((nc) => nonces.use(counted, nc))).toEqual([true, true, false, false, true]);
    expect(nonces.use(counted, undefined)).toBe(true);
    expect(nonces.use(counted, 'ffffffff')).toBe(false);
  });
});

import { describe, expect, test } from 'vitest';
import { AccountShares, type ShareClaim } from './account-shares.ts';

const [LARGE, SMALL] = [1n, 2n];

function of(tenant: bigint, state: ShareClaim['state'], count: number): ShareClaim[] {
  return Array.from({ length: count }, () => ({ tenant, state }));
}

/** How many of so many tries a tenant gets. */
function taken(accountShares: AccountShares, tenant: bigint, tries: number): number {
  return Array.from({ length: tries }, () => accountShares.claim(tenant)).filter(
    (outcome) => outcome === 'taken',
  ).length;
}

describe('media sessions', () => {
  test('are all for a tenant that is alone', () => {
    const accountShares = new AccountShares(8, of(LARGE, 'waits', 20));
    expect(taken(accountShares, LARGE, 20)).toBe(8);
    expect(accountShares.claim(LARGE)).toBe('all in use');
  });

  test('that become free go to those with less than their share, whoever asks first', () => {
    // The large one had all eight, and one of them has just ended.
    const all = [...of(LARGE, 'holds', 7), ...of(LARGE, 'waits', 20), ...of(SMALL, 'waits', 2)];
    const accountShares = new AccountShares(8, all);
    expect(accountShares.claim(LARGE)).toBe('kept for others');
    expect(accountShares.claim(SMALL)).toBe('taken');
    expect(accountShares.claim(SMALL)).toBe('all in use');
  });

  test('are shared out where several ask at once', () => {
    const accountShares = new AccountShares(8, [...of(LARGE, 'waits', 20), ...of(SMALL, 'waits', 20)]);
    expect(taken(accountShares, LARGE, 20)).toBe(4);
    expect(taken(accountShares, SMALL, 20)).toBe(4);
  });

  test('are kept for others only as far as they wait for them', () => {
    const accountShares = new AccountShares(8, [
      ...of(LARGE, 'waits', 20),
      ...of(SMALL, 'holds', 1),
      ...of(SMALL, 'waits', 1),
    ]);
    expect(taken(accountShares, LARGE, 20)).toBe(6);
    expect(accountShares.claim(SMALL)).toBe('taken');
    // Those that have all they want, or want nothing, keep nothing from anybody.
    const met = new AccountShares(8, [
      ...of(LARGE, 'waits', 20),
      ...of(SMALL, 'holds', 1),
      ...of(3n, 'idle', 5),
    ]);
    expect(taken(met, LARGE, 20)).toBe(7);
  });
});

import { expect, test } from 'vitest';
import { Tenants } from './tenants.ts';

const row = (uid: bigint, parent_uid: bigint) => ({
  uid,
  parent_uid,
  email: 'a@example.com',
  is_disabled: false,
  is_operator: false,
});

test('a child counts as its parent, any other account as itself; each is looked up once', async () => {
  const asked: bigint[] = [];
  const tenants = new Tenants({
    byUid: async (uid) => {
      asked.push(uid);
      return uid === 2n ? row(2n, 1n) : uid === 1n ? row(1n, 0n) : undefined;
    },
  });
  expect(tenants.turnOf(2n)).toBe('2');
  for (const _ of [1, 2])
    expect([await tenants.of(1n), await tenants.of(2n), await tenants.of(3n)]).toEqual([1n, 1n, 3n]);
  expect(asked).toEqual([1n, 2n, 3n]);
  expect(tenants.turnOf(2n)).toBe('1');
  tenants.note({ uid: 4n, parentUid: 1n });
  expect(await tenants.of(4n)).toBe(1n);
  expect(asked).toEqual([1n, 2n, 3n]);
});

test('while the control database is away or silent, nobody waits for it, and nothing wrong is remembered', async () => {
  let asked = 0;
  const tenants = new Tenants({
    byUid: () => {
      asked++;
      return asked === 1 ? Promise.reject(new Error('away')) : new Promise(() => undefined);
    },
  });
  expect(await tenants.of(2n)).toBe(2n);
  expect(await tenants.of(3n)).toBe(3n);
  expect(asked).toBe(1);
  tenants.note({ uid: 2n, parentUid: 1n });
  expect(await tenants.of(2n)).toBe(1n);
  const silent = new Tenants({ byUid: () => new Promise(() => undefined) });
  expect(await silent.of(2n)).toBe(2n);
});

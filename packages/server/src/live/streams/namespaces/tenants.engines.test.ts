import { expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { parseCreate } from '../../../platform/web/resources/index.ts';
import { newLiveId } from '../ids.ts';
import { NamespaceStore } from './namespace.store.ts';
import { namespaceFields } from './namespace-fields.ts';
import { type NamespaceDeps, Namespaces } from './namespaces.ts';

const databases = useDatabases();

test('a namespace whose tenant could not be looked up, or that an older server made, gets it later', async () => {
  const store = new NamespaceStore(databases.region);
  const add = async (uid: bigint, tenant: bigint | undefined) => {
    const id = newLiveId();
    await store.insert(id, { uid, tenant }, parseCreate(namespaceFields, { name: id }), 10);
    return id;
  };
  const ids = [await add(11n, undefined), await add(12n, undefined), await add(13n, 7n)];
  let isAway = true;
  const tenants = { find: async (uid: bigint) => (isAway ? undefined : uid === 11n ? 1n : uid) };
  const namespaces = new Namespaces({ store, tenants } as unknown as NamespaceDeps);
  expect(await namespaces.settleTenants()).toBe(0);
  isAway = false;
  expect(await namespaces.settleTenants()).toBe(2);
  expect(await namespaces.settleTenants()).toBe(0);
  const { rows } = await databases.region.pool.query(
    'SELECT tenant FROM region.live_namespaces WHERE ns_id = ANY ($1) ORDER BY uid',
    [ids],
  );
  expect(rows.map(({ tenant }) => BigInt(tenant))).toEqual([1n, 12n, 7n]);
});

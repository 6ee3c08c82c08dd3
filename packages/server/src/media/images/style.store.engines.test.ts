import { expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import { openTransaction, slowInserts, untilWaiting } from '../../../test/locks.ts';
import { StyleStore } from './style.store.ts';

const databases = useDatabases();

test('a bucket has as many styles as it may, also when many are asked for at once', async () => {
  const store = new StyleStore(databases.region);
  await slowInserts(databases.region, 'region.picture_styles');
  const put = (_: unknown, n: number) => store.putStyle(1n, `s${n}`, 'imageView2/1/w/9', 2);
  const added = await Promise.all(Array.from({ length: 6 }, put));
  expect(added.filter((isAdded) => isAdded)).toHaveLength(2);
  expect((await store.rules(1n)).styles).toHaveLength(2);
});

test('two who change different rules at the same time both find theirs changed', async () => {
  const store = new StyleStore(databases.region);
  const first = { separator: '-', allowed: 'all' } as const;
  const holding = await openTransaction(databases.region);
  await store.putRules(2n, { separator: undefined, allowed: undefined }, first);
  await holding.query('SELECT FROM region.picture_rules WHERE bucket_id = 2 FOR UPDATE');
  const changes = [
    store.putRules(2n, { separator: undefined, allowed: 'signed' }, first),
    store.putRules(2n, { separator: '!', allowed: undefined }, first),
  ];
  await untilWaiting(databases.region, 2);
  await holding.query('COMMIT');
  await Promise.all(changes);
  expect(await store.rules(2n)).toMatchObject({ separator: '!', allowed: 'signed' });
  await holding.end();
});

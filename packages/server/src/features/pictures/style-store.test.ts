import { expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import { slowInserts } from '../../../test/locks.ts';
import { StyleStore } from './style-store.ts';

const databases = useDatabases();

test('a bucket has as many styles as it may, also when many are asked for at once', async () => {
  const store = new StyleStore(databases.region);
  await slowInserts(databases.region, 'region.picture_styles');
  const put = (_: unknown, n: number) => store.putStyle(1n, `s${n}`, 'imageView2/1/w/9', 2);
  const added = await Promise.all(Array.from({ length: 6 }, put));
  expect(added.filter((isAdded) => isAdded)).toHaveLength(2);
  expect((await store.rules(1n)).styles).toHaveLength(2);
});

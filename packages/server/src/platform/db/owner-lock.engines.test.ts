import { expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import { untilWaiting } from '../../../test/locks.ts';
import { statement } from './database.ts';
import { queryWithOwnerLock } from './owner-lock.ts';

const databases = useDatabases();
const add = statement(
  'test-add',
  `INSERT INTO region.pipelines (uid, name, concurrency)
   SELECT $1, $2, 1 WHERE (SELECT count(*) FROM region.pipelines WHERE uid = $1) < 1 RETURNING name`,
);

test('whoever adds for an owner waits for the one before, and counts what that added; other owners don’t wait', async () => {
  const { region } = databases;
  const addFor = (uid: bigint, name: string) =>
    region.transaction((transaction) => queryWithOwnerLock(transaction, uid, add, [uid, name]));
  let second: Promise<object[]> | undefined;
  await region.transaction(async (first) => {
    expect(await queryWithOwnerLock(first, 1n, add, [1n, 'first'])).toEqual([{ name: 'first' }]);
    second = addFor(1n, 'second');
    await untilWaiting(region, 1);
    expect(await addFor(2n, 'other')).toEqual([{ name: 'other' }]);
  });
  expect(await second).toEqual([]);
});

test('one who gives up lets the next one in', async () => {
  const { region } = databases;
  const failing = region.transaction(async (transaction) => {
    await queryWithOwnerLock(transaction, 3n, add, [3n, 'first']);
    throw new Error('change of mind');
  });
  await expect(failing).rejects.toThrow('change of mind');
  const added = await region.transaction((transaction) =>
    queryWithOwnerLock(transaction, 3n, add, [3n, 'second']),
  );
  expect(added).toEqual([{ name: 'second' }]);
});

import { formatEntry } from '@millpond/protocol';
import { expect, test } from 'vitest';
import { expectContent, expectNothing, expectRefusal, recordOf } from '../support/expectations.ts';
import {
  callOperation,
  condition,
  expectDone,
  expectEntryFaults,
  put,
} from '../support/objects/operations.ts';
import { newKey, useRegion } from '../support/receivers/callbacks.ts';
import { newBucket, stat } from '../support/target.ts';

const region = useRegion();
const DAY_SECONDS = 86_400;
/** Every age of the path, and what stat shows for it. */
const AGES = {
  toIAAfterDays: 'transitionToIA',
  toArchiveAfterDays: 'transitionToARCHIVE',
  toDeepArchiveAfterDays: 'transitionToDeepArchive',
  deleteAfterDays: 'expiration',
} as const;

const setAges = (bucket: string, key: string, ages: string) =>
  callOperation(`/lifecycle/${formatEntry(bucket, key)}${ages}`);

/** Whole days from today on, as stat shows them; they count to the midnight after. */
async function shownDays(bucket: string, key: string): Promise<Record<string, number>> {
  const record: Record<string, unknown> = { ...(await recordOf(bucket, key)) };
  const midnight = Math.ceil(Date.now() / 1000 / DAY_SECONDS);
  const days = (shown: string) => Number(record[shown]) / DAY_SECONDS - midnight;
  return Object.fromEntries(
    Object.entries(AGES)
      .filter(([, shown]) => shown in record)
      .map(([age, shown]) => [age, days(shown)]),
  );
}

test('sets the ages that are given; -1 cancels one, 0 leaves it [lifecycle-01]', async () => {
  const bucket = await newBucket();
  await put(bucket, 'k', 'content');
  const { putTime } = await recordOf(bucket, 'k');
  await expectDone(
    await setAges(
      bucket,
      'k',
      '/toIAAfterDays/10/toArchiveIRAfterDays/0/toArchiveAfterDays/20/toDeepArchiveAfterDays/30/deleteAfterDays/40',
    ),
  );
  const all = { toIAAfterDays: 10, toArchiveAfterDays: 20, toDeepArchiveAfterDays: 30, deleteAfterDays: 40 };
  expect(await shownDays(bucket, 'k')).toEqual(all);
  await expectDone(await setAges(bucket, 'k', '/toIAAfterDays/0/toArchiveAfterDays/-1/deleteAfterDays/50'));
  const { toArchiveAfterDays: _, ...rest } = all;
  expect(await shownDays(bucket, 'k')).toEqual({ ...rest, deleteAfterDays: 50 });
  const none = Object.keys(AGES).map((age) => `/${age}/-1`);
  await expectDone(await setAges(bucket, 'k', `${none.join('')}/toArchiveIRAfterDays/-1`));
  expect(await shownDays(bucket, 'k')).toEqual({});
  expect((await recordOf(bucket, 'k')).putTime).toBe(putTime);
});

test('when an age is reached the class changes, and at the last the object goes [lifecycle-01]', async () => {
  const [bucket, key] = [await newBucket(), newKey()];
  await put(bucket, key, 'content');
  await setAges(
    bucket,
    key,
    '/toIAAfterDays/10/toArchiveAfterDays/20/toDeepArchiveAfterDays/30/deleteAfterDays/40',
  );
  const classOf = async () => ((await (await stat(bucket, key)).json()) as { type?: number }).type;
  for (const storageClass of [1, 2, 3]) {
    await region.database.passDays(key, storageClass === 1 ? 11 : 10);
    await expect.poll(classOf, { interval: 250 }).toBe(storageClass);
    expect(Object.keys(await shownDays(bucket, key))).toEqual(Object.keys(AGES).slice(storageClass));
    if (storageClass === 1) await expectContent(bucket, key, 'content');
  }
  await region.database.passDays(key, 10);
  await expect.poll(async () => (await stat(bucket, key)).status, { interval: 250 }).toBe(612);
  await expectNothing(bucket, key);
});

test('new content begins without a lifecycle [lifecycle-01]', async () => {
  const bucket = await newBucket();
  await put(bucket, 'k', 'content');
  await setAges(bucket, 'k', '/toIAAfterDays/10/toArchiveAfterDays/20');
  await put(bucket, 'k', 'new content');
  expect(await shownDays(bucket, 'k')).toEqual({});
});

test('under a condition that does not hold it answers 613 and sets nothing [lifecycle-01]', async () => {
  const bucket = await newBucket();
  await put(bucket, 'k', 'content');
  const { hash, putTime } = await recordOf(bucket, 'k');
  const path = '/toIAAfterDays/10/cond/';
  for (const cond of ['hash=other', 'fsize=8', `putTime=${putTime + 1n}`, `hash=${hash}&mime=text/other`])
    await expectRefusal(await setAges(bucket, 'k', path + condition(cond)), 613, 'cond not match');
  expect(await shownDays(bucket, 'k')).toEqual({});
  await expectDone(await setAges(bucket, 'k', path + condition(`hash=${hash}&putTime=${putTime}`)));
  expect(await shownDays(bucket, 'k')).toEqual({ toIAAfterDays: 10 });
});

test.each([
  '',
  '/toIAAfterDays',
  '/toIAAfterDays/x',
  '/toIAAfterDays/-2',
  '/toIAAfterDays/36501',
  '/toIAAfterDays/1/toIAAfterDays/2',
  '/toSomewhereAfterDays/1',
  '/toArchiveIRAfterDays/1',
  '/cond/aGFzaD14',
])('the ages %j answer 400 [lifecycle-01]', async (ages) => {
  const bucket = await newBucket();
  await put(bucket, 'k', 'content');
  await expectRefusal(await setAges(bucket, 'k', ages), 400, 'invalid argument');
  expect(await shownDays(bucket, 'k')).toEqual({});
});

test('what is not there, and what is somebody else’s, are answered like everywhere [lifecycle-01 G47]', async () => {
  const bucket = await newBucket();
  await put(bucket, 'k', 'content');
  await expectEntryFaults((entry) => `/lifecycle/${entry}/toIAAfterDays/1`, bucket);
  expect(await shownDays(bucket, 'k')).toEqual({});
});

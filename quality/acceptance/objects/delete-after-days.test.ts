import { formatEntry } from '@millpond/protocol';
import { expect, test } from 'vitest';
import { expectContent, expectNothing, expectRefusal, recordOf } from '../support/expectations.ts';
import { callOperation, expectDone, expectEntryFaults, put } from '../support/objects/operations.ts';
import { newKey, useRegion } from '../support/receivers/callbacks.ts';
import { newBucket, stat } from '../support/target.ts';

const region = useRegion();
const DAY_SECONDS = 86_400;
const setDays = (bucket: string, key: string, days: number | string) =>
  callOperation(`/deleteAfterDays/${formatEntry(bucket, key)}/${days}`);

test('sets the day of removal, which stat shows as the midnight after so many days; 0 cancels [expire-01]', async () => {
  const bucket = await newBucket();
  await put(bucket, 'k', 'content');
  const before = await recordOf(bucket, 'k');
  for (const days of [3, 1, 36_500]) {
    const earliest = Date.now() / 1000 + days * DAY_SECONDS;
    await expectDone(await setDays(bucket, 'k', days));
    const { expiration, ...rest } = (await recordOf(bucket, 'k')) as typeof before & { expiration: number };
    expect(rest).toEqual(before);
    expect(expiration % DAY_SECONDS).toBe(0);
    expect(expiration).toBeGreaterThanOrEqual(earliest);
    expect(expiration).toBeLessThan(Date.now() / 1000 + (days + 1) * DAY_SECONDS);
  }
  await expectDone(await setDays(bucket, 'k', 0));
  expect(await recordOf(bucket, 'k')).toEqual(before);
});

test('the object is gone after its day; where it was cancelled it stays [expire-01]', async () => {
  const [bucket, due, cancelled, later] = [await newBucket(), newKey(), newKey(), newKey()];
  for (const key of [due, cancelled, later]) {
    await put(bucket, key, 'content');
    await setDays(bucket, key, 2);
  }
  await region.database.passDays(later, 1);
  await region.database.passDays(cancelled, 1);
  await setDays(bucket, cancelled, 0);
  await region.database.passDays(cancelled, 9);
  await region.database.passDays(due, 3);
  await expect.poll(async () => (await stat(bucket, due)).status, { interval: 250 }).toBe(612);
  await expectNothing(bucket, due);
  for (const key of [cancelled, later]) await expectContent(bucket, key, 'content');
});

test('new content has no day of removal unless its upload gives one [expire-01]', async () => {
  const bucket = await newBucket();
  await put(bucket, 'k', 'content');
  await setDays(bucket, 'k', 2);
  await put(bucket, 'k', 'new content');
  expect(await recordOf(bucket, 'k')).not.toHaveProperty('expiration');
});

test.each(['', '-1', '+1', '01', '1.0', '1e1', '36501', 'x', '%31', '1/more'])(
  'the days %j answer 400 [expire-01]',
  async (days) => {
    const bucket = await newBucket();
    await put(bucket, 'k', 'content');
    await expectRefusal(await setDays(bucket, 'k', days), 400, 'invalid argument');
    expect(await recordOf(bucket, 'k')).not.toHaveProperty('expiration');
  },
);

test('what is not there, and what is somebody else’s, are answered like everywhere [expire-01 G47]', async () => {
  const bucket = await newBucket();
  await put(bucket, 'k', 'content');
  await expectEntryFaults((entry) => `/deleteAfterDays/${entry}/1`, bucket);
  expect(await recordOf(bucket, 'k')).not.toHaveProperty('expiration');
});

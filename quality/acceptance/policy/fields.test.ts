/** Fields of the policy that say something of the object, or of how fast it comes. */
import { describe, expect, test } from 'vitest';
import { expectContent, expectNothing, expectRefusal } from '../support/expectations.ts';
import { randomContent } from '../support/objects/objects.ts';
import { newKey, useRegion } from '../support/receivers/callbacks.ts';
import { newBucket, stat, upload } from '../support/target.ts';

const region = useRegion();
const DAY_SECONDS = 86_400;
const BAD_POLICY = 'invalid put policy';

const shown = async (bucket: string, key: string) =>
  (await (await stat(bucket, key)).json()) as Record<string, unknown>;

test('endUser is shown by stat, and fills its variable [policy-field-01]', async () => {
  const bucket = await newBucket();
  const policy = { scope: bucket, endUser: 'reader "7"', returnBody: '{"who":$(endUser)}' };
  const answer = await upload(policy, 'content', { key: 'k' });
  expect(await answer.json()).toEqual({ who: 'reader "7"' });
  expect(await shown(bucket, 'k')).toMatchObject({ endUser: 'reader "7"' });
  await upload({ scope: bucket }, 'content', { key: 'plain' });
  expect(await shown(bucket, 'plain')).not.toHaveProperty('endUser');
});

describe('deleteAfterDays', () => {
  test('is shown by stat as the midnight after so many days [policy-field-02]', async () => {
    const bucket = await newBucket();
    const earliest = Date.now() / 1000 + 3 * DAY_SECONDS;
    await upload({ scope: bucket, deleteAfterDays: 3 }, 'content', { key: 'k' });
    const { expiration } = (await shown(bucket, 'k')) as { expiration: number };
    expect(expiration % DAY_SECONDS).toBe(0);
    expect(expiration).toBeGreaterThanOrEqual(earliest);
    expect(expiration).toBeLessThan(Date.now() / 1000 + (3 + 1) * DAY_SECONDS);
    await upload({ scope: `${bucket}:k` }, 'new content', { key: 'k' });
    expect(await shown(bucket, 'k')).not.toHaveProperty('expiration');
  });

  test('over, the object is gone; others stay [policy-field-02]', async () => {
    const [bucket, due, later, kept] = [await newBucket(), newKey(), newKey(), newKey()];
    for (const key of [due, later]) await upload({ scope: bucket, deleteAfterDays: 2 }, 'content', { key });
    await upload({ scope: bucket }, 'content', { key: kept });
    await region.database.passDays(later, 1);
    await region.database.passDays(due, 3);
    await expect.poll(async () => (await stat(bucket, due)).status, { interval: 250 }).toBe(612);
    await expectNothing(bucket, due);
    for (const key of [later, kept]) await expectContent(bucket, key, 'content');
  });

  test.each([0, -1, 1.5, 36_501, '3'])('%j answers 400 [policy-field-02]', async (deleteAfterDays) => {
    const bucket = await newBucket();
    const answer = await upload({ scope: bucket, deleteAfterDays }, 'content', { key: 'k' });
    await expectRefusal(answer, 400, BAD_POLICY);
  });
});

describe('trafficLimit', () => {
  test.each([819_199, 838_860_801, 0, '819200'])('%j answers 400 [policy-field-03]', async (trafficLimit) => {
    const bucket = await newBucket();
    const answer = await upload({ scope: bucket, trafficLimit }, 'content', { key: 'k' });
    await expectRefusal(answer, 400, BAD_POLICY);
    await expectNothing(bucket, 'k');
  });

  test('slows the upload to its rate [policy-field-03]', async () => {
    const bucket = await newBucket();
    const content = randomContent(256 * 1024);
    const timed = async (trafficLimit: number, key: string) => {
      const begun = performance.now();
      const answer = await upload({ scope: bucket, trafficLimit }, content, { key });
      expect(answer.status, await answer.text()).toBe(200);
      return performance.now() - begun;
    };
    // 100 KiB/s make 2.56 s of 256 KiB; how much more a machine takes is its own affair.
    expect(await timed(819_200, 'slow')).toBeGreaterThan(2300);
    await timed(838_860_800, 'fast');
    for (const key of ['slow', 'fast']) await expectContent(bucket, key, content);
  });
});

test('fileType is 0 to 3, and stat shows it; 4 or a word answers 400 [policy-field-04]', async () => {
  const bucket = await newBucket();
  for (const fileType of [4, 5, -1, 1.5, '1', 'archive', true]) {
    const answer = await upload({ scope: bucket, fileType }, 'content', { key: 'k' });
    await expectRefusal(answer, 400, BAD_POLICY);
  }
  await expectNothing(bucket, 'k');
  for (const fileType of [0, 1, 2, 3]) {
    expect((await upload({ scope: bucket, fileType }, 'content', { key: `class ${fileType}` })).status).toBe(
      200,
    );
    expect(await shown(bucket, `class ${fileType}`)).toMatchObject({ type: fileType });
  }
});

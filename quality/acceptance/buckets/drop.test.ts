/** Dropping buckets: only empty ones, and in a race with uploads nothing is lost and nothing left behind. */
import { createBucket, createDeployment, signedFetch, uploadForm, uploadToken } from '@millpond/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { expectContent, expectRefusal } from '../support/expectations.ts';
import { blobsOf } from '../support/objects/blobs.ts';
import { bucketCall, bucketDo, bucketJson } from '../support/objects/buckets.ts';
import { beginUpload, putParts } from '../support/objects/multipart.ts';
import { randomContent, statTarget } from '../support/objects/objects.ts';
import { download, newBucket, stat, target, upload } from '../support/target.ts';

/** Tests that start servers of their own; on a busy machine each takes its time. */
const STARTS_SERVERS = { timeout: 600_000 };

const ROUNDS = 12;
const UPLOADERS = 6;

describe('dropping a bucket', () => {
  test('that is empty answers 200; it is gone, and its name is free [bucket-03]', async () => {
    const bucket = await newBucket();
    await upload({ scope: bucket }, 'content', { key: 'k' });
    expect((await bucketCall(statTarget(bucket, 'k').replace('/stat', '/delete'))).status).toBe(200);
    await bucketDo(`/drop/${bucket}`);
    expect(await bucketJson<string[]>('/buckets')).not.toContain(bucket);
    await expectRefusal(await stat(bucket, 'k'), 631, 'no such bucket');
    await expectRefusal(await download(bucket, 'k'), 404, 'not found');
    await expectRefusal(await upload({ scope: bucket }, 'content', { key: 'k' }), 631, 'no such bucket');
    await expectRefusal(await bucketCall(`/drop/${bucket}`), 631, 'no such bucket');
    await createBucket(target.url, target.stranger, bucket);
    const site = { url: target.url, account: target.stranger };
    expect(await bucketJson(`/list?bucket=${bucket}`, {}, site)).toEqual({ items: [] });
  });

  test('that is not empty is refused, and nothing changes [bucket-03]', async () => {
    const bucket = await newBucket();
    await upload({ scope: bucket }, 'content', { key: 'k' });
    await expectRefusal(await bucketCall(`/drop/${bucket}`), 403, 'drop non empty bucket is not allowed');
    await expectContent(bucket, 'k', 'content');
    expect((await upload({ scope: bucket }, 'more', { key: 'l' })).status).toBe(200);
    expect(await bucketJson<string[]>('/buckets')).toContain(bucket);
  });

  test('by a path of another form answers 400 and drops nothing [bucket-03]', async () => {
    const bucket = await newBucket();
    for (const path of [`/drop/${bucket}/more`, `/drop/${bucket}/`])
      await expectRefusal(await bucketCall(path), 400, 'invalid argument');
    expect(await bucketJson<string[]>('/buckets')).toContain(bucket);
  });

  test('gives up its unfinished uploads, with their bytes [bucket-03]', STARTS_SERVERS, async () => {
    const deployment = await createDeployment({ store: target.store });
    onTestFinished(() => deployment.destroy());
    const account = await deployment.createAccount(undefined, 'unfinished');
    const { url } = await deployment.start();
    const begun = await beginUpload('unfinished', { key: 'k', site: { url, account } });
    await putParts(begun, [randomContent(1024 * 1024), 'small']);
    await bucketDo('/drop/unfinished', {}, { url, account });
    const complete = await begun.complete([]);
    expect(complete.status).toBeGreaterThanOrEqual(400);
    await deployment.run('sweep', '--everything');
    const { whole, unfinished } = await blobsOf(deployment);
    expect([...whole, ...unfinished]).toEqual([]);
  });
});

/** One gateway drops while uploads run through it and through another. */
test('an upload against a drop: what was acknowledged is kept, and a dropped bucket holds nothing [bucket-03]', async () => {
  const deployment = await createDeployment({ store: target.store });
  onTestFinished(() => deployment.destroy());
  const account = await deployment.createAccount();
  const gateways = [await deployment.start(), await deployment.start()];
  const at = (index: number) => gateways[index % gateways.length]?.url ?? '';
  const outcomes = { dropped: 0, kept: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const bucket = `race-${round}`;
    await createBucket(at(0), account, bucket);
    const put = async (index: number) => {
      const token = uploadToken(account, { scope: bucket });
      const answer = await uploadForm(at(index), `content ${index}`, { token, key: `k${index}` });
      await answer.text();
      return { index, status: answer.status };
    };
    // The first rounds drop before, the later ones after the uploads have begun.
    const uploads = Array.from({ length: UPLOADERS }, (_, index) =>
      new Promise((resolve) => setTimeout(resolve, round % 2 === 0 ? 2 * round : 0)).then(() => put(index)),
    );
    const [drop, ...results] = await Promise.all([
      bucketCall(`/drop/${bucket}`, {}, { url: at(round), account }),
      ...uploads,
    ]);
    const kept = results.filter(({ status }) => status === 200);
    for (const { status } of results) expect([200, 631]).toContain(status);
    if (drop.status === 200) {
      outcomes.dropped++;
      expect(kept, 'acknowledged, and dropped with the bucket').toEqual([]);
      expect((await signedFetch(at(round), account, `/list?bucket=${bucket}`)).status).toBe(631);
      continue;
    }
    outcomes.kept++;
    expect(drop.status).toBe(403);
    for (const { index } of kept) {
      const answer = await fetch(`${at(1)}/${bucket}/k${index}`);
      expect([answer.status, await answer.text()]).toEqual([200, `content ${index}`]);
    }
    const after = await put(UPLOADERS);
    expect(after.status, 'the bucket is open again').toBe(200);
  }
  expect(outcomes.dropped + outcomes.kept).toBe(ROUNDS);
});

import { randomBytes } from 'node:crypto';
import { formatEntry } from '@millpond/protocol';
import { signedFetch } from '@millpond/testing';
import { expect, test } from 'vitest';
import {
  expectContent,
  expectNothing,
  expectRefusal,
  expectStored,
  recordOf,
} from '../support/expectations.ts';
import { newBucket, target, upload } from '../support/target.ts';

const { url, account, stranger } = target;
const remove = (entry: string, keys = account) => signedFetch(url, keys, `/delete/${entry}`);

test('delete answers 200, empty; stat then answers 612 and GET 404 [delete-01]', async () => {
  const bucket = await newBucket();
  await upload({ scope: bucket }, 'content', { key: 'k' });
  await upload({ scope: bucket }, 'content', { key: 'neighbour' });
  const answer = await remove(formatEntry(bucket, 'k'));
  expect([answer.status, await answer.text()]).toEqual([200, '']);
  expect(answer.headers.get('content-type')).toBe('application/json');
  await expectNothing(bucket, 'k');
  await expectContent(bucket, 'neighbour', 'content');
});

test('delete of a missing key answers 612 [delete-02]', async () => {
  const bucket = await newBucket();
  await expectRefusal(await remove(formatEntry(bucket, 'k')), 612, 'no such file or directory');
  await upload({ scope: bucket }, 'content', { key: 'k' });
  expect((await remove(formatEntry(bucket, 'k'))).status).toBe(200);
  await expectRefusal(await remove(formatEntry(bucket, 'k')), 612, 'no such file or directory');
});

test('of racing deletes one answers 200, the others 612 [delete-02]', async () => {
  const bucket = await newBucket();
  await upload({ scope: bucket }, 'content', { key: 'k' });
  const answers = await Promise.all(Array.from({ length: 6 }, () => remove(formatEntry(bucket, 'k'))));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 612, 612, 612, 612, 612]);
});

test('a bucket alone answers 400, somebody else’s bucket like a missing one, and nothing is deleted [delete-01]', async () => {
  const bucket = await newBucket();
  await upload({ scope: bucket }, 'content', { key: 'k' });
  await expectRefusal(await remove(formatEntry(bucket)), 400, 'invalid argument');
  const foreign = await remove(formatEntry(bucket, 'k'), stranger);
  const missing = await remove(formatEntry(`no-${randomBytes(6).toString('hex')}`, 'k'), stranger);
  expect([foreign.status, await foreign.text()]).toEqual([631, '{"error":"no such bucket"}']);
  expect([missing.status, await missing.text()]).toEqual([631, '{"error":"no such bucket"}']);
  await expectRefusal(
    await remove(formatEntry(bucket, 'k'), { ...account, secretKey: 'wrong' }),
    401,
    'bad token',
  );
  await expectContent(bucket, 'k', 'content');
});

test('a deleted key takes different content under scope <bucket>, with a greater putTime [delete-03]', async () => {
  const bucket = await newBucket();
  let last = 0n;
  for (const content of ['first', 'second', 'second']) {
    await expectStored(await upload({ scope: bucket }, content, { key: 'k' }), bucket, 'k', content);
    const { putTime } = await recordOf(bucket, 'k');
    expect(putTime).toBeGreaterThan(last);
    last = putTime;
    expect((await remove(formatEntry(bucket, 'k'))).status).toBe(200);
  }
});

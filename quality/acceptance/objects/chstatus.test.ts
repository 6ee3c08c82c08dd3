import { formatEntry } from '@millpond/protocol';
import { expect, test } from 'vitest';
import { expectContent, expectRefusal, recordOf } from '../support/expectations.ts';
import {
  callOperation,
  condition,
  expectDone,
  expectEntryFaults,
  put,
} from '../support/objects/operations.ts';
import { download, newBucket } from '../support/target.ts';

test('status 1 makes downloads answer 403 and stat show it; status 0 opens the object again [chstatus-01 download-11]', async () => {
  const bucket = await newBucket();
  await put(bucket, 'k', 'content');
  await put(bucket, 'neighbour', 'content');
  const before = await recordOf(bucket, 'k');
  expect(before).not.toHaveProperty('status');
  await expectDone(await callOperation(`/chstatus/${formatEntry(bucket, 'k')}/status/1`));
  expect(await recordOf(bucket, 'k')).toEqual({ ...before, status: 1 });
  await expectRefusal(await download(bucket, 'k'), 403, 'the object is disabled');
  expect((await download(bucket, 'k', { method: 'HEAD' })).status).toBe(403);
  await expectContent(bucket, 'neighbour', 'content');
  await expectDone(await callOperation(`/chstatus/${formatEntry(bucket, 'k')}/status/0`));
  expect(await recordOf(bucket, 'k')).toEqual(before);
  await expectContent(bucket, 'k', 'content');
});

test('new content opens a disabled object [chstatus-01]', async () => {
  const bucket = await newBucket();
  await put(bucket, 'k', 'content');
  await callOperation(`/chstatus/${formatEntry(bucket, 'k')}/status/1`);
  await put(bucket, 'k', 'new content');
  await expectContent(bucket, 'k', 'new content');
});

test('under a condition that does not hold it answers 613 and changes nothing [chstatus-01 error-04]', async () => {
  const bucket = await newBucket();
  await put(bucket, 'k', 'content');
  const path = `/chstatus/${formatEntry(bucket, 'k')}/status/1/cond/`;
  const { hash } = await recordOf(bucket, 'k');
  await expectRefusal(await callOperation(path + condition('hash=other')), 613, 'cond not match');
  await expectContent(bucket, 'k', 'content');
  await expectDone(await callOperation(path + condition(`hash=${hash}&fsize=7`)));
  expect((await download(bucket, 'k')).status).toBe(403);
});

test.each([
  '',
  '/status',
  '/status/',
  '/status/2',
  '/status/-1',
  '/status/01',
  '/status/x',
  '/status/1/more',
  '/x/1',
])('a path that ends with %j answers 400 [chstatus-01]', async (rest) => {
  const bucket = await newBucket();
  await put(bucket, 'k', 'content');
  const answer = await callOperation(`/chstatus/${formatEntry(bucket, 'k')}${rest}`);
  await expectRefusal(answer, 400, 'invalid argument');
});

test('a condition that cannot be read answers 400 [chstatus-01]', async () => {
  const bucket = await newBucket();
  await put(bucket, 'k', 'content');
  for (const cond of ['!', condition('size=7'), condition('hash')])
    await expectRefusal(
      await callOperation(`/chstatus/${formatEntry(bucket, 'k')}/status/1/cond/${cond}`),
      400,
      'invalid argument',
    );
});

test('what is not there, and what is somebody else’s, are answered like everywhere [chstatus-01 G47]', async () => {
  const bucket = await newBucket();
  await put(bucket, 'k', 'content');
  await expectEntryFaults((entry) => `/chstatus/${entry}/status/1`, bucket);
  await expectContent(bucket, 'k', 'content');
});

import { formatEntry } from '@millpond/protocol';
import {
  type Account,
  createBucket,
  createDeployment,
  type Deployment,
  type ServerProcess,
  signedFetch,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { expectRefusal } from '../support/expectations.ts';
import { blockAnswer, blocksOf } from '../support/objects/blocks.ts';
import { bucketCall, bucketDo, bucketJson, type Site } from '../support/objects/buckets.ts';
import { beginAnswer, beginUpload, putParts } from '../support/objects/multipart.ts';
import { randomContent, statTarget } from '../support/objects/objects.ts';
import { newBucket, target } from '../support/target.ts';

/** A quota is judged by the last fold of the figures; the machine may be slow. */
const SOON = { timeout: 300_000, interval: 100 };

let deployment: Deployment;
let server: ServerProcess;
let account: Account;
let site: Site;

beforeAll(async () => {
  deployment = await createDeployment({
    store: target.store,
    settings: { MILLPOND_USAGE_FOLD_EVERY: '1s' },
  });
  account = await deployment.createAccount();
  server = await deployment.start();
  site = { url: server.url, account };
});
afterAll(() => deployment?.destroy());

async function bucketWithQuota(name: string, quota: string): Promise<string> {
  await createBucket(server.url, account, name);
  await bucketDo(`/setbucketquota/${name}${quota}`, {}, site);
  return name;
}

function put(bucket: string, key: string, size: number): Promise<Response> {
  const token = uploadToken(account, { scope: `${bucket}:${key}` });
  return uploadForm(server.url, 'x'.repeat(size), { token, key });
}

const statusOf = async (answer: Promise<Response>) => (await answer).status;
const remove = (bucket: string, key: string) =>
  signedFetch(server.url, account, statTarget(bucket, key).replace('/stat', '/delete'));

test('quotas are set and shown; 0 leaves, -1 takes away [bucket-09]', async () => {
  const bucket = await newBucket();
  const shown = (method: 'GET' | 'POST' = 'GET') => bucketJson(`/getbucketquota/${bucket}`, { method });
  expect(await shown()).toEqual({ size: -1, count: -1 });
  await bucketDo(`/setbucketquota/${bucket}/size/1000/count/10`);
  expect(await shown('POST')).toEqual({ size: 1000, count: 10 });
  await bucketDo(`/setbucketquota/${bucket}/size/0/count/20`);
  expect(await shown()).toEqual({ size: 1000, count: 20 });
  await bucketDo(`/setbucketquota/${bucket}/count/30`);
  expect(await shown()).toEqual({ size: 1000, count: 30 });
  await bucketDo(`/setbucketquota/${bucket}/size/-1/count/0`);
  expect(await shown()).toEqual({ size: -1, count: 30 });
  await bucketDo(`/setbucketquota/${bucket}/size/9007199254740991`);
  expect(await shown()).toEqual({ size: 9007199254740991, count: 30 });
});

test('a path of another form answers 400 and changes nothing [bucket-09]', async () => {
  const bucket = await newBucket();
  const wrong = [
    '',
    '/size',
    '/size/x',
    '/size/-2',
    '/size/1.5',
    '/size/1/size/2',
    '/bytes/1',
    '/size/1/count',
    '/size/9007199254740992',
    '/size/99999999999999999999',
    '/size/1/count/1/more/1',
    '/size/+1',
  ];
  for (const path of wrong)
    await expectRefusal(await bucketCall(`/setbucketquota/${bucket}${path}`), 400, 'invalid argument');
  expect(await bucketJson(`/getbucketquota/${bucket}`)).toEqual({ size: -1, count: -1 });
  await expectRefusal(await bucketCall('/setbucketquota/no-such/size/1'), 631, 'no such bucket');
  await expectRefusal(await bucketCall('/getbucketquota/no-such'), 631, 'no such bucket');
});

test('an object larger than what is left answers 403, at once [bucket-09] [answer-11]', async () => {
  const bucket = await bucketWithQuota('larger', '/size/1000');
  await expectRefusal(await put(bucket, 'k', 1001), 403, 'quota exceeded');
  expect(await bucketJson(`/list?bucket=${bucket}`, {}, site)).toEqual({ items: [] });
  expect(await statusOf(put(bucket, 'k', 1000))).toBe(200);
});

test('a full bucket answers 403 to writes, and takes them again when there is room [bucket-09] [answer-11]', async () => {
  const bucket = await bucketWithQuota('full', '/size/1000');
  expect(await statusOf(put(bucket, 'a', 600))).toBe(200);
  // A write may pass until the figures are folded.
  await expect.poll(() => statusOf(put(bucket, 'b', 600)), SOON).toBe(403);
  await expectRefusal(await put(bucket, 'b', 600), 403, 'quota exceeded');
  for (const key of ['a', 'b']) await (await remove(bucket, key)).text();
  await expect.poll(() => statusOf(put(bucket, 'c', 600)), SOON).toBe(200);
});

test('over the number of objects, only overwriting goes on [bucket-09] [answer-11]', async () => {
  const bucket = await bucketWithQuota('count', '/count/2');
  for (const key of ['a', 'b']) expect(await statusOf(put(bucket, key, 1))).toBe(200);
  let tries = 0;
  await expect.poll(() => statusOf(put(bucket, `c${tries++}`, 1)), SOON).toBe(403);
  expect(await statusOf(put(bucket, 'a', 100))).toBe(200);
  await bucketDo(`/setbucketquota/${bucket}/count/-1`, {}, site);
  expect(await statusOf(put(bucket, 'd', 1))).toBe(200);
});

test('uploads in parts are held to it too, and a quota set on a full bucket counts what is there [answer-11]', async () => {
  const bucket = await bucketWithQuota('parts', '/size/2000000');
  const begun = await beginUpload(bucket, { key: 'k', site });
  const parts = await putParts(begun, [randomContent(1_500_000), randomContent(1_000_000)]);
  await expectRefusal(await begun.complete(parts), 403, 'quota exceeded');
  expect(await statusOf(begun.abort())).toBe(200);
  await expect.poll(() => statusOf(put(bucket, 'small', 5000)), SOON).toBe(200);
  const used = () => bucketJson<{ bytes: number }>(`/v1/usage?bucket=${bucket}`, { method: 'GET' }, site);
  await expect.poll(async () => (await used()).bytes, SOON).toBe(5000);
  await bucketDo(`/setbucketquota/${bucket}/size/5000`, {}, site);
  await expectRefusal(await put(bucket, 'one more', 1), 403, 'quota exceeded');
});

test('a bucket without any room takes neither parts nor blocks [answer-11]', async () => {
  const bucket = await bucketWithQuota('no-room', '/size/5000');
  const begun = await beginUpload(bucket, { key: 'k', site });
  const [part] = await putParts(begun, ['part']);
  const blocks = blocksOf(bucket, { site });
  const first = await blockAnswer(await blocks.mkblk(4, 'bl'));
  // With the part and the begun block, exactly what there may be.
  expect(await statusOf(put(bucket, 'large', 4994))).toBe(200);
  await expect.poll(() => statusOf(beginAnswer(bucket, { key: 'k', site })), SOON).toBe(403);
  for (const answer of [
    beginAnswer(bucket, { key: 'k', site }),
    begun.put(2, 'part'),
    blocks.mkblk(4, 'bl'),
    blocks.bput(first.ctx, 2, 'ck'),
    put(bucket, 'small', 1),
  ])
    await expectRefusal(await answer, 403, 'quota exceeded');
  // What was begun before is not lost: a part takes no more as a piece of an object.
  expect(await statusOf(begun.complete(part ? [part] : []))).toBe(200);
  await bucketDo(`/setbucketquota/${bucket}/size/6000`, {}, site);
  const last = await blockAnswer(await blocks.bput(first.ctx, 2, 'ck'));
  expect(await statusOf(blocks.mkfile(4, [last.ctx], { key: 'k' }))).toBe(200);
});

test('parts and blocks of unfinished uploads count until they end [bucket-19]', async () => {
  const bucket = await bucketWithQuota('unfinished', '/size/1000');
  const isFull = () => expect.poll(() => statusOf(beginAnswer(bucket, { key: 'k', site })), SOON).toBe(403);
  const begun = await beginUpload(bucket, { key: 'k', site });
  await putParts(begun, ['x'.repeat(1000)]);
  await isFull();
  for (const answer of [put(bucket, 'small', 1), begun.put(2, 'part')])
    await expectRefusal(await answer, 403, 'quota exceeded');
  expect(await statusOf(begun.abort())).toBe(200);
  await expect.poll(() => statusOf(put(bucket, 'small', 500)), SOON).toBe(200);
  const blocks = blocksOf(bucket, { site });
  const block = await blockAnswer(await blocks.mkblk(500, 'y'.repeat(500)));
  await isFull();
  await expectRefusal(await put(bucket, 'other', 1), 403, 'quota exceeded');
  // Its bytes count already: as an object they take no more.
  expect(await statusOf(blocks.mkfile(500, [block.ctx], { key: 'blocks' }))).toBe(200);
  await (await remove(bucket, 'blocks')).text();
  await expect.poll(() => statusOf(put(bucket, 'other', 500)), SOON).toBe(200);
});

test('copies and moves into a bucket count like uploads; within it a move adds nothing [bucket-09]', async () => {
  const bucket = await bucketWithQuota('quota-copies', '/size/100/count/2');
  await createBucket(server.url, account, 'quota-source');
  expect(await statusOf(put('quota-source', 'large', 101))).toBe(200);
  expect(await statusOf(put(bucket, 'small', 10))).toBe(200);
  const relocate = (kind: string, from: string, fromBucket: string, to: string) =>
    signedFetch(server.url, account, `/${kind}/${formatEntry(fromBucket, from)}/${formatEntry(bucket, to)}`);
  for (const kind of ['copy', 'move'])
    await expectRefusal(await relocate(kind, 'large', 'quota-source', 'l'), 403, 'quota exceeded');
  expect(await statusOf(relocate('copy', 'small', bucket, 'second'))).toBe(200);
  let tries = 0;
  // A new key each time: overwriting what a try before the fold has made adds no object.
  await vi.waitFor(async () => expect(await statusOf(put(bucket, `more ${tries++}`, 1))).toBe(403), SOON);
  expect(await statusOf(relocate('move', 'second', bucket, 'renamed'))).toBe(200);
});

test('what adds nothing is taken: a forced copy over a key, and the same upload again [bucket-09]', async () => {
  const bucket = await bucketWithQuota('adds-nothing', '/size/1000/count/2');
  const only = (key: string, content: string) =>
    uploadForm(server.url, content, { token: uploadToken(account, { scope: bucket }), key });
  expect(await statusOf(only('a', 'x'.repeat(600)))).toBe(200);
  expect(await statusOf(only('b', 'small'))).toBe(200);
  let tries = 0;
  await vi.waitFor(async () => expect(await statusOf(only(`more ${tries++}`, 'x'))).toBe(403), SOON);
  const copy = (to: string, end: string) =>
    signedFetch(server.url, account, `/copy/${formatEntry(bucket, 'b')}/${formatEntry(bucket, to)}${end}`);
  await expectRefusal(await copy('c', '/force/true'), 403, 'quota exceeded');
  await expectRefusal(await copy('a', ''), 614, 'file exists');
  // As a client does whose answer was lost: larger than what is left, and there already.
  expect(await statusOf(only('a', 'x'.repeat(600)))).toBe(200);
  await expectRefusal(await only('a', 'y'.repeat(600)), 403, 'quota exceeded');
  expect(await statusOf(copy('a', '/force/true'))).toBe(200);
});

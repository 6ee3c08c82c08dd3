import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { encodeBase64, etagOf } from '@millpond/protocol';
import { hashing } from '@millpond/testing';
import { expect, test } from 'vitest';
import { expectContent, recordOf } from '../support/expectations.ts';
import { blockAnswer, blocksOf, putBlock } from '../support/objects/blocks.ts';
import { randomContent, store } from '../support/objects/objects.ts';
import { download, newBucket, target } from '../support/target.ts';

const MIB = 1024 * 1024;
const BLOCK = 4 * MIB;
const WEEK = 7 * 86_400;

test('a first chunk answers ctx, checksum, crc32, offset, host and when it ends [blocks-01]', async () => {
  const chunk = randomContent(1000);
  const earliest = Math.floor(Date.now() / 1000) + WEEK;
  const answer = await blockAnswer(await blocksOf(await newBucket()).mkblk(5000, chunk));
  expect(answer).toEqual({
    ctx: expect.stringMatching(/^[\w-]+=*$/),
    checksum: encodeBase64(createHash('sha1').update(chunk).digest()),
    crc32: crc32(chunk),
    offset: 1000,
    host: target.url,
    expired_at: expect.any(Number),
  });
  expect(answer.expired_at).toBeGreaterThanOrEqual(earliest);
  expect(answer.expired_at).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + WEEK);
});

test('further chunks answer their own CRC and the checksum of the block so far [blocks-02 blocks-04]', async () => {
  const chunks = [randomContent(MIB), randomContent(1), randomContent(100_000)];
  const blocks = blocksOf(await newBucket());
  let answer = await blockAnswer(await blocks.mkblk(BLOCK, chunks[0] ?? ''));
  for (let sent = 1; sent <= chunks.length; sent++) {
    const soFar = Buffer.concat(chunks.slice(0, sent));
    expect(answer).toMatchObject({
      crc32: crc32(chunks[sent - 1] ?? ''),
      checksum: encodeBase64(createHash('sha1').update(soFar).digest()),
      offset: soFar.length,
    });
    if (sent < chunks.length)
      answer = await blockAnswer(await blocks.bput(answer.ctx, answer.offset, chunks[sent] ?? ''));
  }
});

test.each([
  ['of one block of one chunk', [[100]]],
  ['of one block of several chunks', [[100, 1, 3000]]],
  ['of exactly one full block', [[BLOCK]]],
  ['of several blocks, in chunks of many sizes', [[MIB, 3 * MIB], [BLOCK], [1, 2 * MIB, 17]]],
])('a file %s has the bytes, and the hash of a form upload [blocks-03]', async (_, sizes) => {
  const bucket = await newBucket();
  const blocks = blocksOf(bucket);
  const contents = sizes.map((chunks) => chunks.map(randomContent));
  const whole = Buffer.concat(contents.flat());
  const contexts = await Promise.all(contents.map((chunks) => putBlock(blocks, chunks)));
  const answer = await blocks.mkfile(whole.length, contexts, { key: 'in blocks' });
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { hash: etagOf(hashing, whole), key: 'in blocks' },
  ]);
  await expectContent(bucket, 'in blocks', whole);
  expect(await recordOf(bucket, 'in blocks')).toMatchObject({ fsize: whole.length });
});

test('no block at all is the empty file [blocks-03]', async () => {
  const bucket = await newBucket();
  const answer = await blocksOf(bucket).mkfile(0, '', { key: 'empty' });
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { hash: 'Fto5o-5ea0sNMlW_75VgGJCv2AcJ', key: 'empty' },
  ]);
  await expectContent(bucket, 'empty', '');
});

test('without a key the object is named by its hash or the policy [blocks-03]', async () => {
  const bucket = await newBucket();
  const hash = etagOf(hashing, Buffer.from('content'));
  for (const [policy, key] of [
    [{}, hash],
    [{ saveKey: 'saved/$(etag)' }, `saved/${hash}`],
  ] as const) {
    const blocks = blocksOf(bucket, { policy });
    const answer = await blocks.mkfile(7, [await putBlock(blocks, ['content'])]);
    expect([answer.status, await answer.json()]).toEqual([200, { hash, key }]);
  }
});

test('mimeType, fname, x: variables and metadata of the path are used [blocks-07]', async () => {
  const bucket = await newBucket();
  const returnBody = '{"name":$(fname),"type":$(mimeType),"a":$(x:a),"size":$(fsize)}';
  const blocks = blocksOf(bucket, { policy: { returnBody } });
  const answer = await blocks.mkfile(7, [await putBlock(blocks, ['content'])], {
    'x:a': 'v/1 ü',
    fname: 'ü "x".csv',
    'x-svc-meta-Colour': 'blue',
    key: 'k/ü',
    mimeType: 'application/x-own',
  });
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { name: 'ü "x".csv', type: 'application/x-own', a: 'v/1 ü', size: 7 },
  ]);
  const { headers } = await download(bucket, 'k/ü');
  expect([headers.get('content-type'), headers.get('x-svc-meta-colour')]).toEqual([
    'application/x-own',
    'blue',
  ]);
});

test('the type is detected across chunks, however small the first is [blocks-07]', async () => {
  const bucket = await newBucket();
  const blocks = blocksOf(bucket);
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(2000)]);
  const ctx = await putBlock(blocks, [png.subarray(0, 3), png.subarray(3, 10), png.subarray(10)]);
  expect((await blocks.mkfile(png.length, [ctx], { key: 'image' })).status).toBe(200);
  expect(await recordOf(bucket, 'image')).toMatchObject({ mimeType: 'image/png' });
});

test('a bucket’s scope overwrites, and identical content is a success where it may not [blocks-03]', async () => {
  const bucket = await newBucket();
  await store('k', 'before', { bucket });
  const blocks = blocksOf(bucket);
  expect((await blocks.mkfile(5, [await putBlock(blocks, ['after'])], { key: 'k' })).status).toBe(200);
  await expectContent(bucket, 'k', 'after');
  const before = await recordOf(bucket, 'k');
  const inserting = blocksOf(bucket, { policy: { insertOnly: 1 } });
  const same = await inserting.mkfile(5, [await putBlock(inserting, ['after'])], { key: 'k' });
  expect(same.status).toBe(200);
  expect(await recordOf(bucket, 'k')).toEqual(before);
});

test('blocks of one token can be made a file with another of the same account [blocks-03]', async () => {
  const bucket = await newBucket();
  const ctx = await putBlock(blocksOf(bucket), ['content']);
  const answer = await blocksOf(bucket, { policy: { scope: `${bucket}:k` } }).mkfile(7, [ctx], { key: 'k' });
  expect(answer.status).toBe(200);
});

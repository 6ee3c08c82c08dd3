import { randomUUID } from 'node:crypto';
import { createBucket } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { expectContent, expectNothing, expectRefusal, statusesOf } from '../support/expectations.ts';
import { blockAnswer, blocksOf, putBlock } from '../support/objects/blocks.ts';
import { beforeDeadline, untilPast } from '../support/objects/expiring.ts';
import { randomContent, store } from '../support/objects/objects.ts';
import { newBucket, target } from '../support/target.ts';

const MIB = 1024 * 1024;
const BLOCK = 4 * MIB;
const BAD_CONTEXT = 'invalid upload context';

test('a block of no size, or more than 4 MiB, answers 400 [blocks-01]', async () => {
  const blocks = blocksOf(await newBucket());
  for (const size of [0, BLOCK + 1, -1, 'x', '', '01', '1/2'])
    await expectRefusal(await blocks.mkblk(size, 'x'), 400, 'invalid argument');
  await expectRefusal(await blocks.mkblk(10, ''), 400, 'invalid argument');
});

test('a chunk that is longer than what is left of its block answers 413, and the block goes on [blocks-02]', async () => {
  const bucket = await newBucket();
  const blocks = blocksOf(bucket);
  await expectRefusal(await blocks.mkblk(3, 'four'), 413, 'request entity too large');
  const { ctx } = await blockAnswer(await blocks.mkblk(5, 'abc'));
  await expectRefusal(await blocks.bput(ctx, 3, 'def'), 413, 'request entity too large');
  const last = await blockAnswer(await blocks.bput(ctx, 3, 'de'));
  expect((await blocks.mkfile(5, [last.ctx], { key: 'k' })).status).toBe(200);
  await expectContent(bucket, 'k', 'abcde');
});

test('a block is not larger than fsizeLimit allows its file, by whichever token it is filled [blocks-02]', async () => {
  const bucket = await newBucket();
  const [limited, free] = [blocksOf(bucket, { policy: { fsizeLimit: 5 } }), blocksOf(bucket)];
  await expectRefusal(await limited.mkblk(6, 'abc'), 413, 'request entity too large');
  const { ctx } = await blockAnswer(await free.mkblk(6, 'abc'));
  await expectRefusal(await limited.bput(ctx, 3, 'def'), 413, 'request entity too large');
  const last = await blockAnswer(await free.bput(ctx, 3, 'def'));
  await expectRefusal(await limited.mkfile(6, [last.ctx], { key: 'k' }), 413, 'request entity too large');
  const whole = await blockAnswer(await limited.mkblk(5, 'abcde'));
  expect((await limited.mkfile(5, [whole.ctx], { key: 'k' })).status).toBe(200);
  await expectContent(bucket, 'k', 'abcde');
});

test('a chunk at a wrong offset, or behind an old context, answers 701 and changes nothing [blocks-02 blocks-05]', async () => {
  const bucket = await newBucket();
  const blocks = blocksOf(bucket);
  const first = await blockAnswer(await blocks.mkblk(6, 'ab'));
  for (const offset of [0, 1, 3, 'x', '02', ''])
    await expectRefusal(await blocks.bput(first.ctx, offset, 'cd'), 701, BAD_CONTEXT);
  const second = await blockAnswer(await blocks.bput(first.ctx, 2, 'cd'));
  await expectRefusal(await blocks.bput(first.ctx, 2, 'XX'), 701, BAD_CONTEXT);
  const third = await blockAnswer(await blocks.bput(second.ctx, 4, 'ef'));
  expect((await blocks.mkfile(6, [third.ctx], { key: 'k' })).status).toBe(200);
  await expectContent(bucket, 'k', 'abcdef');
});

test('of several chunks for one place at once one is taken [blocks-02]', async () => {
  const bucket = await newBucket();
  const blocks = blocksOf(bucket);
  const first = await blockAnswer(await blocks.mkblk(4, 'ab'));
  const answers = await Promise.all(['cd', 'CD', 'xy'].map((chunk) => blocks.bput(first.ctx, 2, chunk)));
  expect(statusesOf(answers)).toEqual([200, 701, 701]);
  const taken = answers.findIndex(({ status }) => status === 200);
  const { ctx } = await blockAnswer(answers[taken] ?? Response.error());
  expect((await blocks.mkfile(4, [ctx], { key: 'k' })).status).toBe(200);
  await expectContent(bucket, 'k', `ab${['cd', 'CD', 'xy'][taken]}`);
});

describe('a context', () => {
  test.each([
    ['nonsense', 'nonsense'],
    ['of a block that is not there', Buffer.alloc(20, 7).toString('base64url')],
    ['too long', 'A'.repeat(5000)],
    ['not Base64', '%%%'],
  ])('%s answers 701 [blocks-05]', async (_, ctx) => {
    const bucket = await newBucket();
    const blocks = blocksOf(bucket);
    await expectRefusal(await blocks.bput(ctx, 7, 'x'), 701, BAD_CONTEXT);
    await expectRefusal(await blocks.mkfile(7, [ctx], { key: 'k' }), 701, BAD_CONTEXT);
    await expectNothing(bucket, 'k');
  });

  test('of another account answers 701 [blocks-05]', async () => {
    const own = `b-${randomUUID().slice(0, 13)}`;
    await createBucket(target.url, target.stranger, own);
    const stranger = blocksOf(own, { site: { url: target.url, account: target.stranger } });
    const bucket = await newBucket();
    const { ctx } = await blockAnswer(await blocksOf(bucket).mkblk(6, 'abc'));
    await expectRefusal(await stranger.bput(ctx, 3, 'def'), 701, BAD_CONTEXT);
    const full = await blockAnswer(await blocksOf(bucket).bput(ctx, 3, 'def'));
    await expectRefusal(await stranger.mkfile(6, [full.ctx], { key: 'k' }), 701, BAD_CONTEXT);
    expect((await blocksOf(bucket).mkfile(6, [full.ctx], { key: 'k' })).status).toBe(200);
  });

  test('that is not of the block’s last chunk, or of a block that is not full, answers 701 [blocks-05]', async () => {
    const bucket = await newBucket();
    const blocks = blocksOf(bucket);
    const first = await blockAnswer(await blocks.mkblk(6, 'abc'));
    await expectRefusal(await blocks.mkfile(3, [first.ctx], { key: 'k' }), 701, BAD_CONTEXT);
    await blocks.bput(first.ctx, 3, 'def');
    await expectRefusal(await blocks.mkfile(3, [first.ctx], { key: 'k' }), 701, BAD_CONTEXT);
    await expectNothing(bucket, 'k');
  });

  test('that is named twice answers 701, and the block can still be used [blocks-05]', async () => {
    const bucket = await newBucket();
    const blocks = blocksOf(bucket);
    const content = randomContent(BLOCK);
    const ctx = await putBlock(blocks, [content]);
    await expectRefusal(await blocks.mkfile(2 * BLOCK, [ctx, ctx], { key: 'k' }), 701, BAD_CONTEXT);
    const other = await putBlock(blocks, [randomContent(BLOCK)]);
    await expectRefusal(await blocks.mkfile(3 * BLOCK, [ctx, other, ctx], { key: 'k' }), 701, BAD_CONTEXT);
    await expectNothing(bucket, 'k');
    expect((await blocks.mkfile(BLOCK, [ctx], { key: 'k' })).status).toBe(200);
    await expectContent(bucket, 'k', content);
  });

  test('is used up by its file: for another it answers 701, and of several at once one is made [blocks-05]', async () => {
    const bucket = await newBucket();
    const blocks = blocksOf(bucket);
    const contents = [randomContent(BLOCK), randomContent(10)];
    const contexts = await Promise.all(contents.map((content) => putBlock(blocks, [content])));
    const make = (key: string) => blocks.mkfile(BLOCK + 10, contexts, { key });
    const answers = await Promise.all([make('one'), make('three'), make('two')]);
    expect(statusesOf(answers)).toEqual([200, 701, 701]);
    const keys = ['one', 'three', 'two'];
    const made = keys[answers.findIndex(({ status }) => status === 200)] ?? '';
    await expectContent(bucket, made, Buffer.concat(contents));
    for (const key of keys.filter((each) => each !== made)) await expectNothing(bucket, key);
    await expectRefusal(await make('four'), 701, BAD_CONTEXT);
  });
});

describe('a file', () => {
  test('whose blocks do not sum to its size is refused, and the blocks can still be used [blocks-06]', async () => {
    const bucket = await newBucket();
    const blocks = blocksOf(bucket);
    const ctx = await putBlock(blocks, ['content']);
    for (const size of [6, 8, 0])
      await expectRefusal(await blocks.mkfile(size, [ctx], { key: 'k' }), 400, 'invalid argument');
    await expectRefusal(await blocks.mkfile(7, '', { key: 'k' }), 400, 'invalid argument');
    await expectNothing(bucket, 'k');
    expect((await blocks.mkfile(7, [ctx], { key: 'k' })).status).toBe(200);
  });

  test('whose blocks are not full but the last is refused [blocks-06]', async () => {
    const bucket = await newBucket();
    const blocks = blocksOf(bucket);
    const contexts = [await putBlock(blocks, ['short']), await putBlock(blocks, ['er'])];
    await expectRefusal(await blocks.mkfile(7, contexts, { key: 'k' }), 400, 'invalid argument');
    await expectNothing(bucket, 'k');
  });

  test('with a path that is not pairs of known names is refused [blocks-07]', async () => {
    const bucket = await newBucket();
    const blocks = blocksOf(bucket);
    const ctx = await putBlock(blocks, ['content']);
    for (const size of ['x', '-7', '7/key', '7/colour/Ymx1ZQ==', '7/key/%%%', '7/x-svc-meta-a b/YQ=='])
      await expectRefusal(await blocks.mkfile(size, [ctx]), 400, 'invalid argument');
  });

  test('with a part of its path that is there twice is refused, and the part named [blocks-07]', async () => {
    const bucket = await newBucket();
    const blocks = blocksOf(bucket);
    const ctx = await putBlock(blocks, ['content']);
    for (const [path, name] of [
      ['key/aw==/key/azI=', 'key'],
      ['key/aw==/fname/YQ==/fname/YQ==', 'fname'],
      ['key/aw==/mimeType/YS9i/mimetype/YS9j', 'mimeType'],
      ['key/aw==/x:a/MQ==/x:a/Mg==', 'x:a'],
      ['key/aw==/x-svc-meta-a/MQ==/X-Svc-Meta-A/Mg==', 'x-svc-meta-a'],
    ]) {
      const answer = await blocks.mkfile(`7/${path}`, [ctx]);
      expect([answer.status, await answer.json()]).toEqual([
        400,
        { error: 'invalid argument', hint: `"${name}" is given twice` },
      ]);
    }
    await expectNothing(bucket, 'k');
    await expectNothing(bucket, 'k2');
    expect((await blocks.mkfile(7, [ctx], { key: 'k' })).status).toBe(200);
  });

  test('that is not recognised passes no limit to images, whatever its names are [policy-type-01]', async () => {
    const bucket = await newBucket();
    const blocks = blocksOf(bucket, { policy: { mimeLimit: 'image/*' } });
    const { ctx } = await blockAnswer(await blocks.mkblk(3, Uint8Array.of(0, 0x9c, 1)));
    const names = { key: 'x.png', fname: 'x.png', mimeType: 'image/png' };
    await expectRefusal(
      await blocks.mkfile(3, [ctx], names),
      403,
      'limited mimeType: this file type is forbidden to upload',
    );
    await expectNothing(bucket, 'x.png');
    expect((await blocksOf(bucket).mkfile(3, [ctx], names)).status).toBe(200);
  });

  test('keeps to the rules of its token, and the blocks can still be used [blocks-03]', async () => {
    const bucket = await newBucket();
    await store('k', 'before', { bucket });
    const ctx = await putBlock(blocksOf(bucket), ['content']);
    for (const [policy, status, error] of [
      [{ insertOnly: 1 }, 614, 'file exists'],
      [{ scope: `${bucket}:other` }, 403, "key doesn't match with scope"],
      [{ fsizeLimit: 6 }, 413, 'request entity too large'],
      [{ fsizeMin: 8 }, 403, 'file size is below the limit of the upload policy'],
    ] as const)
      await expectRefusal(await blocksOf(bucket, { policy }).mkfile(7, [ctx], { key: 'k' }), status, error);
    await expectContent(bucket, 'k', 'before');
    expect((await blocksOf(bucket).mkfile(7, [ctx], { key: 'k' })).status).toBe(200);
  });
});

test('every call needs a token, and one that expires midway can be renewed', async () => {
  const bucket = await newBucket();
  const none = blocksOf(bucket, { token: 'a:b:c' });
  for (const answer of [none.mkblk(1, 'x'), none.bput('x', 1, 'x'), none.mkfile(1, ['x'])])
    await expectRefusal(await answer, 401, 'bad token');
  const { result, deadline } = await beforeDeadline(async (end) => {
    const blocks = blocksOf(bucket, { policy: { deadline: end } });
    return { short: blocks, first: await blockAnswer(await blocks.mkblk(6, 'abc')) };
  });
  const { short, first } = result;
  await untilPast(deadline);
  await expectRefusal(await short.bput(first.ctx, 3, 'def'), 401, 'expired token');
  const renewed = blocksOf(bucket);
  const last = await blockAnswer(await renewed.bput(first.ctx, 3, 'def'));
  await expectRefusal(await short.mkfile(6, [last.ctx], { key: 'k' }), 401, 'expired token');
  expect((await renewed.mkfile(6, [last.ctx], { key: 'k' })).status).toBe(200);
});

// The rule is the same on every store, and on an engine its many small reads take long.
test.runIf(target.store === 'disk')(
  'a block in more chunks than anybody needs is refused [blocks-02]',
  async () => {
    const blocks = blocksOf(await newBucket());
    let { ctx, offset } = await blockAnswer(await blocks.mkblk(1000, 'x'));
    for (let chunks = 1; chunks < 64; chunks++)
      ({ ctx, offset } = await blockAnswer(await blocks.bput(ctx, offset, 'x')));
    await expectRefusal(await blocks.bput(ctx, offset, 'x'), 400, 'invalid argument');
  },
);

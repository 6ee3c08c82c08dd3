/** The last answer of a resumable upload was lost: the same request once more gets it, and nothing happens twice. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { encodeBase64, encodeBase64Text, formatEntry } from '@millpond/protocol';
import { signedFetch, uploadToken } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { expectContent, expectRefusal, recordOf, statusesOf } from '../support/expectations.ts';
import { type Blocks, blockAnswer, blocksOf, putBlock } from '../support/objects/blocks.ts';
import { beginUpload, putPart, putParts } from '../support/objects/multipart.ts';
import { randomContent } from '../support/objects/objects.ts';
import { image } from '../support/objects/processing.ts';
import { json, type Script, useReceiver } from '../support/receivers/receiver.ts';
import { secureSigned } from '../support/running/secure.ts';
import { newBucket, target, upload as uploadForm } from '../support/target.ts';

const MIB = 1024 * 1024;
const receiver = useReceiver();
type Fields = Readonly<Record<string, unknown>>;

interface Finished {
  /** The same request, as often as one likes. */
  readonly send: (policy?: Fields) => Promise<Response>;
  /** One that differs in what it says of the object. */
  readonly other: () => Promise<Response>;
}

/** Both ways to upload in pieces: all is there but the object. */
const ways: readonly [
  string,
  (bucket: string, key: string, content: Uint8Array, policy?: Fields) => Promise<Finished>,
  number,
  string,
][] = [
  [
    'a completion',
    async (bucket, key, content, policy = {}) => {
      const upload = await beginUpload(bucket, { key, policy });
      const parts = [await putPart(upload, 1, content)];
      return {
        send: (again = policy) => upload.by({ policy: again }).complete(parts),
        other: () => upload.complete(parts, { fname: 'other' }),
      };
    },
    612,
    'no such uploadId',
  ],
  [
    'mkfile',
    async (bucket, key, content, policy = {}) => {
      const context = await putBlock(blocksOf(bucket, { policy }), [content]);
      const by = (again: Fields) => blocksOf(bucket, { policy: again });
      return {
        send: (again = policy) => by(again).mkfile(content.length, [context], { key }),
        other: () => by(policy).mkfile(content.length, [context], { key, fname: 'other' }),
      };
    },
    701,
    'invalid upload context',
  ],
];

const told = async (answer: Response) => ({
  status: answer.status,
  type: answer.headers.get('content-type'),
  location: answer.headers.get('location'),
  body: await answer.text(),
});

describe.each(ways)('%s', (_, finished, goneStatus, goneText) => {
  test('that is sent again gets the same answer, and the object is not touched [repeat-01]', async () => {
    const bucket = await newBucket();
    for (const [key, policy] of Object.entries({
      plain: {},
      overwriting: { scope: `${bucket}:overwriting` },
      'insert only': { insertOnly: 1 },
      template: { returnBody: '{"id":$(uuid),"key":$(key),"size":$(fsize)}' },
      redirect: { returnUrl: 'http://example.com/done?a=1', returnBody: '{"id":$(uuid)}' },
    })) {
      const content = randomContent(1000);
      const { send } = await finished(bucket, key, content, policy);
      const first = await fetchOnce(send);
      expect([200, 303], first.body).toContain(first.status);
      const before = await recordOf(bucket, key);
      for (let round = 0; round < 2; round++) expect(await fetchOnce(send), key).toEqual(first);
      expect(await recordOf(bucket, key)).toEqual(before);
      await expectContent(bucket, key, content);
    }
  });

  test('may come with a token that was renewed meanwhile, but asks for the same [repeat-02]', async () => {
    const bucket = await newBucket();
    const policy = { returnBody: '{"id":$(uuid)}', deadline: Math.floor(Date.now() / 1000) + 3000 };
    const { send, other } = await finished(bucket, 'k', randomContent(10), policy);
    const first = await fetchOnce(send);
    expect(await fetchOnce(() => send({ ...policy, deadline: policy.deadline + 100 }))).toEqual(first);
    await expectRefusal(await other(), goneStatus, goneText);
    await expectRefusal(await send({ ...policy, returnBody: '{"other":$(uuid)}' }), goneStatus, goneText);
    await expectRefusal(await send({ ...policy, endUser: 'other' }), goneStatus, goneText);
  });

  test('finds nothing where the object is another by now, and where it is gone [repeat-03]', async () => {
    const bucket = await newBucket();
    const content = randomContent(10);
    for (const [key, change] of [
      ['overwritten', () => overwrite(bucket, 'overwritten', 'other')],
      // The same bytes, and yet another object than the one that was answered.
      ['written again', () => overwrite(bucket, 'written again', content)],
      ['deleted', () => operate('delete', bucket, 'deleted')],
    ] as const) {
      const { send } = await finished(bucket, key, content);
      expect((await send()).status).toBe(200);
      expect((await change()).status).toBe(200);
      await expectRefusal(await send(), goneStatus, goneText);
    }
  });

  test('gets its answer also after the object’s description was changed [repeat-03]', async () => {
    const bucket = await newBucket();
    const { send } = await finished(bucket, 'k', randomContent(10));
    const first = await fetchOnce(send);
    const changed = await operate('chgm', bucket, 'k', `/mime/${encodeBase64Text('text/x-own')}`);
    expect(changed.status).toBe(200);
    expect(await fetchOnce(send)).toEqual(first);
  });

  test('several times at once: all get the one answer [repeat-04]', async () => {
    const bucket = await newBucket();
    for (const policy of [{}, { insertOnly: 1 }]) {
      const key = JSON.stringify(policy);
      const body = { ...policy, returnBody: '{"id":$(uuid)}' };
      const { send } = await finished(bucket, key, randomContent(MIB), body);
      const answers = await Promise.all([send(), send(), send(), send()]);
      expect(statusesOf(answers)).toEqual([200, 200, 200, 200]);
      expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
    }
  });

  test('starts its task once, and names it again [repeat-05]', async () => {
    const bucket = await newBucket();
    const policy = { persistentOps: 'imageInfo', persistentNotifyUrl: receiver.at(json({})).url };
    const { send } = await finished(bucket, 'k', await image(), policy);
    const first = await fetchOnce(send);
    expect(JSON.parse(first.body)).toMatchObject({ persistentId: expect.stringMatching(/./) });
    expect(await fetchOnce(send)).toEqual(first);
    const tasks = await secureSigned({
      method: 'GET',
      target: `/v1/tasks?bucket=${bucket}`,
      contentType: null,
    });
    expect((tasks.json() as { items: unknown[] }).items).toHaveLength(1);
  });

  test.each<[string, Script, number]>([
    ['delivered', json({ stored: 'ü', big: '9007199254740993' }), 200],
    ['failed', json({ error: 'no room' }, 500), 579],
  ])(
    'whose callback was %s is answered as before, and calls nobody [repeat-06]',
    async (key, script, status) => {
      const bucket = await newBucket();
      const endpoint = receiver.at(script);
      // The answer of a failed callback names the token: it must be the same one, also in the next second.
      const deadline = Math.floor(Date.now() / 1000) + 3600;
      const policy = { deadline, callbackUrl: endpoint.url, callbackBody: 'key=$(key)&id=$(uuid)' };
      const { send } = await finished(bucket, key, randomContent(10), policy);
      const first = await fetchOnce(send);
      expect(first.status, first.body).toBe(status);
      for (let round = 0; round < 2; round++) expect(await fetchOnce(send)).toEqual(first);
      expect(endpoint.requests).toHaveLength(1);
    },
  );

  test('waits for a callback that is still under way, and gets its answer [repeat-06]', async () => {
    const bucket = await newBucket();
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const endpoint = receiver.at(async (response) => {
      await released;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"thought":"long"}');
    });
    const { send } = await finished(bucket, 'k', randomContent(10), { callbackUrl: endpoint.url });
    const first = fetchOnce(send);
    await expect.poll(() => endpoint.requests.length).toBe(1);
    const second = fetchOnce(send);
    release();
    expect((await first).body).toBe('{"thought":"long"}');
    expect(await second).toEqual(await first);
    expect(endpoint.requests).toHaveLength(1);
  });

  test('whose receiver named the object gets that answer again [repeat-06]', async () => {
    const bucket = await newBucket();
    const endpoint = receiver.at(json({ key: 'named', payload: { by: 'the receiver' } }));
    const policy = { callbackUrl: endpoint.url, callbackFetchKey: 1 };
    const { send } = await finished(bucket, 'asked', randomContent(10), policy);
    const first = await fetchOnce(send);
    expect(first).toMatchObject({ status: 200, body: '{"by":"the receiver"}' });
    expect(await fetchOnce(send)).toEqual(first);
    expect(endpoint.requests).toHaveLength(1);
  });

  test('whose answer is too long to be kept finds the upload gone, and calls nobody again [repeat-07]', async () => {
    const bucket = await newBucket();
    const long = { returnBody: JSON.stringify({ text: 'x'.repeat(16 * 1024) }) };
    const endpoint = receiver.at(json({ text: 'x'.repeat(16 * 1024) }));
    for (const [key, policy] of [
      ['template', long],
      ['callback', { callbackUrl: endpoint.url }],
    ] as const) {
      const { send } = await finished(bucket, key, randomContent(10), policy);
      expect((await send()).status).toBe(200);
      await expectRefusal(await send(), goneStatus, goneText);
    }
    expect(endpoint.requests).toHaveLength(1);
  });
});

test('an answer is given to nobody who does not show the same token’s key and policy [repeat-02]', async () => {
  const bucket = await newBucket();
  const upload = await beginUpload(bucket, { key: 'k', policy: { returnBody: '{"id":$(uuid)}' } });
  const parts = await putParts(upload, ['content']);
  expect((await upload.complete(parts)).status).toBe(200);
  await expectRefusal(await upload.by({ policy: {} }).complete(parts), 612, 'no such uploadId');
  const stranger = uploadToken(target.stranger, { scope: bucket, returnBody: '{"id":$(uuid)}' });
  await expectRefusal(await upload.by({ token: stranger }).complete(parts), 631, 'no such bucket');
});

describe('a chunk', () => {
  const chunks = ['abc', 'defg', 'hi'];
  const begin = async (): Promise<{ blocks: Blocks; ctx: string }> => {
    const blocks = blocksOf(await newBucket());
    const { ctx } = await blockAnswer(await blocks.mkblk(9, chunks[0] ?? ''));
    return { blocks, ctx };
  };

  test('that is sent again gets the same answer, also after others followed it [repeat-08]', async () => {
    const { blocks, ctx } = await begin();
    const first = await blockAnswer(await blocks.bput(ctx, 3, 'defg'));
    expect(first).toMatchObject({
      offset: 7,
      crc32: crc32('defg'),
      checksum: encodeBase64(createHash('sha1').update('abcdefg').digest()),
    });
    expect(await blockAnswer(await blocks.bput(ctx, 3, 'defg'))).toEqual(first);
    const last = await blockAnswer(await blocks.bput(first.ctx, 7, 'hi'));
    expect(await blockAnswer(await blocks.bput(ctx, 3, 'defg'))).toEqual(first);
    expect(await blockAnswer(await blocks.bput(first.ctx, 7, 'hi'))).toEqual(last);
    const answer = await blocks.mkfile(9, [last.ctx], { key: 'k' });
    expect(answer.status, await answer.text()).toBe(200);
  });

  test('twice at once is one chunk, and both are answered alike [repeat-08]', async () => {
    const { blocks, ctx } = await begin();
    const answers = await Promise.all([1, 2, 3].map(() => blocks.bput(ctx, 3, 'defg')));
    const bodies = await Promise.all(answers.map(blockAnswer));
    expect(bodies[1]).toEqual(bodies[0]);
    expect(bodies[2]).toEqual(bodies[0]);
  });

  test('of other bytes or another length is no repetition [repeat-08]', async () => {
    const { blocks, ctx } = await begin();
    const { ctx: next } = await blockAnswer(await blocks.bput(ctx, 3, 'defg'));
    for (const other of ['deFg', 'def', 'defgh'])
      await expectRefusal(await blocks.bput(ctx, 3, other), 701, 'invalid upload context');
    expect((await blocks.bput(next, 7, 'hi')).status).toBe(200);
    for (const other of ['deFg', 'def', 'defgh'])
      await expectRefusal(await blocks.bput(ctx, 3, other), 701, 'invalid upload context');
  });
});

const operate = (name: string, bucket: string, key: string, rest = '') =>
  signedFetch(target.url, target.account, `/${name}/${formatEntry(bucket, key)}${rest}`);

const overwrite = (bucket: string, key: string, content: Uint8Array<ArrayBuffer> | string) =>
  uploadForm({ scope: `${bucket}:${key}` }, content, { key });

async function fetchOnce(send: () => Promise<Response>) {
  return told(await send());
}

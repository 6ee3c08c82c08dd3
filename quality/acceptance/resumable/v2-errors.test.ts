import { randomUUID } from 'node:crypto';
import { etagOf } from '@millpond/protocol';
import { createBucket, hashing, uploadToken } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { expectContent, expectNothing, expectRefusal, recordOf } from '../support/expectations.ts';
import { beforeDeadline, untilPast } from '../support/objects/expiring.ts';
import {
  beginAnswer,
  beginUpload,
  type Multipart,
  putPart,
  putParts,
  uploadsPath,
} from '../support/objects/multipart.ts';
import { randomContent, store } from '../support/objects/objects.ts';
import { newBucket, target } from '../support/target.ts';

const MIB = 1024 * 1024;
const MISMATCH = "key doesn't match with scope";
const someParts = [{ partNumber: 1, etag: etagOf(hashing, Buffer.from('part')) }];

/** Every call that names an upload. */
const callsOf = (upload: Multipart): Promise<Response>[] => [
  upload.put(1, 'part'),
  upload.list(),
  upload.complete(someParts),
  upload.abort(),
];

async function expectAll(
  answers: readonly Promise<Response>[],
  status: number,
  error: string,
): Promise<void> {
  for (const answer of await Promise.all(answers)) await expectRefusal(answer, status, error);
}

test('a part number of 0, 10001, or none at all answers 400 [multipart-07]', async () => {
  const upload = await beginUpload(await newBucket(), { key: 'k' });
  for (const number of [0, 10_001, -1, '01', '1.5', 'x', '1e2', '99999999999'])
    await expectRefusal(await upload.put(number, 'part'), 400, 'invalid argument');
  for (const number of [1, 10_000]) expect((await upload.put(number, 'part')).status).toBe(200);
});

test('a part under 1 MiB that is not the last is refused at completion; the upload goes on [multipart-08]', async () => {
  const bucket = await newBucket();
  const upload = await beginUpload(bucket, { key: 'k' });
  const [small, last] = await putParts(upload, [randomContent(MIB - 1), 'end']);
  if (small === undefined || last === undefined) throw new Error('two parts');
  await expectRefusal(await upload.complete([small, last]), 400, 'invalid argument');
  await expectNothing(bucket, 'k');
  const content = randomContent(MIB);
  expect((await upload.complete([await putPart(upload, 1, content), last])).status).toBe(200);
  await expectContent(bucket, 'k', Buffer.concat([content, Buffer.from('end')]));
});

test('a completion with a part that was not sent, or another etag, or no list of parts answers 400 [multipart-09]', async () => {
  const bucket = await newBucket();
  const upload = await beginUpload(bucket, { key: 'k' });
  const [first, second] = await putParts(upload, [randomContent(MIB), 'end']);
  if (first === undefined || second === undefined) throw new Error('two parts');
  for (const parts of [
    [],
    [first, { partNumber: 3, etag: second.etag }],
    [first, { partNumber: 2, etag: first.etag }],
    [first, { partNumber: 2, etag: '' }],
    [second, first],
    [first, first],
    [{ partNumber: 0, etag: first.etag }],
  ])
    await expectRefusal(await upload.complete(parts), 400, 'invalid argument');
  for (const more of [
    { parts: 'all' },
    { metadata: { colour: 'blue' } },
    { metadata: { 'x-svc-meta-a b': 'v' } },
    { fname: 5 },
  ])
    await expectRefusal(await upload.complete([first, second], more), 400, 'invalid argument');
  await expectNothing(bucket, 'k');
  expect((await upload.complete([first, second])).status).toBe(200);
});

test('an upload that was ended is gone for every call [multipart-10]', async () => {
  const bucket = await newBucket();
  const upload = await beginUpload(bucket, { key: 'k' });
  await putPart(upload, 1, 'part');
  const answer = await upload.abort();
  expect([answer.status, await answer.text()]).toEqual([200, '']);
  await expectAll(callsOf(upload), 612, 'no such uploadId');
  await expectNothing(bucket, 'k');
});

test('an id that nobody began answers 612 for every call [multipart-12]', async () => {
  const bucket = await newBucket();
  const authorization = `UpToken ${uploadToken(target.account, { scope: bucket })}`;
  for (const id of [randomUUID(), 'x', '%00', `${randomUUID()}x`]) {
    const url = `${target.url}${uploadsPath(bucket, 'k')}/${id}`;
    const body = JSON.stringify({ parts: someParts });
    await expectAll(
      [
        fetch(`${url}/1`, { method: 'PUT', headers: { authorization }, body: 'part' }),
        fetch(url, { headers: { authorization } }),
        fetch(url, { method: 'POST', headers: { authorization, 'content-type': 'application/json' }, body }),
        fetch(url, { method: 'DELETE', headers: { authorization } }),
      ],
      612,
      'no such uploadId',
    );
  }
});

describe('an id is good for its own object only:', () => {
  test('not under another key, nor without one [multipart-12]', async () => {
    const bucket = await newBucket();
    const upload = await beginUpload(bucket, { key: 'k' });
    await putPart(upload, 1, 'part');
    for (const key of ['other', '']) await expectAll(callsOf(upload.by({ key })), 612, 'no such uploadId');
    const unnamed = await beginUpload(bucket);
    await expectAll(callsOf(unnamed.by({ key: 'k' })), 612, 'no such uploadId');
    expect((await upload.complete(someParts)).status).toBe(200);
  });

  test('not with another account’s token, even for a bucket of its own [multipart-12]', async () => {
    const upload = await beginUpload(await newBucket(), { key: 'k' });
    const site = { url: target.url, account: target.stranger };
    await expectAll(callsOf(upload.by({ site })), 631, 'no such bucket');
    const own = `b-${randomUUID().slice(0, 13)}`;
    await createBucket(target.url, target.stranger, own);
    await expectAll(callsOf(upload.by({ site, policy: { scope: own } })), 403, MISMATCH);
    expect((await upload.list()).status).toBe(200);
  });
});

describe('tokens', () => {
  test('every call needs one [multipart-17]', async () => {
    const bucket = await newBucket();
    const upload = await beginUpload(bucket, { key: 'k' });
    await expectRefusal(await beginAnswer(bucket, { key: 'k', token: 'a:b:c' }), 401, 'bad token');
    await expectAll(callsOf(upload.by({ token: 'a:b:c' })), 401, 'bad token');
    const path = `${target.url}${uploadsPath(bucket, 'k')}`;
    await expectRefusal(await fetch(path, { method: 'POST' }), 401, 'token not specified');
  });

  test('one that expires midway is refused from then on, and a new one goes on with the same upload [multipart-17]', async () => {
    const bucket = await newBucket();
    const { result, deadline } = await beforeDeadline(async (end) => {
      const begun = await beginUpload(bucket, { key: 'k', policy: { deadline: end } });
      return { upload: begun, first: await putPart(begun, 1, randomContent(MIB)) };
    });
    const { upload, first } = result;
    await untilPast(deadline);
    await expectAll(callsOf(upload), 401, 'expired token');
    const renewed = upload.by({ policy: {} });
    expect((await renewed.complete([first, await putPart(renewed, 2, 'end')])).status).toBe(200);
  });
});

describe('scope', () => {
  test('a key outside of it is refused at the beginning, and a later token is judged anew [multipart-17]', async () => {
    const bucket = await newBucket();
    const scopes = [
      { scope: `${bucket}:other` },
      { scope: `${bucket}:other/`, isPrefixalScope: 1 },
      { keylimit: ['other'] },
    ];
    const upload = await beginUpload(bucket, { key: 'k' });
    await putPart(upload, 1, 'part');
    for (const policy of scopes) {
      await expectRefusal(await beginAnswer(bucket, { key: 'k', policy }), 403, MISMATCH);
      await expectAll(callsOf(upload.by({ policy })), 403, MISMATCH);
    }
    expect((await upload.complete(someParts)).status).toBe(200);
  });

  test('without a key it is judged when the object gets its name [multipart-17]', async () => {
    const bucket = await newBucket();
    const upload = await beginUpload(bucket, { policy: { scope: `${bucket}:named`, saveKey: 'other' } });
    const parts = await putParts(upload, ['part']);
    await expectRefusal(await upload.complete(parts), 403, MISMATCH);
    const right = upload.by({ policy: { scope: `${bucket}:named`, saveKey: 'named' } });
    expect((await right.complete(parts)).status).toBe(200);
  });

  test('a bucket’s overwrites, unless insertOnly says no: then the parts can still be used [multipart-17 policy-scope-18 policy-scope-19]', async () => {
    const bucket = await newBucket();
    await store('k', 'before', { bucket });
    for (const policy of [
      { insertOnly: 1 },
      { scope: `${bucket}:k`, isPrefixalScope: 1 },
      { scope: `${bucket}:k`, insertOnly: 1 },
    ]) {
      const upload = await beginUpload(bucket, { key: 'k', policy });
      const parts = await putParts(upload, ['after']);
      for (let tries = 0; tries < 2; tries++)
        await expectRefusal(await upload.complete(parts), 614, 'file exists');
      await expectContent(bucket, 'k', 'before');
      expect((await upload.list()).status).toBe(200);
    }
    const upload = await beginUpload(bucket, { key: 'k', policy: { insertOnly: 1 } });
    const parts = await putParts(upload, ['after']);
    await expectRefusal(await upload.complete(parts), 614, 'file exists');
    expect((await upload.by({ policy: {} }).complete(parts)).status).toBe(200);
    await expectContent(bucket, 'k', 'after');
  });
});

describe('limits of the policy', () => {
  test('content that is not recognised is no image, whatever its names are [policy-type-01]', async () => {
    const bucket = await newBucket();
    const upload = await beginUpload(bucket, { key: 'x.png', policy: { mimeLimit: 'image/*' } });
    const parts = await putParts(upload, [Uint8Array.of(0, 0x9c, 1)]);
    const names = { fname: 'x.png', mimeType: 'image/png' };
    const refused = await upload.complete(parts, names);
    await expectRefusal(refused, 403, 'limited mimeType: this file type is forbidden to upload');
    await expectNothing(bucket, 'x.png');
    expect((await upload.by({ policy: {} }).complete(parts, names)).status).toBe(200);
  });

  test.each([
    [{ fsizeLimit: MIB + 2 }, 413, 'request entity too large'],
    [{ fsizeMin: MIB + 4 }, 403, 'file size is below the limit of the upload policy'],
    [{ mimeLimit: 'image/*' }, 403, 'limited mimeType: this file type is forbidden to upload'],
  ])(
    '%j is judged at completion, and the upload is not lost [multipart-17]',
    async (policy, status, error) => {
      const bucket = await newBucket();
      const upload = await beginUpload(bucket, { key: 'k' });
      const parts = await putParts(upload, [randomContent(MIB), 'end']);
      await expectRefusal(await upload.by({ policy }).complete(parts), status, error);
      await expectNothing(bucket, 'k');
      expect((await upload.complete(parts)).status).toBe(200);
    },
  );

  test('no part is larger than fsizeLimit, nor than what the others leave of it; one that is replaced counts once [multipart-06]', async () => {
    const bucket = await newBucket();
    const upload = await beginUpload(bucket, { key: 'k', policy: { fsizeLimit: MIB + 3 } });
    await expectRefusal(await upload.put(1, randomContent(MIB + 4)), 413, 'request entity too large');
    await putPart(upload, 1, randomContent(MIB));
    await expectRefusal(await upload.put(2, 'four'), 413, 'request entity too large');
    await putPart(upload, 2, 'end');
    await expectRefusal(await upload.put(3, 'x'), 413, 'request entity too large');
    const content = randomContent(MIB);
    const parts = [await putPart(upload, 1, content), await putPart(upload, 2, 'END')];
    expect((await upload.complete(parts)).status).toBe(200);
    await expectContent(bucket, 'k', Buffer.concat([content, Buffer.from('END')]));
  });

  test('fileType names the class of the object [multipart-17]', async () => {
    const bucket = await newBucket();
    const upload = await beginUpload(bucket, { key: 'k', policy: { fileType: 1 } });
    expect((await upload.complete(await putParts(upload, ['part']))).status).toBe(200);
    expect(await recordOf(bucket, 'k')).toMatchObject({ type: 1 });
  });
});

test('methods that a path does not take answer 405', async () => {
  const upload = await beginUpload(await newBucket(), { key: 'k' });
  const path = `${target.url}${uploadsPath('b', 'k')}`;
  for (const [method, url] of [
    ['GET', path],
    ['PUT', `${path}/${upload.uploadId}`],
    ['POST', `${path}/${upload.uploadId}/1`],
  ] as const)
    expect((await fetch(url, { method })).status, `${method} ${url}`).toBe(405);
});

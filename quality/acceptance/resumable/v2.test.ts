import { createHash } from 'node:crypto';
import { etagOf } from '@millpond/protocol';
import { hashing } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { expectContent, expectRefusal, recordOf, statusesOf } from '../support/expectations.ts';
import {
  beginAnswer,
  beginUpload,
  type NamedPart,
  putPart,
  putParts,
  uploadInParts,
} from '../support/objects/multipart.ts';
import { randomContent, store } from '../support/objects/objects.ts';
import { download, newBucket, stat, upload as uploadForm } from '../support/target.ts';

const MIB = 1024 * 1024;
const WEEK = 7 * 86_400;

interface Listed {
  readonly uploadId: string;
  readonly expireAt: number;
  readonly partNumberMarker: number;
  readonly parts: (NamedPart & { readonly size: number; readonly putTime: number })[];
}

test('beginning answers an id and when it ends: in seven days [multipart-01]', async () => {
  const earliest = Math.floor(Date.now() / 1000) + WEEK;
  const answer = await beginAnswer(await newBucket(), { key: 'k' });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-reqid')).toMatch(/./);
  const { uploadId, expireAt, ...rest } = (await answer.json()) as Record<string, unknown>;
  expect(rest).toEqual({});
  expect(uploadId).toMatch(/^[\w-]{16,}$/);
  expect(expireAt).toBeGreaterThanOrEqual(earliest);
  expect(expireAt).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + WEEK);
});

test('a part answers its etag and the MD5 in hex [multipart-02]', async () => {
  const upload = await beginUpload(await newBucket(), { key: 'k' });
  for (const content of ['etag', '', 'ü'.repeat(100_000)]) {
    const answer = await upload.put(1, content);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { etag: etagOf(hashing, Buffer.from(content)), md5: createHash('md5').update(content).digest('hex') },
    ]);
  }
});

test('a Content-MD5 that is right is accepted, one that is wrong refused, and that part is not there [multipart-03]', async () => {
  const upload = await beginUpload(await newBucket(), { key: 'k' });
  const md5 = createHash('md5').update('content').digest('hex');
  for (const right of [md5, md5.toUpperCase()])
    expect((await upload.put(1, 'content', { 'content-md5': right })).status).toBe(200);
  for (const wrong of [md5.replace(/^./, (digit) => (digit === '0' ? '1' : '0')), 'nonsense', md5.slice(1)])
    expect((await upload.put(2, 'content', { 'content-md5': wrong })).status).toBe(406);
  const { parts } = (await (await upload.list()).json()) as Listed;
  expect(parts.map((part) => part.partNumber)).toEqual([1]);
});

test('parts in parallel and in any order, with gaps, give the bytes in the order of their numbers [multipart-04 multipart-05]', async () => {
  const bucket = await newBucket();
  const upload = await beginUpload(bucket, { key: 'in parts' });
  const contents = new Map([7, 2, 10_000, 30].map((number) => [number, randomContent(MIB + number)]));
  const parts = await Promise.all([...contents].map(([number, content]) => putPart(upload, number, content)));
  const inOrder = parts.toSorted((a, b) => a.partNumber - b.partNumber);
  const whole = Buffer.concat(inOrder.map(({ partNumber }) => contents.get(partNumber) ?? Buffer.alloc(0)));
  const answer = await upload.complete(inOrder);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { hash: expect.stringMatching(/^n[\w-]{27}$/), key: 'in parts' },
  ]);
  await expectContent(bucket, 'in parts', whole);
  expect(await recordOf(bucket, 'in parts')).toMatchObject({ fsize: whole.length });
});

test('a part that is sent again replaces the first, and what is not named is left out [multipart-06]', async () => {
  const bucket = await newBucket();
  const upload = await beginUpload(bucket, { key: 'k' });
  const [old] = await putParts(upload, [randomContent(MIB), 'the end', 'not named']);
  const fresh = randomContent(MIB + 5);
  const replaced = await putPart(upload, 1, fresh);
  const last = { partNumber: 2, etag: etagOf(hashing, Buffer.from('the end')) };
  expect((await upload.complete([old ?? last, last])).status).toBe(400);
  expect((await upload.complete([replaced, last])).status).toBe(200);
  await expectContent(bucket, 'k', Buffer.concat([fresh, Buffer.from('the end')]));
});

describe('the hash', () => {
  const zeros = (size: number) => Buffer.concat([Buffer.alloc(size - 1), Buffer.from('0')]);
  const as = Buffer.alloc(6 * MIB, 'A');

  test.each<[string, readonly Buffer[], string]>([
    ['nothing at all', [Buffer.alloc(0)], 'Fto5o-5ea0sNMlW_75VgGJCv2AcJ'],
    ['one small part', [Buffer.from('etag')], 'FpLiADEaVoALPkdb8tJEJyRTXoe_'],
    ['one part of 1 MiB', [zeros(MIB)], 'FnlAdmDasGTQOIgrU1QIZaGDv_1D'],
    ['4 MiB and one byte', [Buffer.alloc(4 * MIB), Buffer.from('0')], 'ljF323utglY3GI6AvLgawSJ4_dgk'],
    ['one part of 4 MiB', [as.subarray(0, 4 * MIB)], 'Fk4X-a-oP56Q2NxW-CO8oeaAHVWS'],
    ['4 MiB and an empty part', [as.subarray(0, 4 * MIB), Buffer.alloc(0)], 'Fk4X-a-oP56Q2NxW-CO8oeaAHVWS'],
    ['parts of 5 and 1 MiB', [as.subarray(MIB), as.subarray(0, MIB)], 'ngqDl2I-UdCzb_x6YZy7sELzGcz8'],
    ['parts of 4 and 2 MiB', [as.subarray(2 * MIB), as.subarray(0, 2 * MIB)], 'loBnA0n09CRrWh6Ppw-RL0RlCjG4'],
  ])('of %s is that of the published vector [multipart-18 etag-03]', async (_, contents, hash) => {
    const bucket = await newBucket();
    const answer = await uploadInParts(bucket, contents, { key: 'vector' });
    expect([answer.status, await answer.json()]).toEqual([200, { hash, key: 'vector' }]);
    expect(await recordOf(bucket, 'vector')).toMatchObject({ hash, fsize: Buffer.concat(contents).length });
    await expectContent(bucket, 'vector', Buffer.concat(contents));
  });

  test('of parts of 4 MiB is that of a form upload of the same bytes [multipart-18]', async () => {
    const bucket = await newBucket();
    const content = randomContent(9 * MIB);
    const form = await store('form', content, { bucket });
    const contents = [
      content.subarray(0, 4 * MIB),
      content.subarray(4 * MIB, 8 * MIB),
      content.subarray(8 * MIB),
    ];
    const answer = await uploadInParts(bucket, contents, { key: 'parts' });
    expect(await answer.json()).toEqual({ hash: form.hash, key: 'parts' });
  });
});

test('the list shows the parts with size, etag, number and time, in pages [multipart-11]', async () => {
  const begun = Math.floor(Date.now() / 1000);
  const upload = await beginUpload(await newBucket(), { key: 'k' });
  const parts = await Promise.all(
    [1, 2, 3, 5, 10_000].map((number) => putPart(upload, number, `part ${number}`)),
  );
  const list = async (query: string) => (await (await upload.list(query)).json()) as Listed;
  const whole = await list('');
  expect(whole).toMatchObject({ uploadId: upload.uploadId, expireAt: upload.expireAt, partNumberMarker: 0 });
  expect(whole.parts.map(({ partNumber, etag }) => ({ partNumber, etag }))).toEqual(parts);
  for (const { size, partNumber, putTime } of whole.parts) {
    expect(size).toBe(`part ${partNumber}`.length);
    expect(putTime / 1e7).toBeGreaterThanOrEqual(begun);
    expect(putTime / 1e7).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
  }
  const pages: number[][] = [];
  for (let marker = 0; pages.length < 10; ) {
    const page = await list(`?max-parts=2&part-number_marker=${marker}`);
    pages.push(page.parts.map((part) => part.partNumber));
    marker = page.partNumberMarker;
    if (marker === 0) break;
  }
  expect(pages).toEqual([[1, 2], [3, 5], [10_000]]);
  for (const query of ['?max-parts=0', '?max-parts=1001', '?max-parts=x', '?part-number_marker=-1'])
    expect((await upload.list(query)).status, query).toBe(400);
});

describe('without a key', () => {
  test('the object is named by its hash [multipart-13]', async () => {
    const bucket = await newBucket();
    const answer = await uploadInParts(bucket, ['some content']);
    const hash = etagOf(hashing, Buffer.from('some content'));
    expect([answer.status, await answer.json()]).toEqual([200, { hash, key: hash }]);
    await expectContent(bucket, hash, 'some content');
  });

  test('the object is named by the policy, which beats the client where it says so [multipart-13]', async () => {
    const bucket = await newBucket();
    const saveKey = 'up/$(x:name)-$(fsize)';
    for (const [options, key] of [
      [{ policy: { saveKey } }, 'up/a-12'],
      [{ policy: { saveKey, forceSaveKey: true }, key: 'mine' }, 'up/a-12'],
      [{ policy: { saveKey, forceSaveKey: true, scope: `${bucket}:up/a-12` }, key: 'mine' }, 'up/a-12'],
      [{ policy: { saveKey }, key: 'mine' }, 'mine'],
    ] as const) {
      const upload = await beginUpload(bucket, options);
      const parts = await putParts(upload, ['some content']);
      const answer = await upload.complete(parts, { customVars: { 'x:name': 'a' } });
      expect([answer.status, await answer.json()]).toMatchObject([200, { key }]);
    }
  });

  test('the empty key is a key [multipart-13]', async () => {
    const bucket = await newBucket();
    const answer = await uploadInParts(bucket, ['some content'], { key: '' });
    expect([answer.status, await answer.json()]).toMatchObject([200, { key: '' }]);
  });
});

test('beginning, and all parts, leave an object of the key as it is until the completion [multipart-14]', async () => {
  const bucket = await newBucket();
  await store('k', 'before', { bucket });
  const before = await recordOf(bucket, 'k');
  const uploads = [await beginUpload(bucket, { key: 'k' }), await beginUpload(bucket, { key: 'k' })];
  const parts = await Promise.all(uploads.map((upload, index) => putParts(upload, [`after ${index}`])));
  expect(await recordOf(bucket, 'k')).toEqual(before);
  await expectContent(bucket, 'k', 'before');
  for (const [index, upload] of uploads.entries()) {
    expect((await upload.complete(parts[index] ?? [])).status).toBe(200);
    await expectContent(bucket, 'k', `after ${index}`);
  }
  expect((await recordOf(bucket, 'k')).putTime).toBeGreaterThan(before.putTime);
});

test('fname, mimeType, metadata and customVars are used like the fields of a form [multipart-15]', async () => {
  const bucket = await newBucket();
  const returnBody =
    '{"key":$(key),"name":$(fname),"ext":$(ext),"type":$(mimeType),"size":$(fsize),"a":$(x:a),"etag":$(etag)}';
  const upload = await beginUpload(bucket, { key: 'k', policy: { returnBody } });
  const answer = await upload.complete(await putParts(upload, ['some content']), {
    fname: 'ü "x".csv',
    mimeType: 'application/x-own',
    metadata: { 'x-svc-meta-Colour': 'blue', 'x-svc-meta-size': 'xl' },
    customVars: { 'x:a': 'v&1' },
  });
  expect([answer.status, await answer.json()]).toEqual([
    200,
    {
      key: 'k',
      name: 'ü "x".csv',
      ext: '.csv',
      type: 'application/x-own',
      size: 12,
      a: 'v&1',
      etag: etagOf(hashing, Buffer.from('some content')),
    },
  ]);
  const read = await download(bucket, 'k');
  expect([
    read.headers.get('content-type'),
    read.headers.get('x-svc-meta-colour'),
    read.headers.get('x-svc-meta-size'),
  ]).toEqual(['application/x-own', 'blue', 'xl']);
});

test('the type is detected from the first part’s bytes where nobody says it [multipart-15]', async () => {
  const bucket = await newBucket();
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(MIB)]);
  expect((await uploadInParts(bucket, [png, 'end'], { key: 'image' })).status).toBe(200);
  expect(await recordOf(bucket, 'image')).toMatchObject({ mimeType: 'image/png' });
});

test('one completion answers, another finds no upload, and the object stays [multipart-04 multipart-12]', async () => {
  const bucket = await newBucket();
  const upload = await beginUpload(bucket, { key: 'k' });
  const parts = await putParts(upload, [randomContent(MIB), 'end']);
  expect((await upload.complete(parts)).status).toBe(200);
  const before = await recordOf(bucket, 'k');
  expect((await upload.complete(parts.slice(0, 1))).status).toBe(612);
  expect(await recordOf(bucket, 'k')).toEqual(before);
});

test('of several different completions at once one answers 200, the others 612, and the object is whole [multipart-04]', async () => {
  const bucket = await newBucket();
  for (const policy of [{}, { insertOnly: 1 }]) {
    for (let round = 0; round < 4; round++) {
      const key = `${policy.insertOnly ?? 0}-${round}`;
      const upload = await beginUpload(bucket, { key, policy });
      const contents = [randomContent(MIB), randomContent(10)];
      const parts = await putParts(upload, contents);
      const answers = await Promise.all(['a', 'b', 'c'].map((fname) => upload.complete(parts, { fname })));
      expect(statusesOf(answers)).toEqual([200, 612, 612]);
      await expectContent(bucket, key, Buffer.concat(contents));
    }
  }
});

test('uploads to one key at once, each from its own parts: the object is one of them, whole [multipart-05]', async () => {
  const bucket = await newBucket();
  const contents = Array.from({ length: 6 }, () => [randomContent(MIB), randomContent(20)]);
  const answers = await Promise.all(contents.map((parts) => uploadInParts(bucket, parts, { key: 'k' })));
  const hashes = await Promise.all(
    answers.map(async (answer) => ((await answer.json()) as { hash: string }).hash),
  );
  expect(answers.map(({ status }) => status)).toEqual(contents.map(() => 200));
  const { hash } = await recordOf(bucket, 'k');
  await expectContent(bucket, 'k', Buffer.concat(contents[hashes.indexOf(hash)] ?? []));
});

test('identical content that is there already is a success, and the object is not touched [multipart-17]', async () => {
  const bucket = await newBucket();
  expect((await uploadForm({ scope: bucket }, 'same', { key: 'k' })).status).toBe(200);
  const before = await (await stat(bucket, 'k')).text();
  const answer = await uploadInParts(bucket, ['same'], { key: 'k', policy: { insertOnly: 1 } });
  expect(answer.status).toBe(200);
  expect(await (await stat(bucket, 'k')).text()).toBe(before);
});

test('the same bytes in another shape count as different content: 614 where nothing may be overwritten [policy-rule-15]', async () => {
  const bucket = await newBucket();
  const content = randomContent(6 * MIB);
  const before = await store('k', content, { bucket });
  const shapes = { same: 4 * MIB, other: 5 * MIB };
  const send = (at: number) =>
    uploadInParts(bucket, [content.subarray(0, at), content.subarray(at)], {
      key: 'k',
      policy: { insertOnly: 1 },
    });
  await expectRefusal(await send(shapes.other), 614, 'file exists');
  const same = await send(shapes.same);
  expect([same.status, await same.json()]).toEqual([200, { hash: before.hash, key: 'k' }]);
  await expectContent(bucket, 'k', content);
});

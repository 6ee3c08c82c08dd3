import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { statTarget } from '../support/objects/objects.ts';
import { elementsIn, expectS3Refusal, newS3Bucket, type S3Response, s3 } from '../support/s3/signed.ts';
import { sendSigned } from '../support/signing.ts';

const MIN_PART_BYTES = 5 * 1024 * 1024;
const first = randomBytes(MIN_PART_BYTES);
const last = Buffer.from('the last part may be short');

let bucket = '';
beforeAll(async () => {
  bucket = await newS3Bucket();
});

const md5 = (...pieces: Uint8Array[]) => {
  const hash = createHash('md5');
  for (const piece of pieces) hash.update(piece);
  return hash.digest();
};
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const [firstTag, lastTag] = [hex(md5(first)), hex(md5(last))];
const whole = hex(md5(md5(first), md5(last)));

async function begin(key: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await s3(`/${bucket}/${key}?uploads`, { method: 'POST', headers });
  const [id = ''] = elementsIn(answer, 'UploadId');
  expect(id).not.toBe('');
  return id;
}

function part(key: string, id: string, number: number, body: Buffer<ArrayBuffer>): Promise<S3Response> {
  return s3(`/${bucket}/${key}?partNumber=${number}&uploadId=${id}`, { method: 'PUT', body });
}

function complete(
  key: string,
  id: string,
  parts: readonly (readonly [number, string])[],
  headers = {},
): Promise<S3Response> {
  const named = parts.map(
    ([number, etag]) => `<Part><PartNumber>${number}</PartNumber><ETag>"${etag}"</ETag></Part>`,
  );
  const body = `<CompleteMultipartUpload>${named.join('')}</CompleteMultipartUpload>`;
  return s3(`/${bucket}/${key}?uploadId=${id}`, { method: 'POST', body, headers });
}

describe('an upload in parts', () => {
  test('has gaps, a first part that is not 1, and an ETag of the parts that were named [S38 S74 S76]', async () => {
    const id = await begin('gaps', { 'content-type': 'text/x', 'x-amz-meta-a': '1' });
    expect((await part('gaps', id, 2, first)).headers.get('etag')).toBe(`"${firstTag}"`);
    await part('gaps', id, 5, Buffer.from('not named'));
    await part('gaps', id, 9, last);
    expect(elementsIn(await s3(`/${bucket}/gaps?uploadId=${id}`), 'PartNumber')).toEqual(['2', '5', '9']);
    const done = await complete('gaps', id, [
      [2, firstTag],
      [9, lastTag],
    ]);
    expect(elementsIn(done, 'ETag')).toEqual([`&quot;${whole}-2&quot;`]);
    const head = await s3(`/${bucket}/gaps`, { method: 'HEAD' });
    expect(head.headers.get('etag')).toBe(`"${whole}-2"`);
    expect([head.headers.get('content-type'), head.headers.get('x-amz-meta-a')]).toEqual(['text/x', '1']);
    const second = await s3(`/${bucket}/gaps?partNumber=2`);
    expect([second.status, second.text]).toEqual([206, last.toString()]);
    expect(second.headers.get('x-amz-mp-parts-count')).toBe('2');
    // To our own protocol it is an object like any other.
    expect((await sendSigned({ target: statTarget(bucket, 'gaps') })).status).toBe(200);
  });

  test('completed twice answers twice the same, as long as the object is that one [S72]', async () => {
    const id = await begin('twice');
    await part('twice', id, 1, last);
    const both = await Promise.all([
      complete('twice', id, [[1, lastTag]]),
      complete('twice', id, [[1, lastTag]]),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(both.map((answer) => elementsIn(answer, 'ETag')[0])).size).toBe(1);
    await s3(`/${bucket}/twice`, { method: 'PUT', body: 'another' });
    expectS3Refusal(await complete('twice', id, [[1, lastTag]]), 404, 'NoSuchUpload');
  });

  test('survives refusals: small parts, old ETags, wrong order, no parts [S71 S73]', async () => {
    const id = await begin('refused');
    await part('refused', id, 1, Buffer.from('small'));
    await part('refused', id, 2, last);
    const small = hex(md5(Buffer.from('small')));
    expectS3Refusal(
      await complete('refused', id, [
        [1, small],
        [2, lastTag],
      ]),
      400,
      'EntityTooSmall',
    );
    expectS3Refusal(await complete('refused', id, [[1, firstTag]]), 400, 'InvalidPart');
    expectS3Refusal(await complete('refused', id, [[3, small]]), 400, 'InvalidPart');
    expectS3Refusal(
      await complete('refused', id, [
        [2, lastTag],
        [1, small],
      ]),
      400,
      'InvalidPartOrder',
    );
    expectS3Refusal(await complete('refused', id, []), 400, 'MalformedXML');
    expect((await complete('refused', id, [[1, small]])).status).toBe(200);
    expect((await s3(`/${bucket}/refused`)).text).toBe('small');
  });

  test('that is given up leaves nothing, and can’t be given up again [S77]', async () => {
    const id = await begin('aborted');
    await part('aborted', id, 1, last);
    const abort = () => s3(`/${bucket}/aborted?uploadId=${id}`, { method: 'DELETE' });
    expect((await abort()).status).toBe(204);
    expectS3Refusal(await abort(), 404, 'NoSuchUpload');
    expectS3Refusal(await part('aborted', id, 1, last), 404, 'NoSuchUpload');
    expect((await s3(`/${bucket}/aborted`, { method: 'HEAD' })).status).toBe(404);
  });

  test('can depend on what is there', async () => {
    const id = await begin('once');
    await part('once', id, 1, last);
    await s3(`/${bucket}/once`, { method: 'PUT', body: 'first' });
    expectS3Refusal(
      await complete('once', id, [[1, lastTag]], { 'if-none-match': '*' }),
      412,
      'PreconditionFailed',
    );
    const etag = hex(md5(Buffer.from('first')));
    expect((await complete('once', id, [[1, lastTag]], { 'if-match': `"${etag}"` })).status).toBe(200);
  });

  test('belongs to the protocol and the key that it was begun with', async () => {
    const id = await begin('mine');
    expectS3Refusal(await part('other', id, 1, last), 404, 'NoSuchUpload');
    const encoded = Buffer.from('mine').toString('base64url');
    const listed = await sendSigned({ target: `/buckets/${bucket}/objects/${encoded}/uploads/${id}` });
    expect(listed.status).not.toBe(200);
    expectS3Refusal(
      await s3(`/${bucket}/mine?partNumber=1`, { method: 'PUT', body: 'x' }),
      400,
      'InvalidArgument',
    );
    expectS3Refusal(await part('mine', id, 10_001, last), 400, 'InvalidArgument');
  });

  test('takes parts from other objects, in ranges [S75]', async () => {
    await s3(`/${bucket}/source`, { method: 'PUT', body: first });
    const id = await begin('assembled');
    const copy = (number: number, range?: string) =>
      s3(`/${bucket}/assembled?partNumber=${number}&uploadId=${id}`, {
        method: 'PUT',
        headers: {
          'x-amz-copy-source': `/${bucket}/source`,
          ...(range !== undefined && { 'x-amz-copy-source-range': range }),
        },
      });
    expectS3Refusal(await copy(1, `bytes=0-${MIN_PART_BYTES}`), 416, 'InvalidRange');
    expectS3Refusal(await copy(1, 'bytes=5'), 400, 'InvalidArgument');
    expect(elementsIn(await copy(1), 'ETag')).toEqual([`&quot;${firstTag}&quot;`]);
    expect((await copy(2, 'bytes=1-3')).status).toBe(200);
    const middle = first.subarray(1, 4);
    const done = await complete('assembled', id, [
      [1, firstTag],
      [2, hex(md5(middle))],
    ]);
    expect(done.status).toBe(200);
    const range = await s3(`/${bucket}/assembled?partNumber=2`, { method: 'HEAD' });
    expect(range.headers.get('content-range')).toBe(
      `bytes ${MIN_PART_BYTES}-${MIN_PART_BYTES + 2}/${MIN_PART_BYTES + 3}`,
    );
  });
});

test('uploads are listed by key and upload, and those of one key page by page', async () => {
  const own = await newS3Bucket();
  const begun = async (key: string) =>
    elementsIn(await s3(`/${own}/${key}?uploads`, { method: 'POST' }), 'UploadId')[0] ?? '';
  const ids = [await begun('a'), await begun('a')].toSorted();
  ids.push(await begun('b/1'), await begun('b/2'));
  const all = await s3(`/${own}?uploads`);
  expect(elementsIn(all, 'UploadId')).toEqual([...ids.slice(0, 2), ids[2], ids[3]]);
  const page = await s3(`/${own}?uploads&max-uploads=1`);
  expect(elementsIn(page, 'UploadId')).toEqual([ids[0]]);
  expect(elementsIn(page, 'NextUploadIdMarker')).toEqual([ids[0]]);
  const next = await s3(`/${own}?uploads&max-uploads=1&key-marker=a&upload-id-marker=${ids[0]}`);
  expect(elementsIn(next, 'UploadId')).toEqual([ids[1]]);
  const grouped = await s3(`/${own}?uploads&delimiter=/`);
  expect(elementsIn(grouped, 'UploadId')).toEqual(ids.slice(0, 2));
  expect(grouped.text).toContain('<CommonPrefixes><Prefix>b/</Prefix></CommonPrefixes>');
  // They do not keep the bucket [S53].
  expect((await s3(`/${own}`, { method: 'DELETE' })).status).toBe(204);
});

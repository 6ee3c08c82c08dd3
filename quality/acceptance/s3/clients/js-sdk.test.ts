/** The SDK for JavaScript, version 3, with its defaults: checksums in headers and trailers, streams, parts. */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { expect, test } from 'vitest';
import { collected } from '../../support/running/sdk.ts';
import { fetchPresigned } from '../../support/s3/fetching.ts';
import { s3BucketName, s3Places } from '../../support/s3/fixtures.ts';
import { s3Sdk } from '../../support/s3/sdk.ts';

async function bytesOf(client: S3Client, Bucket: string, Key: string, Range?: string): Promise<Buffer> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, Range }));
  return buffer(Body as Readable);
}

test.each(s3Places)('JS SDK over $name: buffers, streams, parts, lists, presigned URLs', async (at) => {
  const [client, Bucket] = [s3Sdk(at), s3BucketName()];
  await client.send(new CreateBucketCommand({ Bucket }));

  const put = await client.send(
    new PutObjectCommand({ Bucket, Key: 'ü + a/b', Body: 'hello world', Metadata: { colour: 'blue' } }),
  );
  expect(put).toMatchObject({ ETag: '"5eb63bbbe01eeed093cb22bb8f5acdc3"', ChecksumCRC32: 'DUoRhQ==' });
  expect(await client.send(new HeadObjectCommand({ Bucket, Key: 'ü + a/b' }))).toMatchObject({
    ContentLength: 11,
    Metadata: { colour: 'blue' },
  });
  expect((await bytesOf(client, Bucket, 'ü + a/b')).toString()).toBe('hello world');
  expect((await bytesOf(client, Bucket, 'ü + a/b', 'bytes=6-8')).toString()).toBe('wor');

  // A stream goes out in chunks with its checksum after them, also without TLS.
  const streamed = randomBytes(300_000);
  const Body = Readable.from([streamed.subarray(0, 100_001), streamed.subarray(100_001)]);
  await client.send(new PutObjectCommand({ Bucket, Key: 'streamed', Body, ContentLength: streamed.length }));
  expect((await bytesOf(client, Bucket, 'streamed')).equals(streamed)).toBe(true);

  const large = randomBytes(11 * 1024 * 1024);
  const upload = new Upload({ client, params: { Bucket, Key: 'large', Body: Readable.from([large]) } });
  expect((await upload.done()).ETag).toMatch(/^"[0-9a-f]{32}-3"$/);
  expect((await bytesOf(client, Bucket, 'large')).equals(large)).toBe(true);
  await client.send(
    new CopyObjectCommand({
      Bucket,
      Key: 'copied',
      CopySource: `${Bucket}/${encodeURIComponent('ü + a/b')}`,
    }),
  );

  const pages = paginateListObjectsV2({ client, pageSize: 2 }, { Bucket });
  const keys = (await collected(pages)).flatMap(({ Contents = [] }) => Contents.map(({ Key }) => Key));
  expect(keys).toEqual(['copied', 'large', 'streamed', 'ü + a/b']);

  const toPut = await getSignedUrl(client, new PutObjectCommand({ Bucket, Key: 'by URL' }));
  expect(await fetchPresigned(toPut, at, { method: 'PUT', body: 'any body' })).toMatchObject({ status: 200 });
  const toGet = await getSignedUrl(client, new GetObjectCommand({ Bucket, Key: 'by URL' }));
  expect((await fetchPresigned(toGet, at)).body.toString()).toBe('any body');

  const Objects = [...keys, 'by URL'].map((Key) => ({ Key }));
  const deleted = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
  expect(deleted.Deleted).toHaveLength(5);
  expect((await client.send(new ListObjectsV2Command({ Bucket }))).KeyCount).toBe(0);
  await client.send(new DeleteBucketCommand({ Bucket }));
});

/**
 * Random sequences of calls, each by S3 or by the other protocol, against a model that is a map: whatever one has written,
 * both show.
 */
import { hash } from 'node:crypto';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { formatEntry } from '@millpond/protocol';
import { signedFetch } from '@millpond/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chgm } from '../support/objects/change-metadata.ts';
import { callOperation, relocate } from '../support/objects/operations.ts';
import { s3Sdk } from '../support/s3/sdk.ts';
import { download, newBucket, target, upload } from '../support/target.ts';

const RUNS = 8;
const STEPS = 25;
const KEYS = ['a', 'a/', 'a/b', 'b', 'é + %', '/lead'] as const;

const place = fc.record({ bucket: fc.constantFrom(0, 1), key: fc.constantFrom(...KEYS) });
/** Empty: none. */
const caching = fc.constantFrom('', 'no-cache', 'max-age=60');
const byS3 = fc.boolean();
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('put' as const), byS3, at: place, caching }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('chgm' as const), at: place, caching }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('move' as const), at: place, to: place }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), byS3, at: place }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('copy' as const), byS3, at: place, to: place }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type ObjectRef = { readonly bucket: number; readonly key: string };

interface ModelObject {
  readonly content: string;
  readonly caching: string;
  /** Only what came by S3 has its MD5 as ETag. */
  readonly hasMd5: boolean;
}

const nameOf = ({ bucket, key }: ObjectRef) => `${bucket}:${key}`;
const isSame = (a: ObjectRef, b: ObjectRef) => nameOf(a) === nameOf(b);
const inBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** What a step must answer, by the words of its protocol, and what it does to the model. */
function applyToModel(model: Map<string, ModelObject>, each: Step, content: string): number {
  const at = nameOf(each.at);
  const held = model.get(at);
  const isByS3 = 'byS3' in each && each.byS3;
  if (each.kind === 'put') {
    model.set(at, { content, caching: each.caching, hasMd5: isByS3 });
    return 200;
  }
  if (each.kind === 'delete') {
    model.delete(at);
    // S3 does not say whether there was something.
    if (isByS3) return 204;
    return held === undefined ? 612 : 200;
  }
  if (held === undefined) return isByS3 ? 404 : 612;
  if (each.kind === 'chgm') {
    model.set(at, { ...held, caching: each.caching });
    return 200;
  }
  // A copy onto itself that changes nothing is a mistake by S3.
  if (isByS3 && isSame(each.at, each.to)) return 400;
  if (each.kind === 'move') model.delete(at);
  model.set(nameOf(each.to), held);
  return 200;
}

const statusOf = (error: unknown) =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode ?? 0;

async function applyByS3(
  s3: S3Client,
  buckets: readonly string[],
  each: Step,
  content: string,
): Promise<number> {
  const [Bucket, Key] = [buckets[each.at.bucket] ?? '', each.at.key];
  const sent =
    each.kind === 'put'
      ? s3.send(new PutObjectCommand({ Bucket, Key, Body: content, ...cacheControl(each.caching) }))
      : each.kind === 'copy'
        ? s3.send(
            new CopyObjectCommand({
              Bucket: buckets[each.to.bucket] ?? '',
              Key: each.to.key,
              CopySource: `${Bucket}/${encodeURIComponent(Key)}`,
            }),
          )
        : s3.send(new DeleteObjectCommand({ Bucket, Key }));
  return sent.then(({ $metadata }) => $metadata.httpStatusCode ?? 0, statusOf);
}

function cacheControl(value: string): { CacheControl?: string } {
  return value === '' ? {} : { CacheControl: value };
}

async function applyNatively(buckets: readonly string[], each: Step, content: string): Promise<number> {
  const real = ({ bucket, key }: ObjectRef) => ({ bucket: buckets[bucket] ?? '', key });
  const at = real(each.at);
  switch (each.kind) {
    case 'put': {
      const fields = { 'x-svc-meta-!Cache-Control': each.caching };
      return (await upload({ scope: `${at.bucket}:${at.key}` }, content, { key: at.key, fields })).status;
    }
    case 'chgm':
      return (await chgm(at.bucket, at.key, { meta: { '!Cache-Control': each.caching } })).status;
    case 'delete':
      return (await callOperation(`/delete/${formatEntry(at.bucket, at.key)}`)).status;
    case 'copy':
    case 'move':
      return (await relocate(each.kind, at, real(each.to), true)).status;
  }
}

interface ObservedObject {
  readonly key: string;
  readonly content: string;
  readonly caching: string;
}

async function shownNatively(bucket: string): Promise<ObservedObject[]> {
  const answer = await signedFetch(target.url, target.account, `/list?bucket=${bucket}`);
  const { items } = (await answer.json()) as { items: { key: string }[] };
  return Promise.all(
    items.map(async ({ key }) => {
      const read = await download(bucket, key);
      return { key, content: await read.text(), caching: read.headers.get('cache-control') ?? '' };
    }),
  );
}

async function shownByS3(
  s3: S3Client,
  Bucket: string,
): Promise<(ObservedObject & { etag: string | undefined })[]> {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
  return Promise.all(
    Contents.map(async ({ Key: key = '', ETag, Size }) => {
      const {
        Body,
        CacheControl = '',
        ETag: read,
      } = await s3.send(new GetObjectCommand({ Bucket, Key: key }));
      const content = (await Body?.transformToString()) ?? '';
      expect([read, Size]).toEqual([ETag, Buffer.byteLength(content)]);
      return { key, content, caching: CacheControl, etag: ETag };
    }),
  );
}

test('what is written by one protocol is read by the other, as a map would have it', async () => {
  const s3 = s3Sdk();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: STEPS }), async (steps) => {
      const buckets = [await newBucket(), await newBucket()];
      const model = new Map<string, ModelObject>();
      for (const [index, each] of steps.entries()) {
        const content = `content ${index}`;
        const expected = applyToModel(model, each, content);
        const status =
          'byS3' in each && each.byS3
            ? await applyByS3(s3, buckets, each, content)
            : await applyNatively(buckets, each, content);
        expect(status, JSON.stringify(each)).toBe(expected);
      }
      for (const [index, bucket] of buckets.entries()) {
        const held = [...model]
          .filter(([name]) => name.startsWith(`${index}:`))
          .map(([name, value]) => ({ key: name.slice(2), ...value }))
          .toSorted((a, b) => inBytes(a.key, b.key));
        const plain = held.map(({ key, content, caching: cached }) => ({ key, content, caching: cached }));
        expect(await shownNatively(bucket)).toEqual(plain);
        expect(await shownByS3(s3, bucket)).toEqual(
          plain.map((each, at) => ({
            ...each,
            etag: held[at]?.hasMd5
              ? `"${hash('md5', each.content)}"`
              : expect.stringMatching(/^"[0-9a-f]{32}-1"$/),
          })),
        );
      }
    }),
    { numRuns: RUNS },
  );
});

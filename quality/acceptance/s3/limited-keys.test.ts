/** Every operation of the S3 listener with keys that have limits: what they forbid is AccessDenied, with the limit's name. */
import { createHmac } from 'node:crypto';
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Account } from '@millpond/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Asks } from '../support/accounts/access-matrix/index.ts';
import { userCall } from '../support/accounts/accounts.ts';
import { type LimitedKey, limitedKeys } from '../support/accounts/limited-keys.ts';
import { codeOf, elementsIn, newS3Bucket, putNatively, type S3Response, s3 } from '../support/s3/signed.ts';
import { newBucket, target } from '../support/target.ts';

type Operation = readonly [name: string, method: string, path: string, asks: Asks, more?: More];
interface More {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const asks = (of: Asks['of'], ...actions: Asks['actions'][number][]): Asks => ({ of, actions });
const [READ, WRITE] = [asks('object', 'read'), asks('object', 'write')];
const REPLACE = asks('object', 'write', 'delete');
const ADMINISTER = asks('bucket', 'administer');
const UPLOAD = 'uploadId=00000000-0000-4000-8000-000000000000';
const tagging = '<Tagging><TagSet/></Tagging>';
const parts =
  '<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>e</ETag></Part></CompleteMultipartUpload>';

/** On an object `k` that exists; what a body says beyond that does not matter, because limits come first. */
const objectOperations: readonly Operation[] = [
  ['GetObject', 'GET', '/k', READ],
  ['HeadObject', 'HEAD', '/k', READ],
  ['GetObjectAttributes', 'GET', '/k?attributes', READ, { headers: { 'x-amz-object-attributes': 'ETag' } }],
  ['GetObjectTagging', 'GET', '/k?tagging', READ],
  ['GetObjectAcl', 'GET', '/k?acl', READ],
  ['PutObject', 'PUT', '/k-new', WRITE, { body: 'x' }],
  ['PutObject over another', 'PUT', '/k', REPLACE, { body: 'x' }],
  [
    'CopyObject over another',
    'PUT',
    '/k',
    asks('object', 'read', 'write', 'delete'),
    { headers: { source: '/k-source' } },
  ],
  ['PutObjectTagging', 'PUT', '/k?tagging', WRITE, { body: tagging }],
  ['DeleteObjectTagging', 'DELETE', '/k?tagging', WRITE],
  ['PutObjectAcl', 'PUT', '/k?acl', WRITE, { headers: { 'x-amz-acl': 'private' } }],
  ['RestoreObject', 'POST', '/k?restore', WRITE, { body: '<RestoreRequest/>' }],
  ['DeleteObject', 'DELETE', '/k', asks('object', 'delete')],
  ['CreateMultipartUpload', 'POST', '/k?uploads', WRITE],
  ['UploadPart', 'PUT', `/k?partNumber=1&${UPLOAD}`, WRITE, { body: 'x' }],
  ['UploadPartCopy', 'PUT', `/k?partNumber=1&${UPLOAD}`, WRITE, { headers: { source: '/k-source' } }],
  ['ListParts', 'GET', `/k?${UPLOAD}`, WRITE],
  ['CompleteMultipartUpload', 'POST', `/k?${UPLOAD}`, WRITE, { body: parts }],
  ['AbortMultipartUpload', 'DELETE', `/k?${UPLOAD}`, WRITE],
];

const settings = ['cors', 'lifecycle', 'policy', 'publicAccessBlock', 'tagging'];
const reads = [
  'acl',
  'versioning',
  'policyStatus',
  'notification',
  'encryption',
  'object-lock',
  'website',
  'logging',
  'ownershipControls',
  'requestPayment',
  'accelerate',
  'replication',
  'metrics',
  'analytics',
  'inventory',
  'intelligent-tiering',
];
const bucketOperations: readonly Operation[] = [
  ['ListObjects', 'GET', '', asks('bucket', 'list')],
  ['ListObjects under a prefix', 'GET', '?prefix=k', asks('object', 'list')],
  ['ListObjectsV2', 'GET', '?list-type=2', asks('bucket', 'list')],
  ['ListObjectsV2 under a prefix', 'GET', '?list-type=2&prefix=k', asks('object', 'list')],
  ['ListObjectVersions', 'GET', '?versions', asks('bucket', 'list')],
  ['ListMultipartUploads', 'GET', '?uploads', asks('bucket', 'list')],
  ['HeadBucket', 'HEAD', '', asks('way to objects', 'list')],
  ['GetBucketLocation', 'GET', '?location', asks('way to objects', 'list')],
  ['CreateBucket', 'PUT', '', ADMINISTER],
  ['DeleteBucket', 'DELETE', '', ADMINISTER],
  ...[...settings, ...reads].map((name): Operation => [`Get ${name}`, 'GET', `?${name}`, ADMINISTER]),
  ...settings.map((name): Operation => [`Delete ${name}`, 'DELETE', `?${name}`, ADMINISTER]),
  ...settings.map((name): Operation => [`Put ${name}`, 'PUT', `?${name}`, ADMINISTER, { body: tagging }]),
];

let bucket: string;
let kinds: readonly LimitedKey[];
const keys = new Map<LimitedKey, Account>();
let denied = 0;

async function keyWith(limits: object): Promise<Account> {
  const made = await userCall('create_key', { limits: JSON.stringify(limits) });
  const { key, secret } = made.json() as { key: string; secret: string };
  return { ...target.account, accessKey: key, secretKey: secret };
}

beforeAll(async () => {
  bucket = await newS3Bucket();
  kinds = limitedKeys(bucket);
  for (const kind of kinds) keys.set(kind, await keyWith(kind.limits));
  for (const key of ['k', 'k-source']) await putNatively(bucket, key, 'source');
});

/** The limit that a refusal names. A refusal to HEAD has no body to name one. */
function limitIn(answer: S3Response, method: string): string | undefined {
  if (method === 'HEAD') return answer.status === 403 ? 'some' : undefined;
  return /limit (\w+): /.exec(elementsIn(answer, 'Message').join())?.[1];
}

async function tryAll([, method, path, asked, more = {}]: Operation): Promise<void> {
  const { source, ...others } = more.headers ?? {};
  const headers = source === undefined ? others : { ...others, 'x-amz-copy-source': `/${bucket}${source}` };
  const isChange = asked.of === 'object' && method !== 'GET' && method !== 'HEAD';
  for (const kind of kinds) {
    const isAllowed = kind.allows(asked);
    if (isChange) {
      await putNatively(bucket, 'k', 'content');
      await s3(`/${bucket}/k-new`, { method: 'DELETE' });
    }
    const body = more.body === undefined ? {} : { body: more.body };
    const by = keys.get(kind) as Account;
    const answer = await s3(`/${bucket}${path}`, { method, headers, by, ...body });
    const expected = isAllowed ? undefined : method === 'HEAD' ? 'some' : kind.limit;
    expect(limitIn(answer, method), `${kind.name}: ${answer.status} ${answer.text}`).toBe(expected);
    if (isAllowed) continue;
    denied++;
    if (method !== 'HEAD') expect([answer.status, codeOf(answer)]).toEqual([403, 'AccessDenied']);
    if (!isChange) continue;
    const kept = await s3(`/${bucket}/k`);
    expect([kept.status, kept.text]).toEqual([200, 'content']);
  }
}

const named = (operation: Operation) => ({ name: operation[0], operation });

describe('an object', () => {
  test.each(objectOperations.map(named))('$name', ({ operation }) => tryAll(operation));
});

describe('a bucket', () => {
  test.each(bucketOperations.map(named))('$name', ({ operation }) => tryAll(operation));
});

test('DeleteObjects refuses each that is forbidden, in the answer', async () => {
  const by = await keyWith({ prefixes: ['gone/'] });
  for (const key of ['gone/a', 'kept/a']) await putNatively(bucket, key, 'x');
  const body = '<Delete><Object><Key>gone/a</Key></Object><Object><Key>kept/a</Key></Object></Delete>';
  const answer = await s3(`/${bucket}?delete`, { method: 'POST', body, by });
  expect(answer.text).toMatch(
    /<Error><Key>kept\/a<\/Key><Code>AccessDenied<\/Code><Message>[^<]*limit prefixes: /,
  );
  expect([(await s3(`/${bucket}/gone/a`)).status, (await s3(`/${bucket}/kept/a`)).status]).toEqual([
    404, 200,
  ]);
});

test('a presigned URL does no more than its key may when it is used', async () => {
  await putNatively(bucket, 'k', 'content');
  const { accessKey, secretKey } = await keyWith({ prefixes: ['k'], actions: ['read', 'write'] });
  const client = new S3Client({
    endpoint: target.s3.url,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
  });
  const ask = async (url: Promise<string>, init?: RequestInit) => {
    const answer = await fetch(await url, init);
    const text = await answer.text();
    return /limit (\w+): /.exec(text)?.[1] ?? answer.status;
  };
  const get = (Key: string) => getSignedUrl(client, new GetObjectCommand({ Bucket: bucket, Key }));
  const toPut = (Key: string) => getSignedUrl(client, new PutObjectCommand({ Bucket: bucket, Key }));
  const toDelete = getSignedUrl(client, new DeleteObjectCommand({ Bucket: bucket, Key: 'k' }));
  const put = { method: 'PUT', body: 'x' };
  expect(await ask(get('k'))).toBe(200);
  expect(await ask(get('other'))).toBe('prefixes');
  expect(await ask(toPut('k'), put)).toBe('actions');
  expect(await ask(toPut('k-by-url'), put)).toBe(200);
  expect(await ask(toDelete, { method: 'DELETE' })).toBe('actions');
  const later = await get('k');
  await userCall('limit_key', { key: accessKey, limits: '{"networks":["192.0.2.0/24"]}' });
  await expect.poll(async () => (await fetch(later)).status, { timeout: 300_000 }).toBe(403);
  client.destroy();
});

/** A form whose policy allows any key. */
function formBy({ accessKey, secretKey }: Account, key: string): FormData {
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '');
  const scope = [day, 'us-east-1', 's3', 'aws4_request'];
  const fields = {
    key,
    'x-amz-algorithm': 'AWS4-HMAC-SHA256',
    'x-amz-date': `${day}T000000Z`,
    'x-amz-credential': [accessKey, ...scope].join('/'),
  };
  const conditions = Object.keys(fields).map((name) => ['starts-with', `$${name}`, '']);
  const expiration = new Date(Date.now() + 600_000).toISOString();
  const policy = { expiration, conditions: [{ bucket }, ...conditions] };
  const encoded = Buffer.from(JSON.stringify(policy)).toString('base64');
  const hmac = (secret: string | Buffer, text: string) => createHmac('sha256', secret).update(text).digest();
  const signature = hmac(scope.reduce<string | Buffer>(hmac, `AWS4${secretKey}`), encoded).toString('hex');
  const form = new FormData();
  const all = { ...fields, policy: encoded, 'x-amz-signature': signature };
  for (const [name, value] of Object.entries(all)) form.set(name, value);
  form.set('file', new Blob(['x']), 'file');
  return form;
}

test('nor does a form, whatever its policy says', async () => {
  await putNatively(bucket, 'k', 'content');
  const by = await keyWith({ prefixes: ['k'], actions: ['write'] });
  const send = async (key: string) => {
    const answer = await fetch(`${target.s3.url}/${bucket}`, { method: 'POST', body: formBy(by, key) });
    return /limit (\w+): /.exec(await answer.text())?.[1] ?? answer.status;
  };
  expect([await send('other'), await send('k'), await send('k-by-form')]).toEqual([
    'prefixes',
    'actions',
    204,
  ]);
  expect((await s3(`/${bucket}/k`)).text).toBe('content');
});

test('a copy reads only what the key may read', async () => {
  const from = await newBucket();
  await putNatively(from, 'k', 'x');
  const by = await keyWith({ buckets: [bucket] });
  const headers = { 'x-amz-copy-source': `/${from}/k` };
  const answer = await s3(`/${bucket}/copied`, { method: 'PUT', headers, by });
  expect([codeOf(answer), limitIn(answer, 'PUT')]).toEqual(['AccessDenied', 'buckets']);
});

test('ListBuckets shows the buckets of the key', async () => {
  const answer = await s3('/', { by: await keyWith({ buckets: [bucket] }) });
  expect(elementsIn(answer, 'Name')).toEqual([bucket]);
});

test('hundreds of forbidden calls were all denied [key-limit-01]', () => {
  expect(denied).toBeGreaterThan(200);
  console.info(`${denied} calls of limited keys denied by S3`);
});

/**
 * The content of the engine's bucket, with our own signed calls: a fault in the server's blob code must not hide what
 * that code left behind.
 */
import { createHash, createHmac } from 'node:crypto';
import { request } from 'undici';
import type { EngineContent } from '../checks/residue.ts';

export interface S3Place {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly bucket: string;
}

const DELETES_AT_ONCE = 8;
const EMPTY_HASH = createHash('sha256').digest('hex');

export async function s3Content(place: S3Place): Promise<EngineContent> {
  const objects = (await listObjects(place)).map(({ key, ...rest }) => ({
    id: key.slice(key.lastIndexOf('/') + 1),
    ...rest,
  }));
  const blobs = new Map(objects.map(({ id, size }) => [id, size]));
  const cold = new Set(objects.filter(({ tier }) => tier === 'COLD').map(({ id }) => id));
  const uploads = await call(place, 'GET', '', { uploads: '', 'max-uploads': '1000' });
  return { blobs, cold, unfinished: elements(uploads, 'Upload').map((upload) => text(upload, 'Key')) };
}

/** Empties and removes the bucket, so that runs do not fill the engine. */
export async function removeBucket(place: S3Place): Promise<void> {
  const uploads = await call(place, 'GET', '', { uploads: '', 'max-uploads': '1000' });
  for (const upload of elements(uploads, 'Upload'))
    await call(place, 'DELETE', text(upload, 'Key'), { uploadId: text(upload, 'UploadId') });
  const keys = (await listObjects(place)).values();
  await Promise.all(
    Array.from({ length: DELETES_AT_ONCE }, async () => {
      for (const { key } of keys) await call(place, 'DELETE', key, {});
    }),
  );
  await call(place, 'DELETE', '', {});
}

async function listObjects(place: S3Place): Promise<{ key: string; size: number; tier: string }[]> {
  const objects: { key: string; size: number; tier: string }[] = [];
  let token = '';
  do {
    const query = { 'list-type': '2', ...(token === '' ? {} : { 'continuation-token': token }) };
    const page = await call(place, 'GET', '', query);
    for (const entry of elements(page, 'Contents'))
      objects.push({
        key: text(entry, 'Key'),
        size: Number(text(entry, 'Size')),
        tier: text(entry, 'StorageClass'),
      });
    token = text(page, 'NextContinuationToken');
  } while (token !== '');
  return objects;
}

async function call(
  place: S3Place,
  method: 'GET' | 'DELETE',
  key: string,
  query: Readonly<Record<string, string>>,
): Promise<string> {
  const { origin, host } = new URL(place.endpoint);
  const path = key === '' ? `/${place.bucket}` : `/${place.bucket}/${key}`;
  const search = Object.entries(query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&');
  const date = `${new Date().toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
  const authorization = sign(place, { method, host, path, search, date });
  const answer = await request(`${origin}${path}${search === '' ? '' : `?${search}`}`, {
    method,
    headers: { 'x-amz-date': date, 'x-amz-content-sha256': EMPTY_HASH, authorization },
  });
  const body = await answer.body.text();
  if (answer.statusCode >= 300)
    throw new Error(`the engine answered ${answer.statusCode} to ${method} ${path}`);
  return body;
}

function sign(
  place: S3Place,
  call: { method: string; host: string; path: string; search: string; date: string },
): string {
  const names = 'host;x-amz-content-sha256;x-amz-date';
  const headers = `host:${call.host}\nx-amz-content-sha256:${EMPTY_HASH}\nx-amz-date:${call.date}\n`;
  const canonical = [call.method, call.path, call.search, headers, names, EMPTY_HASH].join('\n');
  const scope = `${call.date.slice(0, 8)}/${place.region}/s3/aws4_request`;
  const digest = createHash('sha256').update(canonical).digest('hex');
  let key: string | Buffer = `AWS4${place.secretKey}`;
  for (const part of scope.split('/')) key = createHmac('sha256', key).update(part).digest();
  const signature = createHmac('sha256', key)
    .update(`AWS4-HMAC-SHA256\n${call.date}\n${scope}\n${digest}`)
    .digest('hex');
  return `AWS4-HMAC-SHA256 Credential=${place.accessKey}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
}

// Keys are hours and ids, so nothing in these answers is escaped.
function elements(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, inner = '']) => inner);
}

function text(xml: string, name: string): string {
  return elements(xml, name)[0] ?? '';
}

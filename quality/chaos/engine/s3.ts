/**
 * The content of the engine's bucket, with our own signed calls: a fault in the server's blob code must not hide what
 * that code left behind.
 */
import { request } from 'undici';
import type { EngineContent } from '../checks/residue.ts';
import { type S3Keys, signS3 } from '../load/sigv4.ts';

export interface S3Location extends S3Keys {
  readonly endpoint: string;
  readonly bucket: string;
}

const MAX_CONCURRENT_DELETES = 8;

export async function s3Content(place: S3Location): Promise<EngineContent> {
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
export async function removeBucket(place: S3Location): Promise<void> {
  const uploads = await call(place, 'GET', '', { uploads: '', 'max-uploads': '1000' });
  for (const upload of elements(uploads, 'Upload'))
    await call(place, 'DELETE', text(upload, 'Key'), { uploadId: text(upload, 'UploadId') });
  const keys = (await listObjects(place)).values();
  await Promise.all(
    Array.from({ length: MAX_CONCURRENT_DELETES }, async () => {
      for (const { key } of keys) await call(place, 'DELETE', key, {});
    }),
  );
  await call(place, 'DELETE', '', {});
}

async function listObjects(place: S3Location): Promise<{ key: string; size: number; tier: string }[]> {
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
  place: S3Location,
  method: 'GET' | 'DELETE',
  key: string,
  query: Readonly<Record<string, string>>,
): Promise<string> {
  const { origin, host } = new URL(place.endpoint);
  const path = key === '' ? `/${place.bucket}` : `/${place.bucket}/${key}`;
  const signed = signS3(place, { method, host, path, query });
  const answer = await request(origin + signed.path, { method, headers: signed.headers });
  const body = await answer.body.text();
  if (answer.statusCode >= 300)
    throw new Error(`the engine answered ${answer.statusCode} to ${method} ${path}`);
  return body;
}

// Keys are hours and ids, so nothing in these answers is escaped.
function elements(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, inner = '']) => inner);
}

function text(xml: string, name: string): string {
  return elements(xml, name)[0] ?? '';
}

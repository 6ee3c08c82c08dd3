/** The engine's multipart upload as plain calls. */
import { escapeXml } from '@millpond/protocol/s3';
import type { Tier } from '../store.ts';
import { type S3Client, STANDARD_CLASS } from './client.ts';
import { contentFault } from './faults.ts';
import { textIn } from './list-responses.ts';
import { withRetries } from './retry.ts';
import { sizeOfBlob } from './stat.ts';

export interface Multipart {
  readonly key: string;
  readonly uploadId: string;
}

export function tierHeaders({ classes }: Pick<S3Client, 'classes'>, tier: Tier): string[] {
  return classes[tier] === STANDARD_CLASS ? [] : ['x-amz-storage-class', classes[tier]];
}

export async function beginMultipart(client: S3Client, key: string, tier: Tier): Promise<Multipart> {
  const doing = 'beginning a multipart';
  const response = await client.call({
    method: 'POST',
    key,
    parameters: [['uploads', '']],
    headers: tierHeaders(client, tier),
    expect: [200],
    doing,
  });
  const uploadId = textIn(response.body, 'InitiateMultipartUploadResult', 'UploadId');
  if (uploadId === undefined) throw contentFault(response.status, response.body, doing);
  return { key, uploadId };
}

/** Resolves to the part's etag. */
export async function putPart(
  client: S3Client,
  { key, uploadId }: Multipart,
  partNumber: number,
  body: readonly Uint8Array[],
  signal: AbortSignal,
): Promise<string> {
  const response = await client.call({
    method: 'PUT',
    key,
    parameters: [
      ['partNumber', String(partNumber)],
      ['uploadId', uploadId],
    ],
    body,
    expect: [200],
    doing: 'writing a part',
    signal,
  });
  const { etag } = response.head;
  if (etag === undefined) throw contentFault(response.status, response.body, 'writing a part');
  return etag;
}

/**
 * A completion whose answer was lost must not be repeated blindly: the upload may be gone because it is complete. So each
 * further try first checks whether the blob exists with the expected size.
 */
export async function completeMultipart(
  client: S3Client,
  multipart: Multipart,
  etags: readonly string[],
  size: number,
): Promise<void> {
  const doing = 'completing a multipart';
  const parts = etags.map(
    (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
  );
  const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
  let tries = 0;
  await withRetries(client.limits, undefined, async () => {
    if (tries++ > 0 && (await sizeOfBlob(client, multipart.key)) === size) return;
    const response = await client.call({
      method: 'POST',
      key: multipart.key,
      parameters: [['uploadId', multipart.uploadId]],
      headers: ['content-type', 'application/xml'],
      body: [body],
      expect: [200],
      doing,
      retry: false,
    });
    if (textIn(response.body, 'CompleteMultipartUploadResult', 'ETag') === undefined)
      throw contentFault(response.status, response.body, doing);
  });
}

/** Harmless if the upload is already gone. */
export async function abortMultipart(
  client: S3Client,
  multipart: Multipart,
  signal?: AbortSignal,
): Promise<void> {
  await client.call({
    method: 'DELETE',
    key: multipart.key,
    parameters: [['uploadId', multipart.uploadId]],
    expect: [204, 200, 404],
    doing: 'aborting a multipart',
    signal,
  });
}

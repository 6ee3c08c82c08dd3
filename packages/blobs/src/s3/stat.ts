/** Whether a blob exists, how large it is and what its storage class is. */
import { BlobStoreUnavailableError } from '../errors.ts';
import type { BlobStat, Tier } from '../store.ts';
import { type S3Client, STANDARD_CLASS } from './client.ts';
import { errorCode, responseError } from './faults.ts';

export interface S3BlobStat extends BlobStat {
  /** The engine's name for it. */
  readonly storageClass: string;
}

const DOING = 'looking at a blob';

export async function statBlob(
  client: S3Client,
  key: string,
  signal?: AbortSignal,
): Promise<S3BlobStat | undefined> {
  const { status, head } = await client.call({
    method: 'HEAD',
    key,
    expect: [200, 404],
    doing: DOING,
    signal,
  });
  if (status === 404) {
    await confirmMissing(client, key, signal);
    return undefined;
  }
  const size = head.length;
  if (size === undefined) throw new BlobStoreUnavailableError(`no size while ${DOING}`, { retryable: true });
  const storageClass = head.storageClass ?? STANDARD_CLASS;
  const tier: Tier = storageClass === client.classes.COLD ? 'COLD' : 'STANDARD';
  return { size, tier, storageClass };
}

export async function sizeOfBlob(client: S3Client, key: string): Promise<number | undefined> {
  return (await statBlob(client, key))?.size;
}

/**
 * HEAD has no body, so the 404 of a missing bucket looks like that of a missing blob. Confusing them could make a job forget
 * rows, so the rare 404 is checked again with a request that tells them apart.
 */
async function confirmMissing(client: S3Client, key: string, signal: AbortSignal | undefined): Promise<void> {
  const { status, body } = await client.call({
    method: 'GET',
    key,
    headers: ['range', 'bytes=0-0'],
    expect: [206, 404, 416, 200],
    doing: DOING,
    signal,
  });
  if (status !== 404)
    throw new BlobStoreUnavailableError(`two different answers while ${DOING}`, { retryable: true });
  if (errorCode(body) !== 'NoSuchKey') throw responseError(status, body, DOING);
}

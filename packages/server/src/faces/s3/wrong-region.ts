/** Buckets of another region, in S3's words: a redirect that names the region, and its endpoint if it has told one. */
import { Fault } from '@millpond/protocol';
import { S3Fault } from '@millpond/protocol/s3';
import type { Bucket, Buckets } from '../../storage/buckets/index.ts';

export async function redirectToRegion(
  buckets: Pick<Buckets, 'assertInThisRegion' | 'hostOf'>,
  bucket: Bucket,
): Promise<void> {
  try {
    await buckets.assertInThisRegion(bucket);
  } catch (error) {
    if (!(error instanceof Fault) || error.fault !== 'incorrectRegion') throw error;
    const endpoint = await buckets.hostOf(bucket, 's3');
    throw new S3Fault('PermanentRedirect', {
      hint: error.hint,
      details: { ...(endpoint === undefined ? {} : { Endpoint: endpoint }), Bucket: bucket.name },
      headers: regionHeader(bucket),
    });
  }
}

/** Go's SDK asks without credentials, and reads it from the refusal. */
export function regionHeader({ region }: Pick<Bucket, 'region'>): Record<string, string> {
  return { 'x-amz-bucket-region': region };
}

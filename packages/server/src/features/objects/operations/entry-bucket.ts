/** The bucket of an entry, for the calls whose table of errors knows a missing resource and no missing bucket. */
import { Fault } from '@millpond/protocol';
import type { Bucket, Buckets } from '../../buckets/index.ts';

/** A missing bucket, and somebody else's, answer like a missing key. */
export async function entryBucket(buckets: Buckets, uid: bigint, name: string): Promise<Bucket> {
  try {
    return await buckets.owned(uid, name);
  } catch (error) {
    if (error instanceof Fault && error.fault === 'noSuchBucket') throw new Fault('noSuchEntry');
    throw error;
  }
}

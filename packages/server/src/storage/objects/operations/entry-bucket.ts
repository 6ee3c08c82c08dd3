/** The bucket of an entry, for calls whose error table has a missing resource but no missing bucket. */
import { Fault } from '@millpond/protocol';
import type { Bucket, Buckets } from '../../buckets/index.ts';

/** A missing bucket, or one of another account, gives the same answer as a missing key. */
export async function entryBucket(buckets: Buckets, uid: bigint, name: string): Promise<Bucket> {
  try {
    return await buckets.owned(uid, name);
  } catch (error) {
    if (error instanceof Fault && error.fault === 'noSuchBucket') throw new Fault('noSuchEntry');
    throw error;
  }
}

/** ETags of objects as S3 has them. The same rule as `region.s3_etag`, which judges conditions. */
import { createHash } from 'node:crypto';
import { dateOfPutTime } from '@millpond/protocol';
import type { TaggedRow } from '../../../storage/objects/index.ts';

/** Without quotes. An object that did not come by S3 gets one with a dash: nobody takes that for the MD5 of its bytes. */
export function etagOf({ md5, md5_parts: parts, hash }: TaggedRow): string {
  if (md5 === null) return `${createHash('md5').update(hash).digest('hex')}-1`;
  return parts ? `${md5.toString('hex')}-${parts}` : md5.toString('hex');
}

export function quoted(etag: string): string {
  return `"${etag}"`;
}

/** Whole seconds, in headers and in lists alike: clients compare the two. */
export function lastModifiedOf({ put_time: putTime }: { readonly put_time: bigint }): number {
  return Math.floor(dateOfPutTime(putTime).getTime() / 1000);
}

/** The quota rule of a bucket. It uses the room the gate had left at the last fold, so a few seconds of writes may slip through. */

export interface QuotaTerms {
  readonly bucketId: string;
  readonly key: string;
  readonly size: string;
  /** For commits that keep an existing object: content that it already has adds nothing. */
  readonly hash?: string | undefined;
}

/**
 * As SQL on a row of the gate. An overwrite adds no object; the space of what it replaces is not given back before the next
 * fold. The existing object is looked up only if there is not enough room, and never if there is no quota.
 */
export function overQuota({ bucketId, key, size, hash }: QuotaTerms): string {
  const fits = `coalesce(${size} <= room_bytes, true)`;
  const addsNothing =
    hash === undefined ? fits : `(${fits} OR (held.hash = ${hash} AND held.fsize = ${size}))`;
  return `CASE WHEN ${size} > room_bytes OR room_objects <= 0 THEN NOT EXISTS (
    SELECT FROM region.objects held WHERE held.bucket_id = ${bucketId} AND held.key = ${key} AND ${addsNothing})
  ELSE false END`;
}

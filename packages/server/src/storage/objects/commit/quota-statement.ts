/** The quota rule of a bucket. It uses the room the gate had left at the last fold, so a few seconds of writes may slip through. */

export interface QuotaTerms {
  readonly bucketId: string;
  readonly key: string;
  readonly size: string;
  /** For commits that keep an existing object: content that it already has adds nothing. */
  readonly hash?: string | undefined;
  /** Whether the bytes are parts of an upload: they count already, and take no more as an object. */
  readonly areParts?: string | undefined;
}

/** What is left beside objects and the parts of unfinished uploads, as SQL on a row of the gate. Null if there is no quota. */
export const ROOM_FOR_MORE = 'room_bytes - part_bytes';

/**
 * As SQL on a row of the gate. An overwrite adds no object; the space of what it replaces is not given back before the next
 * fold. The existing object is looked up only if there is not enough room, and never if there is no quota.
 */
export function overQuota({ bucketId, key, size, hash, areParts }: QuotaTerms): string {
  const room =
    areParts === undefined
      ? ROOM_FOR_MORE
      : `CASE WHEN ${areParts} THEN room_bytes ELSE ${ROOM_FOR_MORE} END`;
  const fits = `coalesce(${size} <= ${room}, true)`;
  const addsNothing =
    hash === undefined ? fits : `(${fits} OR (held.hash = ${hash} AND held.fsize = ${size}))`;
  return `CASE WHEN ${size} > ${room} OR room_objects <= 0 THEN NOT EXISTS (
    SELECT FROM region.objects held WHERE held.bucket_id = ${bucketId} AND held.key = ${key} AND ${addsNothing})
  ELSE false END`;
}

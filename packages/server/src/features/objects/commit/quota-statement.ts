/** The rule of a bucket's quota: judged by what the gate says was left at the last fold, so a few seconds of writes may pass. */

export interface QuotaTerms {
  readonly bucketId: string;
  readonly key: string;
  readonly size: string;
  /** Where an object that is there stays: content that it has already adds nothing. */
  readonly hash?: string | undefined;
}

/**
 * As SQL on a row of the gate. An overwrite adds no object; what it replaces is not given back before it is folded. The object
 * is looked for only where the room does not do, never where there is no quota.
 */
export function overQuota({ bucketId, key, size, hash }: QuotaTerms): string {
  const fits = `coalesce(${size} <= room_bytes, true)`;
  const addsNothing =
    hash === undefined ? fits : `(${fits} OR (held.hash = ${hash} AND held.fsize = ${size}))`;
  return `CASE WHEN ${size} > room_bytes OR room_objects <= 0 THEN NOT EXISTS (
    SELECT FROM region.objects held WHERE held.bucket_id = ${bucketId} AND held.key = ${key} AND ${addsNothing})
  ELSE false END`;
}

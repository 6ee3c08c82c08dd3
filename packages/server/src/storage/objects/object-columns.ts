/**
 * Columns of an object, grouped by what happens to them when another row names its content. A new one is written by
 * commit/commit-statement.ts, and read by record.ts.
 */

/** Content and description: a copy has them too. */
export const CONTENT_COLUMNS = [
  'blob_id',
  'segment_count',
  'fsize',
  'hash',
  'mime_type',
  'detected_type',
  'class',
  'status',
  'end_user',
  'meta',
  'headers',
  'md5',
  'md5_parts',
  'checksum',
  'part_list',
  'tags',
  'cold',
] as const;

/** When the object moves to a colder class automatically. */
export const SCHEDULE_COLUMNS = ['to_ia_at', 'to_archive_at', 'to_deep_archive_at'] as const;

/** When the restore of an archived object is ready and when it ends. Undeleted objects and copies don't inherit it. */
export const RESTORE_COLUMNS = ['restore_ready_at', 'restore_ends_at'] as const;

/** Belongs to this one object: a move takes it along, a copy starts without it. */
export const OWN_COLUMNS = ['expires_at', ...RESTORE_COLUMNS, ...SCHEDULE_COLUMNS] as const;

/** For `ON CONFLICT … DO UPDATE SET`: the row takes over these columns, with a put time later than any it had. */
export function overwriteBy(columns: readonly string[]): string {
  const taken = columns.map((column) => `${column} = excluded.${column}`);
  return [...taken, 'put_time = greatest(excluded.put_time, o.put_time + 1)'].join(', ');
}

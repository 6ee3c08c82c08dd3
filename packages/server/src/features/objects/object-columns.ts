/** Columns of an object by what becomes of them when its content is named by another row. */

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
  'cold',
] as const;

/** When the object goes to a colder class by itself. */
export const SCHEDULE_COLUMNS = ['to_ia_at', 'to_archive_at', 'to_deep_archive_at'] as const;

/** From when to when an archived object is restored: not for what is brought back, or a copy. */
export const RESTORE_COLUMNS = ['restore_ready_at', 'restore_ends_at'] as const;

/** What belongs to this one object: it goes along with a move, and a copy begins without. */
export const OWN_COLUMNS = ['expires_at', ...RESTORE_COLUMNS, ...SCHEDULE_COLUMNS] as const;

/** For `ON CONFLICT … DO UPDATE SET`: the row takes these over, with a put time later than any it had. */
export function overwriteBy(columns: readonly string[]): string {
  const taken = columns.map((column) => `${column} = excluded.${column}`);
  return [...taken, 'put_time = greatest(excluded.put_time, o.put_time + 1)'].join(', ');
}

/**
 * The statement that creates an object: gate, quota, deadline and age of the bytes are judged, the object is written, and
 * bytes that it turned away go to the trash (unless other rows name them), all in one round trip.
 *
 * Insert-only is a no-op update and never DO NOTHING: the loser of a race would see no row, and could not tell
 * identical content from different.
 */
import { areFresh } from './freshness.ts';
import { overQuota, type QuotaTerms } from './quota-statement.ts';

export type CommitMode = 'insert' | 'overwrite';

const VALUES =
  'key, blob_id, segment_count, fsize, hash, mime_type, detected_type, put_time, class, end_user, meta, headers, expires_at, cold';

const OVERWRITE = `
  blob_id = excluded.blob_id, segment_count = excluded.segment_count, fsize = excluded.fsize, hash = excluded.hash,
  mime_type = excluded.mime_type, detected_type = excluded.detected_type, class = excluded.class,
  end_user = excluded.end_user, meta = excluded.meta, headers = excluded.headers, status = 0, expires_at = excluded.expires_at,
  to_ia_at = NULL, to_archive_at = NULL, to_deep_archive_at = NULL,
  cold = excluded.cold, restore_ready_at = NULL, restore_ends_at = NULL,
  put_time = GREATEST(excluded.put_time, o.put_time + 1)`;

const onConflict = (mode: CommitMode) =>
  `ON CONFLICT (bucket_id, key) DO UPDATE SET ${mode === 'overwrite' ? OVERWRITE : 'key = o.key'}`;

/** Whoever repeats an upload that may not overwrite, because its answer was lost, is told that it is there. */
const overQuotaOf = (mode: CommitMode, { hash, ...terms }: Required<QuotaTerms>) =>
  overQuota(mode === 'insert' ? { ...terms, hash } : terms);

export function commitStatement(mode: CommitMode): string {
  const terms = { bucketId: '$1', key: '$2', size: '$5', hash: '$6' };
  return `
WITH gate AS MATERIALIZED (
  SELECT state, room_bytes, room_objects FROM region.bucket_gate WHERE bucket_id = $1
), judged AS MATERIALIZED (
  SELECT EXISTS (SELECT FROM gate WHERE state = 'open') AS open,
         NOT EXISTS (SELECT FROM gate WHERE ${overQuotaOf(mode, terms)}) AS has_room,
         extract(epoch FROM clock_timestamp()) < $12::bigint AS in_time,
         ${areFresh('$3', '$13')} AS fresh
), written AS (
  INSERT INTO region.objects AS o (bucket_id, ${VALUES})
  SELECT $1, $2, $3, $4, $5, $6, $7, $8, region.put_time_now(), $9, $10, $11, $19, $16, $18
  FROM judged WHERE open AND has_room AND in_time AND fresh
  ${onConflict(mode)}
  RETURNING blob_id, hash, fsize, put_time
), parts AS (
  INSERT INTO region.segments (blob_id, position, segment_id, size)
  SELECT $3, part.position, part.id, part.size
  FROM unnest($14::uuid[], $15::bigint[]) WITH ORDINALITY AS part (id, size, position)
  WHERE EXISTS (SELECT FROM written WHERE blob_id = $3)
), turned_away AS (
  INSERT INTO region.trash (blob_id, segment_count, reason)
  SELECT $3, $4, 'refused' WHERE NOT $17 AND NOT EXISTS (SELECT FROM written WHERE blob_id = $3)
)
SELECT judged.open, judged.has_room, judged.in_time, judged.fresh, written.blob_id, written.hash, written.fsize, written.put_time
FROM judged LEFT JOIN written ON true`;
}

/**
 * The same for several objects of one bucket, each of one segment and under a key of its own; each is judged by itself.
 * They are written in the order of their keys, so that two such statements cannot wait for each other.
 */
export function joinedCommitStatement(mode: CommitMode): string {
  const terms = { bucketId: '$1', key: 'asked.key', size: 'asked.fsize', hash: 'asked.hash' };
  return `
WITH gate AS MATERIALIZED (
  SELECT state, room_bytes, room_objects FROM region.bucket_gate WHERE bucket_id = $1
), asked AS MATERIALIZED (
  SELECT * FROM unnest($2::text[], $3::uuid[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::smallint[], $9::text[],
                       $10::jsonb[], $11::jsonb[], $12::timestamptz[], $13::boolean[], $14::bigint[], $15::bigint[])
    AS asked (key, blob_id, fsize, hash, mime_type, detected_type, class, end_user, meta, headers, expires_at, cold, deadline,
              window_ms)
), judged AS MATERIALIZED (
  SELECT asked.*,
         EXISTS (SELECT FROM gate WHERE state = 'open') AS open,
         NOT EXISTS (SELECT FROM gate WHERE ${overQuotaOf(mode, terms)}) AS has_room,
         extract(epoch FROM clock_timestamp()) < deadline AS in_time,
         ${areFresh('blob_id', 'window_ms')} AS fresh
  FROM asked
), written AS (
  INSERT INTO region.objects AS o (bucket_id, ${VALUES})
  SELECT $1, key, blob_id, 1, fsize, hash, mime_type, detected_type, region.put_time_now(), class, end_user, meta, headers,
         expires_at, cold
  FROM judged WHERE open AND has_room AND in_time AND fresh ORDER BY key COLLATE "C"
  ${onConflict(mode)}
  RETURNING key, blob_id, hash, fsize, put_time
), turned_away AS (
  INSERT INTO region.trash (blob_id, segment_count, reason)
  SELECT blob_id, 1, 'refused' FROM judged
  WHERE NOT EXISTS (SELECT FROM written WHERE written.blob_id = judged.blob_id)
)
SELECT judged.key, judged.open, judged.has_room, judged.in_time, judged.fresh,
       written.blob_id, written.hash, written.fsize, written.put_time
FROM judged LEFT JOIN written ON written.key = judged.key`;
}

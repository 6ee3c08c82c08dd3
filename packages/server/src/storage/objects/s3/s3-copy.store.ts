/**
 * A copy whose description may be new: type, metadata, tags and class are the source's or those given. Bytes are shared, as
 * with every copy. Onto itself it changes the description only.
 *
 * Values: $1 and $2 are bucket and key of the source, $3 and $4 those of the target, $5 the version of the source that the
 * caller has judged, $6 the class, $7 the new description or null, $8 new tags as an object or null, $9 to $12 the
 * condition on the target.
 */
import type { BlobId } from '@millpond/blobs';
import { type Queryable, statement } from '../../../platform/db/database.ts';
import { setChangeCause } from '../change-cause.ts';
import type { WriteCondition } from '../commit/commit-statement.ts';
import { overQuota } from '../commit/quota-statement.ts';
import { CONTENT_COLUMNS, OWN_COLUMNS, overwriteBy } from '../object-columns.ts';
import type { ObjectRef } from '../operations/bulk-operations.store.ts';
import { IS_READABLE_SQL } from '../restore-status.ts';

export interface Description {
  readonly mimeType: string;
  readonly meta: Readonly<Record<string, string>> | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
}

export interface S3Copy {
  readonly from: ObjectRef;
  readonly to: ObjectRef;
  /** `put_time` of the source. */
  readonly version: bigint;
  readonly storageClass: number;
  /** Undefined: the source's. */
  readonly description: Description | undefined;
  readonly tags: Readonly<Record<string, string>> | undefined;
  readonly condition?: WriteCondition | undefined;
  /** There must be no object yet. */
  readonly isNew?: boolean;
}

export interface S3CopyRow {
  readonly open: boolean;
  readonly has_room: boolean;
  /** Whether the source is still the version that was judged. */
  readonly is_there: boolean;
  readonly readable: boolean | null;
  readonly was_there: boolean;
  readonly matches: boolean;
  /** Null if nothing was written. */
  readonly blob_id: BlobId | null;
  readonly segment_count: number | null;
  readonly cold: boolean | null;
  readonly put_time: bigint | null;
}

const GIVEN: Readonly<Record<string, string>> = {
  class: '$6::smallint',
  status: '0::smallint',
  mime_type: `CASE WHEN $7::jsonb IS NULL THEN mime_type ELSE $7 ->> 'mimeType' END`,
  meta: `CASE WHEN $7::jsonb IS NULL THEN meta ELSE nullif($7 -> 'meta', 'null') END`,
  headers: `CASE WHEN $7::jsonb IS NULL THEN headers ELSE nullif($7 -> 'headers', 'null') END`,
  tags: `CASE WHEN $8::jsonb IS NULL THEN tags ELSE nullif($8, '{}') END`,
};
const COLUMNS = [...CONTENT_COLUMNS, ...OWN_COLUMNS];
const VALUES = [...CONTENT_COLUMNS.map((name) => GIVEN[name] ?? name), ...OWN_COLUMNS.map(() => 'NULL')];
const ADDED = { bucketId: '$3', key: '$4', size: 'source.fsize' };

const copy = statement(
  's3-object-copy',
  `WITH judged AS MATERIALIZED (
  SELECT coalesce((SELECT state = 'open' FROM region.bucket_gate WHERE bucket_id = $3), false) AS open,
         ${setChangeCause('s3-copy')} AS said
), locked AS MATERIALIZED (
  SELECT * FROM region.objects
  WHERE (bucket_id = $1 AND key = $2) OR (bucket_id = $3 AND key = $4) ORDER BY bucket_id, key FOR UPDATE
), source AS MATERIALIZED (
  SELECT *, ${IS_READABLE_SQL} AS readable FROM locked WHERE bucket_id = $1 AND key = $2 AND put_time = $5
), target AS MATERIALIZED (
  SELECT region.s3_etag(md5, md5_parts, hash) AS etag FROM locked WHERE bucket_id = $3 AND key = $4
), condition AS MATERIALIZED (
  SELECT EXISTS (SELECT FROM target) AS was_there,
         (NOT $10::boolean OR EXISTS (SELECT FROM target))
           AND ($9::text[] IS NULL OR EXISTS (SELECT FROM target WHERE etag = ANY ($9)))
           AND NOT EXISTS (SELECT FROM target WHERE etag = ANY ($11::text[]) OR $12::boolean) AS matches
), room AS MATERIALIZED (
  SELECT NOT EXISTS (SELECT FROM region.bucket_gate gate, source
                     WHERE gate.bucket_id = $3 AND ($1, $2) IS DISTINCT FROM ($3::bigint, $4::text) AND ${overQuota(ADDED)}) AS has_room
), written AS (
  INSERT INTO region.objects AS o (bucket_id, key, put_time, ${COLUMNS.join(', ')})
  SELECT $3, $4, region.put_time_now(), ${VALUES.join(', ')}
  FROM source, judged, room, condition WHERE open AND readable AND has_room AND matches
  ON CONFLICT (bucket_id, key) DO UPDATE SET ${overwriteBy(COLUMNS)}
    WHERE NOT $12 AND ($11 IS NULL OR region.s3_etag(o.md5, o.md5_parts, o.hash) <> ALL ($11))
  RETURNING blob_id, segment_count, cold, put_time
)
SELECT judged.open, judged.said, room.has_room, source.blob_id IS NOT NULL AS is_there, source.readable, condition.was_there,
       condition.matches, written.blob_id, written.segment_count, written.cold, written.put_time
FROM judged CROSS JOIN room CROSS JOIN condition LEFT JOIN source ON true LEFT JOIN written ON true`,
);

export async function copyObject(on: Queryable, asked: S3Copy): Promise<S3CopyRow> {
  const { from, to, description, tags, condition = {}, isNew = false } = asked;
  const { ifMatch, ifNoneMatch } = condition;
  const [row] = await on.query<S3CopyRow>(copy, [
    from.bucketId,
    from.key,
    to.bucketId,
    to.key,
    asked.version,
    asked.storageClass,
    jsonOf(description),
    jsonOf(tags),
    ifMatch === 'any' ? null : (ifMatch ?? null),
    ifMatch === 'any',
    ifNoneMatch ?? null,
    isNew,
  ]);
  if (row === undefined) throw new Error('the copy statement gave no row');
  return row;
}

function jsonOf(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

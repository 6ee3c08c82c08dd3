/** SQL on many objects at once, in any buckets: one round trip for a whole batch. */
import { type Database, type Queryable, statement } from '../../../platform/db/database.ts';
import { RECORDED_COLUMNS, RESTORE_STATUS, type RecordedRow } from '../record.ts';

/** Where an object is, or would be. */
export interface ObjectRef {
  readonly bucketId: bigint;
  readonly key: string;
}

const COLUMNS = `${RECORDED_COLUMNS}, ${RESTORE_STATUS}`;

interface FoundRow extends RecordedRow {
  readonly bucket_id: bigint;
  readonly key: string;
}

// The usual batch: one partition, chosen before the statement starts.
const findInBucket = statement(
  'objects-find-in-bucket',
  `SELECT bucket_id, key, ${COLUMNS} FROM region.objects WHERE bucket_id = $1 AND key = ANY ($2::text[])`,
);
// A subquery that can't be flattened costs one index probe per place, whatever the planner estimates for the tables.
const findAnywhere = statement(
  'objects-find-anywhere',
  `SELECT o.* FROM unnest($1::bigint[], $2::text[]) AS wanted (bucket_id, key)
   CROSS JOIN LATERAL (
     SELECT bucket_id, key, ${COLUMNS} FROM region.objects
     WHERE bucket_id = wanted.bucket_id AND key = wanted.key LIMIT 1) AS o`,
);
// Locked in key order: two batches over the same objects must not deadlock.
const remove = statement(
  'objects-delete-many',
  `WITH wanted AS MATERIALIZED (
     SELECT DISTINCT bucket_id, key COLLATE "C" AS key FROM unnest($1::bigint[], $2::text[]) AS w (bucket_id, key)
     ORDER BY bucket_id, key COLLATE "C"
   ), locked AS MATERIALIZED (
     SELECT o.bucket_id, o.key FROM wanted CROSS JOIN LATERAL (
       SELECT bucket_id, key FROM region.objects
       WHERE bucket_id = wanted.bucket_id AND key = wanted.key FOR UPDATE) AS o
   )
   DELETE FROM region.objects o USING locked WHERE o.bucket_id = locked.bucket_id AND o.key = locked.key
   RETURNING o.bucket_id, o.key`,
);

export class BulkStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** One result per place; undefined if there is no object. */
  async find(places: readonly ObjectRef[], cancel: AbortSignal): Promise<(RecordedRow | undefined)[]> {
    const [bucketIds, keys] = valuesOf(places);
    const [first] = bucketIds;
    const rows = bucketIds.every((id) => id === first)
      ? await this.#region.query<FoundRow>(findInBucket, [first, keys], cancel)
      : await this.#region.query<FoundRow>(findAnywhere, [bucketIds, keys], cancel);
    const byName = new Map(rows.map((row) => [nameOf({ bucketId: row.bucket_id, key: row.key }), row]));
    return places.map((place) => byName.get(nameOf(place)));
  }

  /** Whether each place had an object that is now removed; if a place is named twice, only the first counts. */
  async remove(places: readonly ObjectRef[], on: Queryable = this.#region): Promise<boolean[]> {
    const rows = await on.query<{ bucket_id: bigint; key: string }>(remove, valuesOf(places));
    const gone = new Set(rows.map((row) => nameOf({ bucketId: row.bucket_id, key: row.key })));
    return places.map((place) => gone.delete(nameOf(place)));
  }
}

function valuesOf(places: readonly ObjectRef[]): [bigint[], string[]] {
  return [places.map(({ bucketId }) => bucketId), places.map(({ key }) => key)];
}

function nameOf({ bucketId, key }: ObjectRef): string {
  return `${bucketId}:${key}`;
}

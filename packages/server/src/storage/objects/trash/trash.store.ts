/** SQL of the trash as the owner of a bucket sees it: by key, the latest version first. */
import { type Database, statement } from '../../../platform/db/database.ts';
import { TRASH_BUCKET, TRASH_COLUMNS, TRASH_KEY } from '../upkeep/undelete.store.ts';

/** A version of an object that was deleted or replaced. */
export interface TrashedRow {
  readonly trash_id: bigint;
  readonly key: string;
  readonly reason: 'deleted' | 'replaced';
  readonly trashed_at: Date;
  readonly fsize: bigint;
  readonly hash: string;
  readonly mime_type: string;
  readonly class: number;
  readonly put_time: bigint;
  /** As text: a Date would lose its last digits. */
  readonly place: string;
  /** Whether it can still be brought back. */
  readonly is_kept: boolean;
}

/** Where a page begins: after this version of this key. */
export interface TrashListCursor {
  readonly key: string;
  readonly trashedAt: string;
  readonly trashId: bigint;
}

export interface TrashedRange {
  readonly bucketId: bigint;
  readonly after: TrashListCursor;
  /** The first key after the last. */
  readonly until: string;
  readonly limit: number;
  readonly graceMs: number;
}

const COLUMNS = `${TRASH_COLUMNS}, (t.object ->> 'class')::integer AS class, (t.object ->> 'put_time')::bigint AS put_time,
  t.trashed_at::text AS place,
  NOT t.collecting AND t.trashed_at > clock_timestamp() - $2::bigint * interval '1 millisecond' AS is_kept`;
const OF_BUCKET = `t.object IS NOT NULL AND ${TRASH_BUCKET} = $1`;
const ORDER = 't.trashed_at DESC, t.trash_id DESC';

// The rest of the key where the last page ended, then the keys after it: each is a range of the index. What can't be brought
// back is read, too, and left out by the caller: otherwise a page might have to skip any number of rows.
const page = statement(
  'trash-page',
  `SELECT * FROM (
     (SELECT ${COLUMNS} FROM region.trash t
      WHERE ${OF_BUCKET} AND ${TRASH_KEY} = $3 AND (t.trashed_at, t.trash_id) < ($5::timestamptz, $6::bigint)
      ORDER BY ${ORDER} LIMIT $7)
     UNION ALL
     (SELECT ${COLUMNS} FROM region.trash t
      WHERE ${OF_BUCKET} AND ${TRASH_KEY} > $3 AND ${TRASH_KEY} < $4
      ORDER BY ${TRASH_KEY}, ${ORDER} LIMIT $7)
   ) AS t ORDER BY key COLLATE "C", ${ORDER} LIMIT $7`,
);
const named = statement(
  'trash-named',
  `SELECT ${COLUMNS} FROM region.trash t WHERE t.trash_id = ANY ($3::bigint[]) AND ${OF_BUCKET}`,
);

export class OwnersTrashStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  page({ bucketId, after, until, limit, graceMs }: TrashedRange, cancel: AbortSignal): Promise<TrashedRow[]> {
    const values = [bucketId, graceMs, after.key, until, after.trashedAt, after.trashId, limit];
    return this.#region.query<TrashedRow>(page, values, cancel);
  }

  /** Those of these rows that are the bucket's, in no order. */
  named(bucketId: bigint, ids: readonly bigint[], graceMs: number): Promise<TrashedRow[]> {
    return this.#region.query<TrashedRow>(named, [bucketId, graceMs, ids]);
  }
}

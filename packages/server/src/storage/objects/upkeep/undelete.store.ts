/** SQL of bringing back deleted or overwritten objects. */
import { type Database, statement } from '../../../platform/db/database.ts';
import { setChangeCause } from '../change-cause.ts';
import { overQuota } from '../commit/quota-statement.ts';
import { CONTENT_COLUMNS, overwriteBy, RESTORE_COLUMNS, SCHEDULE_COLUMNS } from '../object-columns.ts';
import { BELONGS_COLD } from './class-moves.store.ts';

/** An entry of the trash that was an object. */
export interface DeletedRow {
  readonly trash_id: bigint;
  readonly key: string;
  readonly reason: 'deleted' | 'replaced';
  readonly trashed_at: Date;
  readonly fsize: bigint;
  readonly hash: string;
  readonly mime_type: string;
}

export interface DeletedFilter {
  readonly bucketId: bigint;
  /** Keys from `from` (inclusive) to `until` (exclusive). */
  readonly from: string;
  readonly until: string;
  readonly since: Date | null;
  readonly before: Date | null;
  readonly graceMs: number;
  readonly limit: number;
}

export interface UndeletedRow {
  readonly open: boolean;
  /** False when the collector was faster. */
  readonly there: boolean;
  readonly collecting: boolean;
  readonly in_grace: boolean;
  /** Whether the quota allows it, if that was asked. */
  readonly has_room: boolean;
  readonly written: boolean;
}

/** Bucket and key of a row `t` of the trash that was an object, as the index has them. */
export const TRASH_BUCKET = "(t.object ->> 'bucket_id')::bigint";
export const TRASH_KEY = `(t.object ->> 'key') COLLATE "C"`;
export const TRASH_COLUMNS = `t.trash_id, t.object ->> 'key' AS key, t.reason, t.trashed_at, (t.object ->> 'fsize')::bigint AS fsize,
  t.object ->> 'hash' AS hash, t.object ->> 'mime_type' AS mime_type`;
const IN_GRACE = (value: string) =>
  `t.trashed_at > clock_timestamp() - ${value}::bigint * interval '1 millisecond'`;

const deleted = (more: string) => `SELECT ${TRASH_COLUMNS} FROM region.trash t
   WHERE t.object IS NOT NULL AND ${TRASH_BUCKET} = $1 AND ${TRASH_KEY} >= $2 AND ${TRASH_KEY} < $3
     AND ($4::timestamptz IS NULL OR t.trashed_at >= $4) AND ($5::timestamptz IS NULL OR t.trashed_at < $5)
     AND ${IN_GRACE('$6')} AND NOT t.collecting ${more}`;

const list = statement('undelete-list', `${deleted('')} ORDER BY ${TRASH_KEY}, t.trashed_at DESC LIMIT $7`);
// The newest of each key that has no object now.
const listGone = statement(
  'undelete-list-gone',
  `SELECT DISTINCT ON (gone.key COLLATE "C") gone.* FROM (${deleted(`
     AND NOT EXISTS (SELECT FROM region.objects o WHERE o.bucket_id = $1 AND o.key = ${TRASH_KEY})`)}) AS gone
   ORDER BY gone.key COLLATE "C", gone.trashed_at DESC LIMIT $7`,
);
// The version a key had at a given time is the first one trashed after it, if it existed by then. Put times are in 100 ns units.
const versionOf = (order: string) => `SELECT ${TRASH_COLUMNS} FROM region.trash t
   WHERE t.object IS NOT NULL AND ${TRASH_BUCKET} = $1 AND ${TRASH_KEY} = $2
     AND ($3::timestamptz IS NULL OR (t.trashed_at > $3
          AND (t.object ->> 'put_time')::bigint <= extract(epoch FROM $3::timestamptz) * 10000000))
   ORDER BY t.trashed_at ${order} LIMIT 1`;
const newestVersion = statement('undelete-newest', versionOf('DESC'));
const versionAt = statement('undelete-version-at', versionOf('ASC'));

const ADDED = { bucketId: TRASH_BUCKET, key: '$2', size: "(t.object ->> 'fsize')::bigint" };
const BROUGHT_BACK = [...CONTENT_COLUMNS, ...SCHEDULE_COLUMNS];

/** Rows trashed before tiers existed don't say where their bytes lie; at that time bytes followed the class. */
function broughtBack(column: string): string {
  return column === 'cold' ? `coalesce(record.cold, record.${BELONGS_COLD})` : `record.${column}`;
}

// Locks every row of the same bytes: the collector skips locked rows, and its earlier claims are visible here. The object
// comes back as a new version of its key, later than all versions the key has had.
const undelete = statement(
  'undelete-bring-back',
  `WITH wanted AS MATERIALIZED (
     SELECT * FROM region.trash t WHERE t.trash_id = $1 AND t.object IS NOT NULL
   ), held AS MATERIALIZED (
     SELECT trash_id, collecting FROM region.trash
     WHERE blob_id = (SELECT blob_id FROM wanted) ORDER BY trash_id FOR UPDATE
   ), judged AS MATERIALIZED (
     SELECT coalesce((SELECT state = 'open' FROM region.bucket_gate WHERE bucket_id = ${TRASH_BUCKET}), false) AS open,
            EXISTS (SELECT FROM held WHERE trash_id = $1) AS there,
            EXISTS (SELECT FROM held WHERE collecting) AS collecting, ${IN_GRACE('$4')} AS in_grace
     FROM wanted t
   ), room AS MATERIALIZED (
     SELECT NOT $5 OR NOT EXISTS (
       SELECT FROM wanted t, region.bucket_gate gate WHERE gate.bucket_id = ${TRASH_BUCKET} AND ${overQuota(ADDED)}) AS has_room
   ), written AS (
     INSERT INTO region.objects AS o (bucket_id, key, put_time, expires_at, ${BROUGHT_BACK.join(', ')})
     SELECT record.bucket_id, $2, greatest(region.put_time_now(), record.put_time + 1),
            CASE WHEN record.expires_at > clock_timestamp() THEN record.expires_at END,
            ${BROUGHT_BACK.map(broughtBack).join(', ')}
     FROM wanted, judged, room, LATERAL jsonb_populate_record(NULL::region.objects, wanted.object) AS record
     WHERE open AND there AND NOT judged.collecting AND in_grace AND has_room
     ON CONFLICT (bucket_id, key) DO UPDATE SET ${overwriteBy([...BROUGHT_BACK, 'expires_at', ...RESTORE_COLUMNS])} WHERE $3
     RETURNING ${setChangeCause('undelete')}
   ), gone AS (
     DELETE FROM region.trash WHERE trash_id = $1 AND EXISTS (SELECT FROM written)
   )
   SELECT open, there, collecting, in_grace, has_room, EXISTS (SELECT FROM written) AS written FROM judged, room`,
);

export class UndeleteStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** By key, the latest first. With `onlyGone`, the latest of each key that has no object now. */
  list(filter: DeletedFilter, { onlyGone = false } = {}): Promise<DeletedRow[]> {
    const { bucketId, from, until, since, before, graceMs, limit } = filter;
    const values = [bucketId, from, until, since, before, graceMs, limit];
    return this.#region.query<DeletedRow>(onlyGone ? listGone : list, values);
  }

  /** The version the key had at a given time, or its last one; regardless of the grace period. */
  async version(bucketId: bigint, key: string, at: Date | undefined): Promise<DeletedRow | undefined> {
    const values = [bucketId, key, at ?? null];
    const [row] = await this.#region.query<DeletedRow>(at === undefined ? newestVersion : versionAt, values);
    return row;
  }

  /** Undefined when the trash no longer has this row. */
  async undelete(
    trashId: bigint,
    toKey: string,
    { force, withinQuota = false, graceMs }: { force: boolean; withinQuota?: boolean; graceMs: number },
  ): Promise<UndeletedRow | undefined> {
    const [row] = await this.#region.query<UndeletedRow>(undelete, [
      trashId,
      toKey,
      force,
      graceMs,
      withinQuota,
    ]);
    return row;
  }
}

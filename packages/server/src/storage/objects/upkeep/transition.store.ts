/** SQL of objects that move to a colder class automatically. */
import type { BlobId } from '@millpond/blobs';
import { type Database, type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import { setChangeCause } from '../change-cause.ts';
import { BELONGS_COLD } from './class-moves.store.ts';

const NEXT = 'LEAST(to_ia_at, to_archive_at, to_deep_archive_at)';
const CLASS = `GREATEST(class, CASE WHEN to_deep_archive_at <= now.at THEN 3 WHEN to_archive_at <= now.at THEN 2
                             WHEN to_ia_at <= now.at THEN 1 ELSE 0 END)`;
const unlessChanged = (column: string) => `${column} = CASE WHEN class = ${CLASS} THEN ${column} END`;
const unlessDue = (column: string) => `${column} = CASE WHEN ${column} > now.at THEN ${column} END`;

// A class only gets colder here, and a restore belongs to the class it was requested in. The UPDATE checks again whether the
// object is due: another change may have come between. A row locked by another transaction is left for the next round.
const changeDue = statement(
  'object-transition-due',
  `WITH now AS MATERIALIZED (SELECT clock_timestamp() AS at), due AS MATERIALIZED (
     SELECT bucket_id, key FROM region.objects
     WHERE ${NEXT} <= (SELECT at FROM now) ORDER BY ${NEXT} LIMIT $1 FOR UPDATE SKIP LOCKED
   ), changed AS (
     UPDATE region.objects o
     SET class = ${CLASS}, ${unlessChanged('restore_ready_at')}, ${unlessChanged('restore_ends_at')},
         ${unlessDue('to_ia_at')}, ${unlessDue('to_archive_at')}, ${unlessDue('to_deep_archive_at')}
     FROM due, now
     WHERE o.bucket_id = due.bucket_id AND o.key = due.key AND ${NEXT} <= now.at
     RETURNING o.blob_id, o.cold <> (o.${BELONGS_COLD}) AS is_misplaced, ${setChangeCause('schedule')}
   )
   SELECT (SELECT count(*) FROM due)::integer AS found, (SELECT count(*) FROM changed)::integer AS changed,
     ARRAY(SELECT DISTINCT blob_id FROM changed WHERE is_misplaced) AS misplaced`,
);

export interface ChangedDue {
  readonly found: number;
  readonly changed: number;
  /** Bytes that now lie in the wrong tier. */
  readonly misplaced: readonly BlobId[];
}

export class TransitionStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#region.transaction(work);
  }

  /** Changes the class of at most this many due objects, by the database's clock. */
  async changeDue(most: number, on: Queryable = this.#region): Promise<ChangedDue> {
    const [row] = await on.query<ChangedDue>(changeDue, [most]);
    return row ?? { found: 0, changed: 0, misplaced: [] };
  }
}

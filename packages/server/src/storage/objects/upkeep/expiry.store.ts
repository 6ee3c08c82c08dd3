/** SQL of objects that expire (`deleteAfterDays`). */
import { type Database, statement } from '../../../platform/db/database.ts';
import { setChangeCause } from '../change-cause.ts';

// The DELETE checks again whether the object is due: an overwrite may have come between. A row locked by another
// transaction is left for the next round. The time comes from a subselect, so it is evaluated once: a volatile function in
// a condition itself would be evaluated for every row, and so every object with an expiry would be read; on PostgreSQL 17, all.
const removeDue = statement(
  'object-remove-due',
  `WITH due AS MATERIALIZED (
     SELECT bucket_id, key FROM region.objects
     WHERE expires_at <= (SELECT clock_timestamp()) ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED
   ), gone AS (
     DELETE FROM region.objects o USING due
     WHERE o.bucket_id = due.bucket_id AND o.key = due.key AND o.expires_at <= (SELECT clock_timestamp())
     RETURNING ${setChangeCause('schedule')}
   )
   SELECT (SELECT count(*) FROM due)::integer AS found, (SELECT count(*) FROM gone)::integer AS removed`,
);

const BATCH = 500;

export class ExpiryStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** Removes all that are due, and returns their number. May crash at any point and be rerun. */
  async removeAllDue(cancel: AbortSignal, batch = BATCH): Promise<number> {
    let total = 0;
    while (!cancel.aborted) {
      const { found, removed } = await this.removeDue(batch);
      total += removed;
      if (found < batch) break;
    }
    return total;
  }

  /** At most this many, by the database's clock; their bytes go to the trash. */
  async removeDue(most: number): Promise<{ found: number; removed: number }> {
    const [row] = await this.#region.query<{ found: number; removed: number }>(removeDue, [most]);
    return row ?? { found: 0, removed: 0 };
  }
}

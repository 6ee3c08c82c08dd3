/**
 * SQL of restores under way. Each is noted when it begins; one whose object is deleted meanwhile still counts until it would
 * have been ready.
 */
import { MOST_COUNTED } from '../../../platform/db/bounded.ts';
import { type Database, statement } from '../../../platform/db/database.ts';

const COUNT = `SELECT count(*)::float8 AS count FROM (
     SELECT FROM region.restores WHERE ready_at > now()`;
const countAll = statement('restores-count', `${COUNT} LIMIT ${MOST_COUNTED}) AS r`);
const countOf = statement(
  'restores-count-of',
  `${COUNT} AND bucket_id = ANY ($1::bigint[]) LIMIT ${MOST_COUNTED}) AS r`,
);
const forget = statement(
  'restores-forget',
  `DELETE FROM region.restores WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM region.restores WHERE ready_at <= now() ORDER BY ready_at LIMIT $1)) RETURNING 1`,
);
const FORGET_AT_ONCE = 10_000;

export class RestoresStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** At most 10,000 are counted. Undefined: those of all buckets. */
  async count(bucketIds?: readonly bigint[]): Promise<number> {
    const [row] =
      bucketIds === undefined
        ? await this.#region.query<{ count: number }>(countAll, [])
        : await this.#region.query<{ count: number }>(countOf, [bucketIds]);
    return row?.count ?? 0;
  }

  async forget(signal: AbortSignal): Promise<void> {
    for (let forgotten = FORGET_AT_ONCE; forgotten === FORGET_AT_ONCE; ) {
      signal.throwIfAborted();
      forgotten = (await this.#region.query(forget, [FORGET_AT_ONCE])).length;
    }
  }
}

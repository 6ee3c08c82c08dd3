/**
 * SQL of restores under way. Each is noted when it begins; one whose object is deleted meanwhile still counts until it would
 * have been ready.
 */

import { type Database, statement } from '../../../platform/db/database.ts';
import { MAX_COUNTED } from '../../../platform/db/sampling.ts';

const COUNT = `SELECT count(*)::float8 AS count FROM (
     SELECT FROM region.restores WHERE ready_at > now()`;
const countAll = statement('restores-count', `${COUNT} LIMIT ${MAX_COUNTED}) AS r`);
const countOf = statement(
  'restores-count-of',
  `${COUNT} AND bucket_id = ANY ($1::bigint[]) LIMIT ${MAX_COUNTED}) AS r`,
);
const forget = statement(
  'restores-forget',
  `DELETE FROM region.restores WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM region.restores WHERE ready_at <= now() ORDER BY ready_at LIMIT $1)) RETURNING 1`,
);
const DELETED_BATCH = 10_000;

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
    for (let forgotten = DELETED_BATCH; forgotten === DELETED_BATCH; ) {
      signal.throwIfAborted();
      forgotten = (await this.#region.query(forget, [DELETED_BATCH])).length;
    }
  }
}

/** SQL of how endpoints are doing: what waits for them, and how recent attempts ended. Bounded for each endpoint. */

import { type Database, statement } from '../../platform/db/database.ts';
import { MAX_COUNTED } from '../../platform/db/sampling.ts';

export interface EndpointStats {
  readonly endpoint_id: bigint;
  /** For a retry, behind another, or until the endpoint is back. At most so many are counted of each. */
  readonly waiting: number;
  /** When the oldest of these was created. */
  readonly oldest: Date | null;
  readonly last_success: Date | null;
  readonly last_failure: Date | null;
  /** Minutes of the last hour, oldest first; minutes without attempts are left out. */
  readonly recent: readonly { readonly minute: string; readonly ok: number; readonly failed: number }[];
}

// Each reads an index that holds only what is counted. What is in flight, or about to be, is in none of them.
const waiting = (condition: string, order: string) =>
  `(SELECT created_at FROM region.delivery_queue WHERE endpoint_id = w.endpoint_id AND ${condition}
    ORDER BY ${order} LIMIT ${MAX_COUNTED})`;
const read = statement(
  'delivery-endpoint-figures',
  `SELECT w.endpoint_id, q.waiting, q.oldest, o.last_success, o.last_failure, r.recent
   FROM unnest($1::bigint[]) AS w (endpoint_id)
   CROSS JOIN LATERAL (
     SELECT count(*)::integer AS waiting, min(created_at) AS oldest FROM (
       ${waiting(`state = 'parked'`, 'delivery_id')} UNION ALL
       ${waiting(`state = 'following'`, 'delivery_id')} UNION ALL
       ${waiting(`state = 'due' AND tries > 0`, 'due_at')}) AS each) q
   LEFT JOIN region.delivery_outcomes o USING (endpoint_id)
   CROSS JOIN LATERAL (
     SELECT coalesce(json_agg(json_build_object(
       'minute', to_char(minute AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'ok', ok, 'failed', failed)
       ORDER BY minute), '[]') AS recent
     FROM region.delivery_minutes m WHERE m.endpoint_id = w.endpoint_id AND minute > now() - interval '1 hour') r`,
);
const DELETED_BATCH = 20_000;
const forgetMinutes = statement(
  'delivery-minutes-forget',
  `DELETE FROM region.delivery_minutes WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM region.delivery_minutes WHERE minute < now() - interval '2 hours' LIMIT $1 FOR UPDATE SKIP LOCKED))
   RETURNING 1`,
);
const forgetOutcomes = statement(
  'delivery-outcomes-forget',
  `DELETE FROM region.delivery_outcomes WHERE ctid = ANY (ARRAY(
     SELECT o.ctid FROM region.delivery_outcomes o
     WHERE NOT EXISTS (SELECT FROM region.delivery_endpoints e WHERE e.endpoint_id = o.endpoint_id)
     LIMIT $1 FOR UPDATE SKIP LOCKED))`,
);

export class EndpointStatsStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  async read(ids: readonly bigint[]): Promise<ReadonlyMap<bigint, EndpointStats>> {
    if (ids.length === 0) return new Map();
    const rows = await this.#region.query<EndpointStats>(read, [ids]);
    return new Map(rows.map((row) => [row.endpoint_id, row]));
  }

  /** Removes minutes that nobody asks for, and what is left of endpoints that are gone. */
  async forget(): Promise<void> {
    for (let gone = DELETED_BATCH; gone === DELETED_BATCH; )
      gone = (await this.#region.query(forgetMinutes, [DELETED_BATCH])).length;
    await this.#region.query(forgetOutcomes, [DELETED_BATCH]);
  }
}

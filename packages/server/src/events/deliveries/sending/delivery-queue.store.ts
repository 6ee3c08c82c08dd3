/**
 * SQL of the queue, as senders use it. A row is leased to one sender at a time and settled with the fence of that lease.
 * Work is found through partial indexes that hold only what could be sent, so a claim costs the same whatever the queue depth.
 *
 * Order in a lane: a row whose predecessor is still in the lane becomes `following`, and is made due by the transaction that
 * settles the predecessor. Both hold the predecessor's row lock while they decide (the claim a shared one), so neither can
 * miss the other. Only the settling transaction ever waits, and only for a claim.
 */
import { type Database, statement } from '../../../platform/db/database.ts';
import type { CircuitState } from '../circuit.ts';

/** A row that a sender has leased, with the current state of its endpoint. */
export interface ClaimedRow {
  readonly delivery_id: string;
  readonly created_at: Date;
  readonly endpoint_id: bigint;
  readonly uid: bigint;
  readonly fence: bigint;
  readonly size: number;
  readonly tries: number;
  readonly refusals: number;
  readonly has_lane: boolean;
  /** It is sent once, whatever is thought of its endpoint. */
  readonly is_test: boolean;
  /** Milliseconds since the start of its retry period. */
  readonly age: number;
  readonly is_configured: boolean;
  readonly endpoint_url: string | null;
  /** Its URL; of one for URLs given per call, their origin. */
  readonly endpoint_address: string;
  readonly endpoint_state: CircuitState;
  readonly openings: number;
  /** Milliseconds for which it has been failing. */
  readonly failing_for: number | null;
  /** More of the endpoint's events are parked. */
  readonly is_backlogged: boolean;
}

export interface ClaimedDue {
  readonly rows: readonly ClaimedRow[];
  /** Due rows that were leased, parked or found to follow others. */
  readonly lookedAt: number;
  /** How many milliseconds the oldest of them has been due; 0 if there was none. */
  readonly oldest: number;
}

export interface LoadedRow {
  readonly delivery_id: string;
  readonly kind: 'callback' | 'notification' | 'live' | 'object' | 'test';
  readonly access_key: string | null;
  readonly urls: readonly string[];
  readonly host: string | null;
  readonly content_type: string;
  readonly body: Buffer;
  readonly entity: string | null;
  readonly sequence: bigint;
  readonly reqid: string;
}

/**
 * Settings of the senders' connections. These keep the plans of their statements, and a plan made while the queue was
 * short would read all of a long one. So plans always use an index, and each statement looks rows up one by one.
 */
export const QUEUE_SETTINGS = { enable_seqscan: 'off', enable_bitmapscan: 'off', jit: 'off' };

/** A hundred years. */
const EVER_MS = 3.2e12;

const CLAIMED = `q.delivery_id, q.created_at, q.endpoint_id, q.uid, q.fence, q.size, q.tries, q.refusals,
  q.lane_id IS NOT NULL AS has_lane, q.is_test, (extract(epoch FROM now() - q.began_at) * 1000)::float8 AS age,
  e.is_configured, e.url AS endpoint_url, coalesce(e.url, e.name) AS endpoint_address, e.state AS endpoint_state, e.openings,
  (extract(epoch FROM now() - e.failing_since) * 1000)::float8 AS failing_for,
  e.next_at IS NOT NULL AS is_backlogged`;

// An endpoint whose row is locked counts as having room: what is leased in vain is parked again. Whether to wake an
// endpoint is read from its locked row: it may have been put to rest since the statement began.
const claimStatement = (name: string, order: 'ASC' | 'DESC') =>
  statement(
    name,
    `WITH due AS MATERIALIZED (
     SELECT delivery_id, endpoint_id, lane_id, sequence, due_at, is_test FROM region.delivery_queue
     WHERE state IN ('due', 'leased') AND due_at <= now() AND due_at >= now() - $3 * interval '1 millisecond'
     ORDER BY due_at ${order} LIMIT $1 FOR UPDATE SKIP LOCKED
   ), behind AS MATERIALIZED (
     SELECT d.delivery_id, p.delivery_id AS forerunner FROM due d CROSS JOIN LATERAL (
       SELECT delivery_id FROM region.delivery_queue WHERE lane_id = d.lane_id AND sequence = d.sequence - 1 OFFSET 0) p
   ), pinned AS MATERIALIZED (
     SELECT delivery_id, lane_id FROM region.delivery_queue
     WHERE delivery_id = ANY (ARRAY(SELECT forerunner FROM behind)) FOR SHARE SKIP LOCKED
   ), busy AS MATERIALIZED (
     SELECT endpoint_id, next_at FROM region.delivery_endpoints
     WHERE endpoint_id = ANY (ARRAY(SELECT DISTINCT endpoint_id FROM due)) AND (state <> 'closed' OR next_at IS NOT NULL)
     FOR NO KEY UPDATE SKIP LOCKED
   ), decided AS MATERIALIZED (
     SELECT d.delivery_id, d.endpoint_id,
       CASE WHEN b.delivery_id IS NULL AND (e.endpoint_id IS NULL OR d.is_test) THEN 'leased'
            WHEN b.delivery_id IS NULL THEN 'parked'
            WHEN p.lane_id IS NOT NULL THEN 'following' END AS state
     FROM due d LEFT JOIN behind b USING (delivery_id) LEFT JOIN pinned p ON p.delivery_id = b.forerunner
       LEFT JOIN busy e USING (endpoint_id)
   ), woken AS (
     UPDATE region.delivery_endpoints SET next_at = GREATEST(now(), probe_at)
     WHERE endpoint_id = ANY (ARRAY(
       SELECT d.endpoint_id FROM decided d JOIN busy b USING (endpoint_id)
       WHERE d.state = 'parked' AND b.next_at IS NULL))
   ), moved AS (
     UPDATE region.delivery_queue q SET state = d.state, fence = q.fence + 1,
       due_at = CASE WHEN d.state = 'leased' THEN now() + $2 * interval '1 millisecond' ELSE q.due_at END
     FROM decided d WHERE q.delivery_id = d.delivery_id AND d.state IS NOT NULL
     RETURNING q.*
   )
   SELECT l.*, looked.count AS looked_at, looked.oldest
   FROM (SELECT count(*)::integer AS count, (extract(epoch FROM now() - min(due_at)) * 1000)::float8 AS oldest
         FROM due) looked LEFT JOIN (
     SELECT ${CLAIMED} FROM moved q JOIN region.delivery_endpoints e USING (endpoint_id) WHERE q.state = 'leased'
   ) l ON true`,
  );
const claimOldest = claimStatement('delivery-claim-oldest', 'ASC');
const claimNewest = claimStatement('delivery-claim-newest', 'DESC');
const claimParked = statement(
  'delivery-claim-parked',
  `WITH parked AS MATERIALIZED (
     SELECT p.delivery_id
     FROM unnest($1::bigint[], $2::integer[]) AS w (endpoint_id, room) CROSS JOIN LATERAL (
       SELECT delivery_id FROM region.delivery_queue
       WHERE endpoint_id = w.endpoint_id AND state = 'parked' ORDER BY delivery_id LIMIT w.room
       FOR UPDATE SKIP LOCKED) p
   )
   UPDATE region.delivery_queue q SET state = 'leased', fence = q.fence + 1,
     due_at = now() + $3 * interval '1 millisecond'
   FROM region.delivery_endpoints e
   WHERE q.delivery_id = ANY (ARRAY(SELECT delivery_id FROM parked)) AND e.endpoint_id = q.endpoint_id
   RETURNING ${CLAIMED}`,
);
const load = statement(
  'delivery-load',
  `SELECT d.delivery_id, d.kind, d.access_key, d.urls, d.host, d.content_type, d.body, d.entity, d.sequence, d.reqid
   FROM unnest($1::uuid[]) AS w (delivery_id) CROSS JOIN LATERAL (
     SELECT * FROM region.deliveries WHERE delivery_id = w.delivery_id AND created_at BETWEEN $2 AND $3 OFFSET 0) d`,
);
// Always writes the endpoint's row: a sender that finds nothing parked holds its lock while it looks.
const park = statement(
  'delivery-park',
  `WITH held AS MATERIALIZED (
     SELECT q.delivery_id FROM unnest($1::uuid[], $2::bigint[]) AS w (delivery_id, fence) CROSS JOIN LATERAL (
       SELECT delivery_id FROM region.delivery_queue
       WHERE delivery_id = w.delivery_id AND fence = w.fence FOR UPDATE) q
   ), parked AS (
     UPDATE region.delivery_queue SET state = 'parked', fence = fence + 1
     WHERE delivery_id = ANY (ARRAY(SELECT delivery_id FROM held)) RETURNING endpoint_id
   )
   UPDATE region.delivery_endpoints SET next_at = COALESCE(next_at, GREATEST(now(), probe_at))
   WHERE endpoint_id = ANY (ARRAY(SELECT endpoint_id FROM parked))`,
);
const parkRetries = statement(
  'delivery-park-retries',
  `UPDATE region.delivery_queue SET state = 'parked', fence = fence + 1
   WHERE delivery_id = ANY (ARRAY(
     SELECT delivery_id FROM region.delivery_queue WHERE endpoint_id = $1 AND state = 'due' AND tries > 0
     ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED))
   RETURNING delivery_id`,
);
// No id is younger than its delivery, so the scan ends at the ids that are too young.
const claimExpired = statement(
  'delivery-claim-expired',
  `UPDATE region.delivery_queue q SET state = 'leased', fence = q.fence + 1,
     due_at = now() + $4 * interval '1 millisecond'
   FROM region.delivery_endpoints e
   WHERE e.endpoint_id = q.endpoint_id AND q.delivery_id = ANY (ARRAY(
     SELECT delivery_id FROM region.delivery_queue
     WHERE endpoint_id = $1 AND state = 'parked' AND began_at < now() - $2 * interval '1 millisecond'
       AND delivery_id < (lpad(to_hex((extract(epoch FROM now()) * 1000 - $2)::bigint), 12, '0') || repeat('0', 20))::uuid
     ORDER BY delivery_id LIMIT $3 FOR UPDATE SKIP LOCKED))
   RETURNING ${CLAIMED}`,
);

export class QueueStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /**
   * Claims what is due, for endpoints that have room; other due rows are moved to where they belong. `dueWithinMs`: only
   * what became due within this time, which spares the scan older entries that are not vacuumed yet.
   */
  async claimDue(
    most: number,
    leaseMs: number,
    dueWithinMs: number = EVER_MS,
    first: 'oldest' | 'newest' = 'oldest',
  ): Promise<ClaimedDue> {
    type Row = ClaimedRow & { readonly looked_at: number; readonly oldest: number | null };
    const rows = await this.#region.query<Row>(first === 'oldest' ? claimOldest : claimNewest, [
      most,
      leaseMs,
      dueWithinMs,
    ]);
    return {
      rows: rows.filter((row) => row.delivery_id !== null),
      lookedAt: rows[0]?.looked_at ?? 0,
      oldest: rows[0]?.oldest ?? 0,
    };
  }

  /** Claims what is parked at these endpoints, oldest first, up to the room at each. */
  claimParked(rooms: ReadonlyMap<bigint, number>, leaseMs: number): Promise<ClaimedRow[]> {
    return this.#region.query<ClaimedRow>(claimParked, [[...rooms.keys()], [...rooms.values()], leaseMs]);
  }

  /** Claims what is parked at an endpoint and has expired. */
  claimExpired(
    endpointId: bigint,
    olderThanMs: number,
    most: number,
    leaseMs: number,
  ): Promise<ClaimedRow[]> {
    return this.#region.query<ClaimedRow>(claimExpired, [endpointId, olderThanMs, most, leaseMs]);
  }

  async load(rows: readonly ClaimedRow[]): Promise<LoadedRow[]> {
    const times = rows.map((row) => row.created_at.getTime());
    // A millisecond more on both sides: the database counts microseconds, and JavaScript truncates them.
    const [first, last] = [new Date(Math.min(...times) - 1), new Date(Math.max(...times) + 1)];
    const ids = rows.map((row) => row.delivery_id);
    return this.#region.query<LoadedRow>(load, [ids, first, last]);
  }

  /** Hands back what can't be sent now. */
  async park(rows: readonly Pick<ClaimedRow, 'delivery_id' | 'fence'>[]): Promise<void> {
    await this.#region.query(park, [rows.map((row) => row.delivery_id), rows.map((row) => row.fence)]);
  }

  /** Parks what waits for a retry, so that it goes out as soon as there is room; returns the number. */
  async parkRetries(endpointId: bigint, most: number): Promise<number> {
    return (await this.#region.query(parkRetries, [endpointId, most])).length;
  }
}

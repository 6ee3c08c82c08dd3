/** SQL of endpoints: their state, and the notices to the operator about it. */
import { type Database, statement } from '../../platform/db/database.ts';
import type { CircuitState } from './circuit.ts';

export interface EndpointRow {
  readonly endpoint_id: bigint;
  readonly uid: bigint;
  readonly is_configured: boolean;
  readonly name: string;
  readonly url: string | null;
  readonly state: CircuitState;
  readonly failing_since: Date | null;
  readonly suspended_at: Date | null;
  readonly reason: string | null;
}

/** An endpoint that a sender has to look at. */
export interface DueEndpoint {
  readonly endpoint_id: bigint;
  readonly uid: bigint;
  readonly is_configured: boolean;
  /** Its URL; of one for URLs given per call, their origin. */
  readonly address: string;
  readonly state: CircuitState;
  readonly is_reviving: boolean;
}

export interface NoticeRow {
  readonly at: Date;
  readonly endpoint_id: bigint;
  readonly uid: bigint;
  readonly kind: 'suspended' | 'resumed';
  readonly text: string;
}

const COLUMNS = 'endpoint_id, uid, is_configured, name, url, state, failing_since, suspended_at, reason';

const due = statement(
  'delivery-endpoints-due',
  `SELECT endpoint_id, uid, is_configured, coalesce(url, name) AS address, state, is_reviving FROM region.delivery_endpoints
   WHERE next_at <= now() ORDER BY next_at LIMIT $1`,
);
const postpone = statement(
  'delivery-endpoints-postpone',
  `UPDATE region.delivery_endpoints SET next_at = now() + $2 * interval '1 millisecond'
   WHERE endpoint_id = ANY (ARRAY(
     SELECT endpoint_id FROM region.delivery_endpoints WHERE endpoint_id = ANY ($1) AND next_at <= now()
     FOR NO KEY UPDATE SKIP LOCKED))`,
);
const hold = statement(
  'delivery-endpoints-hold',
  'SELECT endpoint_id FROM region.delivery_endpoints WHERE endpoint_id = ANY ($1) ORDER BY endpoint_id FOR NO KEY UPDATE',
);
const rest = statement(
  'delivery-endpoints-rest',
  `UPDATE region.delivery_endpoints e SET next_at = NULL
   WHERE endpoint_id = ANY ($1) AND state = 'closed' AND NOT is_reviving AND next_at IS NOT NULL
     AND NOT EXISTS (SELECT FROM region.delivery_queue q WHERE q.endpoint_id = e.endpoint_id AND q.state = 'parked')
   RETURNING endpoint_id`,
);
const failing = statement(
  'delivery-endpoint-failing',
  `UPDATE region.delivery_endpoints SET failing_since = now() WHERE endpoint_id = $1 AND failing_since IS NULL`,
);
const open = statement(
  'delivery-endpoint-open',
  `UPDATE region.delivery_endpoints SET state = 'open', openings = $3, failing_since = COALESCE(failing_since, now()),
     probe_at = now() + $2 * interval '1 millisecond', next_at = now() + $2 * interval '1 millisecond', is_reviving = false
   WHERE endpoint_id = $1 AND state <> 'suspended'`,
);
// Limits the probe's time: if its sender dies, the endpoint is left to the next one.
const beginProbe = statement(
  'delivery-endpoint-begin-probe',
  `UPDATE region.delivery_endpoints SET state = 'half-open', probe_at = now() + $2 * interval '1 millisecond',
     next_at = now() + $2 * interval '1 millisecond'
   WHERE endpoint_id = $1 AND state IN ('open', 'half-open') AND probe_at <= now() RETURNING endpoint_id`,
);
// There was nothing to probe with: the next event is the probe.
const noProbe = statement(
  'delivery-endpoint-no-probe',
  `UPDATE region.delivery_endpoints e SET state = 'open', probe_at = now(), next_at = NULL
   WHERE endpoint_id = $1 AND state = 'half-open'
     AND NOT EXISTS (SELECT FROM region.delivery_queue q WHERE q.endpoint_id = e.endpoint_id AND q.state = 'parked')`,
);
const close = statement(
  'delivery-endpoint-close',
  `UPDATE region.delivery_endpoints SET state = 'closed', failing_since = NULL, openings = 0, probe_at = NULL,
     is_reviving = true, next_at = now()
   WHERE endpoint_id = $1 AND state <> 'suspended'`,
);
const revived = statement(
  'delivery-endpoint-revived',
  'UPDATE region.delivery_endpoints SET is_reviving = false WHERE endpoint_id = $1 AND is_reviving',
);
const suspend = statement(
  'delivery-endpoint-suspend',
  `WITH suspended AS (
     UPDATE region.delivery_endpoints SET state = 'suspended', suspended_at = now(), reason = $2, is_reviving = false,
       next_at = now() + $3 * interval '1 millisecond'
     WHERE endpoint_id = $1 AND is_configured AND state <> 'suspended' RETURNING ${COLUMNS}
   ), noted AS (
     INSERT INTO region.delivery_notices (endpoint_id, uid, kind, text)
     SELECT endpoint_id, uid, 'suspended', reason FROM suspended
   )
   SELECT ${COLUMNS} FROM suspended`,
);
const resume = statement(
  'delivery-endpoint-resume',
  `WITH resumed AS (
     UPDATE region.delivery_endpoints SET state = 'closed', suspended_at = NULL, reason = NULL, failing_since = NULL,
       openings = 0, probe_at = NULL, is_reviving = true, next_at = now()
     WHERE endpoint_id = $1 AND ($2::bigint IS NULL OR uid = $2) RETURNING ${COLUMNS}
   ), noted AS (
     INSERT INTO region.delivery_notices (endpoint_id, uid, kind, text)
     SELECT endpoint_id, uid, 'resumed', $3 FROM resumed
   )
   SELECT ${COLUMNS} FROM resumed`,
);
const list = statement(
  'delivery-endpoint-list',
  `SELECT ${COLUMNS} FROM region.delivery_endpoints
   WHERE ($1::bigint IS NULL OR uid = $1) AND endpoint_id > $2 ORDER BY endpoint_id LIMIT $3`,
);
// URLs that came with calls are not kept with their endpoint: the last one stands for it.
const find = statement(
  'delivery-endpoint-find',
  `SELECT ${COLUMNS}, COALESCE(url, (
     SELECT urls[1] FROM region.deliveries d WHERE d.endpoint_id = e.endpoint_id ORDER BY created_at DESC LIMIT 1),
     name) AS goes_to
   FROM region.delivery_endpoints e WHERE endpoint_id = $1 AND ($2::bigint IS NULL OR uid = $2)`,
);
const notices = statement(
  'delivery-notices',
  `SELECT at, endpoint_id, uid, kind, text FROM region.delivery_notices ORDER BY notice_id DESC LIMIT $1`,
);

export class EndpointStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  due(most: number): Promise<DueEndpoint[]> {
    return this.#region.query<DueEndpoint>(due, [most]);
  }

  /** Postpones the next look; a sender that gets room for these endpoints' events before that looks on its own. */
  async postpone(ids: readonly bigint[], ms: number): Promise<void> {
    await this.#region.query(postpone, [ids, ms]);
  }

  /** Returns those at which nothing is parked any more. */
  async rest(ids: readonly bigint[]): Promise<bigint[]> {
    return this.#region.transaction(async (transaction) => {
      await transaction.query(hold, [ids]);
      const rows = await transaction.query<{ endpoint_id: bigint }>(rest, [ids]);
      return rows.map((row) => row.endpoint_id);
    });
  }

  async failing(id: bigint): Promise<void> {
    await this.#region.query(failing, [id]);
  }

  async open(id: bigint, probeAfterMs: number, openings: number): Promise<void> {
    await this.#region.query(open, [id, probeAfterMs, openings]);
  }

  /** False if it is too early, or another sender was first. */
  async beginProbe(id: bigint, withinMs: number): Promise<boolean> {
    return (await this.#region.query(beginProbe, [id, withinMs])).length > 0;
  }

  async noProbe(id: bigint): Promise<void> {
    await this.#region.transaction(async (transaction) => {
      await transaction.query(hold, [[id]]);
      await transaction.query(noProbe, [id]);
    });
  }

  async close(id: bigint): Promise<void> {
    await this.#region.query(close, [id]);
  }

  async revived(id: bigint): Promise<void> {
    await this.#region.query(revived, [id]);
  }

  /** Undefined if it was suspended already. */
  async suspend(id: bigint, reason: string, lookAfterMs: number): Promise<EndpointRow | undefined> {
    const [row] = await this.#region.query<EndpointRow>(suspend, [id, reason, lookAfterMs]);
    return row;
  }

  /** Undefined if there is none, or it is another account's. */
  async resume(id: bigint, uid: bigint | undefined, by: string): Promise<EndpointRow | undefined> {
    const [row] = await this.#region.query<EndpointRow>(resume, [id, uid ?? null, by]);
    return row;
  }

  /** With where the next event goes, as far as is known. Undefined if there is none, or it is another account's. */
  async find(
    id: bigint,
    uid: bigint | undefined,
  ): Promise<(EndpointRow & { readonly goes_to: string }) | undefined> {
    const [row] = await this.#region.query<EndpointRow & { readonly goes_to: string }>(find, [
      id,
      uid ?? null,
    ]);
    return row;
  }

  list(uid: bigint | undefined, after: bigint, most: number): Promise<EndpointRow[]> {
    return this.#region.query<EndpointRow>(list, [uid ?? null, after, most]);
  }

  /** Newest first. */
  notices(most: number): Promise<NoticeRow[]> {
    return this.#region.query<NoticeRow>(notices, [most]);
  }
}

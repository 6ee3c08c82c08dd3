/**
 * SQL of the record of deliveries: lists, single deliveries with their tries, and sending again. A page reads a bounded
 * number of rows, whatever the query.
 */
import { type Database, statement } from '../../platform/db/database.ts';
import type { CircuitState } from './circuit.ts';
import type { DeliveryState } from './deliveries.store.ts';
import type { StoredHeaders } from './stored-headers.ts';

export interface DeliveryListRow {
  readonly delivery_id: string;
  readonly created_at: Date;
  readonly kind: string;
  readonly uid: bigint;
  readonly state: DeliveryState;
  readonly urls: readonly string[];
  readonly endpoint_id: bigint | null;
  readonly entity: string | null;
  readonly sequence: bigint | null;
  readonly subject: string;
  readonly reqid: string;
}

export interface DeliveryDetailRow extends DeliveryListRow {
  readonly content_type: string;
  readonly body: Buffer;
  /** When it is tried next; null if it is over or behind another. */
  readonly due_at: Date | null;
  readonly queue_state: 'due' | 'leased' | 'parked' | 'following' | null;
  readonly asked_at: Date;
  /** State of its endpoint, while the delivery is unfinished. */
  readonly endpoint_state: CircuitState | null;
  /** When an endpoint that is away is tried again. */
  readonly probe_at: Date | null;
  /** Why the endpoint is suspended. */
  readonly endpoint_reason: string | null;
}

export interface AttemptRow {
  readonly attempt: number;
  readonly begun_at: Date;
  readonly url: string;
  readonly status: number | null;
  readonly duration_ms: number;
  readonly response: Buffer | null;
  readonly error: string | null;
  /** Null: the attempt ended before it had any, or is older than they are kept. */
  readonly request_headers: StoredHeaders | null;
  readonly answer_headers: StoredHeaders | null;
}

export interface DeliveryListFilter {
  /** Undefined: all accounts, for operators. */
  readonly uid: bigint | undefined;
  readonly state: DeliveryState | undefined;
  readonly endpointId: bigint | undefined;
  readonly since: Date;
  readonly until: Date;
}

export interface DeliveryListPage {
  readonly rows: readonly DeliveryListRow[];
  /** Where the next page begins; undefined after the last one. */
  readonly next: string | undefined;
}

const COLUMNS = `delivery_id, created_at, kind, uid, state, urls, endpoint_id, entity, sequence, subject, reqid`;

// A page's end is always a value: with "no end, or before this one" every page would read all that are newer.
const LAST_ID = `coalesce($6::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')`;

// Reads rows in the order of one index, at most $7 of them; the page is what the filter leaves of these.
interface PageOrder {
  readonly source: string;
  readonly columns: readonly string[];
  readonly after: string;
}
const pageOf = (name: string, { source, columns, after }: PageOrder) =>
  statement(
    name,
    `WITH seen AS MATERIALIZED (
       SELECT ${COLUMNS} FROM region.deliveries
       WHERE created_at >= $4 AND created_at < $5 AND ${after} AND ${source}
       ORDER BY ${columns.map((column) => `${column} DESC`).join(', ')} LIMIT $7
     ), kept AS (
       SELECT * FROM seen WHERE ($1::bigint IS NULL OR uid = $1) AND ($2::text IS NULL OR state = $2)
         AND ($3::bigint IS NULL OR endpoint_id = $3)
     )
     SELECT k.*, (SELECT count(*) FROM seen)::integer AS seen_count,
       (SELECT delivery_id FROM seen ORDER BY ${columns.join(', ')} LIMIT 1) AS last_seen
     FROM (SELECT) AS always LEFT JOIN kept k ON true
     ORDER BY ${columns.map((column) => `k.${column} DESC`).join(', ')}`,
  );
const byTime = (source: string): PageOrder => ({
  source,
  columns: ['created_at', 'delivery_id'],
  // A record of another account is no valid start of a page, so nobody learns whether it exists.
  after: `(created_at, delivery_id) <
    (CASE WHEN $6::uuid IS NULL THEN $5 ELSE
       (SELECT created_at FROM region.deliveries WHERE delivery_id = $6 AND created_at >= $4 AND created_at < $5
          AND ($1::bigint IS NULL OR uid = $1)) END, ${LAST_ID})`,
});
const pages = {
  account: pageOf('delivery-page', byTime('uid = $1')),
  undelivered: pageOf('delivery-page-state', byTime(`uid = $1 AND state = $2 AND state <> 'delivered'`)),
  // The endpoint's account is checked before any row is read: neither the page nor its timing reveals how much there is.
  endpoint: pageOf(
    'delivery-page-endpoint',
    byTime(`endpoint_id = $3 AND EXISTS (
      SELECT FROM region.delivery_endpoints WHERE endpoint_id = $3 AND ($1::bigint IS NULL OR uid = $1))`),
  ),
  // An id begins with its time, and ids are indexed anyway; there is no index on time across accounts.
  everybody: pageOf('delivery-page-all', {
    source: 'true',
    columns: ['delivery_id'],
    after: `delivery_id < ${LAST_ID}`,
  }),
};
const get = statement(
  'delivery-get',
  `SELECT d.*, q.state AS queue_state, CASE WHEN q.state <> 'following' THEN q.due_at END AS due_at,
     now() AS asked_at, e.state AS endpoint_state, e.probe_at, e.reason AS endpoint_reason
   FROM (SELECT ${COLUMNS}, content_type, body FROM region.deliveries
         WHERE delivery_id = $1 AND created_at > region.blob_time($1) - interval '1 hour'
           AND created_at < region.blob_time($1) + interval '1 hour') d
   LEFT JOIN region.delivery_queue q USING (delivery_id)
   LEFT JOIN region.delivery_endpoints e ON e.endpoint_id = q.endpoint_id
   WHERE $2::bigint IS NULL OR d.uid = $2`,
);
const attempts = statement(
  'delivery-attempts',
  `SELECT attempt, begun_at, url, status, duration_ms, response, error, request_headers, answer_headers
   FROM region.delivery_attempts
   WHERE delivery_id = $1 AND begun_at > region.blob_time($1) - interval '1 hour' ORDER BY begun_at, attempt LIMIT $2`,
);
// Searches the account's deliveries of a short time: a request id has no index, and a moment has few.
const caused = statement(
  'delivery-caused',
  `SELECT * FROM (
     SELECT ${COLUMNS} FROM region.deliveries WHERE uid = $1 AND created_at >= $3 AND created_at < $4
     ORDER BY created_at LIMIT $5) AS moment
   WHERE reqid = $2`,
);
// Sent outside its lane: later events may have arrived already. Waiting deliveries are not touched.
const resend = statement(
  'delivery-resend',
  `WITH chosen AS (
     SELECT d.delivery_id, d.created_at, d.uid, d.sequence, length(d.body) AS size, d.kind, d.urls[1] AS url,
       COALESCE(d.endpoint_id, region.delivery_endpoint(d.uid, false, w.origin, d.urls[1])) AS endpoint_id
     FROM unnest($1::uuid[], $2::text[]) AS w (delivery_id, origin)
     JOIN region.deliveries d ON d.delivery_id = w.delivery_id
       AND d.created_at > region.blob_time(w.delivery_id) - interval '1 hour'
       AND d.created_at < region.blob_time(w.delivery_id) + interval '1 hour'
     WHERE d.state <> 'waiting'
   ), queued AS (
     INSERT INTO region.delivery_queue (delivery_id, created_at, endpoint_id, uid, sequence, size, is_test, attempts)
     SELECT c.delivery_id, c.created_at, c.endpoint_id, c.uid, COALESCE(c.sequence, 1), c.size, c.kind = 'test',
       COALESCE((SELECT max(attempt) FROM region.delivery_attempts a WHERE a.delivery_id = c.delivery_id
                 AND a.begun_at > c.created_at - interval '1 hour'), 0)
     FROM chosen c ON CONFLICT DO NOTHING RETURNING delivery_id, created_at, endpoint_id, sequence
   )
   UPDATE region.deliveries d
   SET state = 'waiting', failed_at = NULL, endpoint_id = q.endpoint_id, sequence = q.sequence
   FROM queued q WHERE d.delivery_id = q.delivery_id AND d.created_at = q.created_at
   RETURNING d.delivery_id`,
);

// Leaves alone an event that is in flight or waits for another of its lane. If the endpoint is away, its next probe is
// now; a suspended one must be resumed.
const hasten = statement(
  'delivery-hasten',
  `WITH waiting AS MATERIALIZED (
     SELECT delivery_id, endpoint_id, state FROM region.delivery_queue
     WHERE delivery_id = ANY ($1::uuid[]) AND (state = 'parked' OR (state = 'due' AND due_at > now()))
     ORDER BY delivery_id FOR UPDATE SKIP LOCKED
   ), due AS (
     UPDATE region.delivery_queue SET due_at = now()
     WHERE delivery_id = ANY (ARRAY(SELECT delivery_id FROM waiting WHERE state = 'due')) RETURNING delivery_id
   ), probed AS (
     UPDATE region.delivery_endpoints SET probe_at = now(), next_at = now()
     WHERE endpoint_id = ANY (ARRAY(SELECT endpoint_id FROM waiting WHERE state = 'parked')) AND state = 'open'
     RETURNING endpoint_id
   )
   SELECT ((SELECT count(*) FROM due) +
     (SELECT count(*) FROM waiting WHERE state = 'parked' AND endpoint_id IN (SELECT endpoint_id FROM probed)))::integer AS count`,
);

export class RecordStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** Newest first. `after` is the `next` of the previous page. */
  async page(filter: DeliveryListFilter, after: string | undefined, most: number): Promise<DeliveryListPage> {
    const { uid, state, endpointId, since, until } = filter;
    const isRare = uid !== undefined && state !== undefined && state !== 'delivered';
    const ofOne = isRare ? pages.undelivered : pages.account;
    const source = endpointId !== undefined ? pages.endpoint : uid === undefined ? pages.everybody : ofOne;
    type SeenRow = DeliveryListRow & { readonly seen_count: number; readonly last_seen: string | null };
    const values = [uid ?? null, state ?? null, endpointId ?? null, since, until, after ?? null, most];
    const rows = await this.#region.query<SeenRow>(source, values);
    const isFull = rows[0]?.seen_count === most;
    return {
      rows: rows
        .filter((row) => row.delivery_id !== null)
        .map(({ seen_count: _count, last_seen: _last, ...row }) => row),
      next: isFull ? (rows[0]?.last_seen ?? undefined) : undefined,
    };
  }

  /** Undefined if there is none, or it is another account's. */
  async get(id: string, uid: bigint | undefined): Promise<DeliveryDetailRow | undefined> {
    const [row] = await this.#region.query<DeliveryDetailRow>(get, [id, uid ?? null]);
    return row;
  }

  /** Those of a request, among at most so many of the account in this time. */
  byRequestId(uid: bigint, reqid: string, from: Date, to: Date, most: number): Promise<DeliveryListRow[]> {
    return this.#region.query<DeliveryListRow>(caused, [uid, reqid, from, to, most]);
  }

  /** Oldest first. */
  attempts(id: string, most: number): Promise<AttemptRow[]> {
    return this.#region.query<AttemptRow>(attempts, [id, most]);
  }

  /** Makes finished deliveries due again, unchanged; returns their number. `origins`: of their first URLs. */
  async resend(ids: readonly string[], origins: readonly string[]): Promise<number> {
    return (await this.#region.query(resend, [ids, origins])).length;
  }

  /** Makes deliveries that wait for a retry due now; returns their number. */
  async retryNow(ids: readonly string[]): Promise<number> {
    const [row] = await this.#region.query<{ count: number }>(hasten, [ids]);
    return row?.count ?? 0;
  }
}

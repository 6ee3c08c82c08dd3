/** SQL of deliveries: what is sent to receivers, and each attempt. */
import { currentTrace } from '@millpond/base';
import { type Database, type Queryable, statement } from '../../platform/db/database.ts';
import type { StoredHeaders } from './stored-headers.ts';

export type DeliveryState = 'unsent' | 'waiting' | 'delivered' | 'failed';

export interface NewDelivery {
  readonly id: string;
  readonly kind: 'callback';
  readonly uid: bigint;
  readonly accessKey: string;
  readonly urls: readonly string[];
  readonly host: string | undefined;
  readonly contentType: string;
  readonly body: Buffer;
  /** What it is about: `bucket:key`. */
  readonly subject: string;
  readonly reqid: string;
}

/** An event for a sender to send. */
export interface QueuedDelivery extends Omit<NewDelivery, 'kind' | 'accessKey' | 'urls' | 'host'> {
  readonly kind: 'notification' | 'live' | 'object' | 'test';
  readonly accessKey: string | undefined;
  readonly url: string;
  readonly endpoint: string | undefined;
  readonly endpointName: string;
  readonly entity: string | undefined;
}

export interface Attempt {
  readonly url: string;
  /** Undefined if there was no answer. */
  readonly status: number | undefined;
  readonly durationMs: number;
  /** As sent; undefined if it ended before there were any. */
  readonly requestHeaders: StoredHeaders | undefined;
  readonly answerHeaders: StoredHeaders | undefined;
  readonly response: Buffer | undefined;
  readonly error: string | undefined;
}

/** A callback as recorded, with its last try. */
export interface CallbackRecord {
  readonly delivery: NewDelivery;
  readonly state: DeliveryState;
  /** Undefined if none is recorded. */
  readonly last:
    | (Pick<Attempt, 'url' | 'status' | 'error'> & { readonly response: Buffer | undefined })
    | undefined;
}

/** It may be the receiver's own text, of any length, and with characters that no text column takes. */
const KEPT_ERROR_LENGTH = 1000;

const configure = statement('delivery-configure', 'SELECT region.configure_endpoint($1, $2, $3)');
const insert = statement(
  'delivery-insert',
  `INSERT INTO region.deliveries (delivery_id, kind, uid, access_key, urls, host, content_type, body, state, subject, reqid)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'unsent', $9, $10)`,
);
// The id contains its time, so the day's partition is found without searching all of them.
const IN_ITS_DAY = `delivery_id = $1 AND created_at > region.blob_time($1) - interval '1 hour'
     AND created_at < region.blob_time($1) + interval '1 hour'`;
const callback = statement(
  'delivery-callback',
  `SELECT d.*, a.url AS last_url, a.status AS last_status, a.response AS last_response, a.error AS last_error
   FROM (SELECT delivery_id, uid, access_key, urls, host, content_type, body, state, subject, reqid
         FROM region.deliveries WHERE ${IN_ITS_DAY} AND kind = 'callback') d
   LEFT JOIN LATERAL (
     SELECT url, status, response, error FROM region.delivery_attempts
     WHERE delivery_id = $1 AND begun_at > region.blob_time($1) - interval '1 hour'
     ORDER BY begun_at DESC, attempt DESC LIMIT 1
   ) a ON true`,
);
const add = statement(
  'delivery-add',
  'SELECT region.add_delivery($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) AS sequence',
);
const addAll = statement(
  'delivery-add-all',
  `SELECT region.add_delivery(id, kind, uid, access_key, configured, endpoint, url, type, body, entity, subject, reqid)
   FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::text[], $5::boolean[], $6::text[], $7::text[], $8::text[],
               $9::bytea[], $10::text[], $11::text[], $12::text[])
     WITH ORDINALITY AS e (id, kind, uid, access_key, configured, endpoint, url, type, body, entity, subject, reqid, n)
   ORDER BY n`,
);
// Tries follow each other directly, so each began as long ago as it and those after it took. All rows count from one
// time: clock_timestamp() advances between them, and put a first try of zero length after the second.
const settle = statement(
  'delivery-settle',
  `WITH attempts AS (
     INSERT INTO region.delivery_attempts (delivery_id, attempt, begun_at, url, status, duration_ms, response, error,
                                           request_headers, answer_headers)
     SELECT $1, n, statement_timestamp() - sum(duration_ms) OVER (ORDER BY n DESC) * interval '1 millisecond',
            url, status, duration_ms, response, error, request::jsonb, answer::jsonb
     FROM unnest($3::text[], $4::integer[], $5::integer[], $6::bytea[], $7::text[], $8::text[], $9::text[])
       WITH ORDINALITY AS a (url, status, duration_ms, response, error, request, answer, n)
   )
   UPDATE region.deliveries SET state = $2, failed_at = CASE $2::text WHEN 'failed' THEN now() END
   WHERE ${IN_ITS_DAY}`,
);
/** How long the counter of an object's events is kept. */
const OBJECT_LANE_DAYS = 2;
const LANES_BATCH = 20_000;

/** Each in its own statement: nobody may hold one lock while waiting for the other. */
const TABLES_OF_DAYS = ['deliveries', 'delivery_attempts'];
const dropDays = statement('delivery-drop-days', 'SELECT region.drop_days($1, $2) AS dropped');
// Objects are many, and their events say their order themselves: a counter goes when nothing of it waits any more.
const forgetLanes = statement(
  'delivery-forget-lanes',
  `DELETE FROM region.delivery_lanes WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM region.delivery_lanes l
     WHERE told_at < now() - $1 * interval '1 day'
        OR (entity LIKE 'object %' AND told_at < now() - $2 * interval '1 day'
            AND NOT EXISTS (SELECT FROM region.delivery_queue q WHERE q.lane_id = l.lane_id))
     LIMIT $3 FOR UPDATE SKIP LOCKED)) RETURNING 1`,
);
const forgetNotices = statement(
  'delivery-forget-notices',
  `DELETE FROM region.delivery_notices WHERE at < now() - $1 * interval '1 day'`,
);
// Those of event rules too: the next event, or a new URL, makes them again. In two steps, a day apart: adding an event removes
// the mark, and no transaction lasts that long.
const forgetEndpoints = statement(
  'delivery-forget-endpoints',
  `WITH unused AS (
     SELECT endpoint_id, retired_at FROM region.delivery_endpoints e
     WHERE (NOT is_configured OR name LIKE 'bucket %') AND created_at < now() - $1 * interval '1 day'
       AND NOT EXISTS (SELECT FROM region.deliveries d WHERE d.endpoint_id = e.endpoint_id)
     LIMIT 10000
   ), gone AS (
     DELETE FROM region.delivery_endpoints e USING unused u
     WHERE e.endpoint_id = u.endpoint_id AND e.retired_at < now() - interval '1 day'
   )
   UPDATE region.delivery_endpoints e SET retired_at = now() FROM unused u
   WHERE e.endpoint_id = u.endpoint_id AND e.retired_at IS NULL`,
);
const ensureDays = statement('delivery-ensure-days', 'SELECT region.ensure_days($1, $2)');

export class DeliveryStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** With a transaction, the record commits or rolls back with its cause. */
  async insert(delivery: NewDelivery, on: Queryable = this.#region): Promise<void> {
    await on.query(insert, [
      delivery.id,
      delivery.kind,
      delivery.uid,
      delivery.accessKey,
      delivery.urls,
      delivery.host ?? null,
      delivery.contentType,
      delivery.body,
      delivery.subject,
      delivery.reqid,
    ]);
    note(delivery);
  }

  async callback(id: string): Promise<CallbackRecord | undefined> {
    const [row] = await this.#region.query<CallbackRow>(callback, [id]);
    return row && callbackRecord(row);
  }

  /** From now on, what waits for this endpoint goes to this URL. */
  async configure(on: Queryable, uid: bigint, name: string, url: string): Promise<void> {
    await on.query(configure, [uid, name, url]);
  }

  /** Returns its number within its entity. */
  async add(on: Queryable, event: QueuedDelivery): Promise<bigint> {
    const [row] = await on.query<{ sequence: bigint }>(add, valuesOf(event));
    note(event);
    return row?.sequence ?? 1n;
  }

  /** In this order. */
  async addAll(on: Queryable, events: readonly QueuedDelivery[]): Promise<void> {
    const rows = events.map(valuesOf);
    const columns = (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]));
    if (rows.length > 0) await on.query(addAll, columns);
    for (const event of events) note(event);
  }

  async settle(id: string, state: DeliveryState, attempts: readonly Attempt[]): Promise<void> {
    await this.#region.query(settle, [
      id,
      state,
      attempts.map((attempt) => attempt.url),
      attempts.map((attempt) => attempt.status ?? null),
      attempts.map((attempt) => attempt.durationMs),
      attempts.map((attempt) => attempt.response ?? null),
      attempts.map((attempt) => attempt.error?.replaceAll('\0', '').slice(0, KEPT_ERROR_LENGTH) ?? null),
      attempts.map(({ requestHeaders }) => jsonOf(requestHeaders)),
      attempts.map(({ answerHeaders }) => jsonOf(answerHeaders)),
    ]);
  }

  /** Removes days older than this in which nothing waits any more, and entities that have been silent for longer. */
  async forget(days: number): Promise<number> {
    let dropped = 0;
    for (const table of TABLES_OF_DAYS) {
      const [row] = await this.#region.query<{ dropped: number }>(dropDays, [table, days]);
      dropped += row?.dropped ?? 0;
    }
    await this.#region.query(forgetNotices, [3 * days]);
    for (let lanes = LANES_BATCH; lanes === LANES_BATCH; ) {
      const values = [3 * days, OBJECT_LANE_DAYS, LANES_BATCH];
      lanes = (await this.#region.query(forgetLanes, values)).length;
    }
    await this.#region.query(forgetEndpoints, [days]);
    return dropped;
  }

  /** Creates partitions for the coming days. */
  async ensureDays(days: number): Promise<void> {
    for (const table of TABLES_OF_DAYS) await this.#region.query(ensureDays, [table, days]);
  }
}

/** A request caused it. */
function note({ kind, id }: Pick<NewDelivery | QueuedDelivery, 'kind' | 'id'>): void {
  const trace = currentTrace();
  trace?.since('event', kind, true, id);
  trace?.causes('deliveries', id);
}

/** For a column that may be null. */
export function jsonOf(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

interface CallbackRow {
  readonly delivery_id: string;
  readonly uid: bigint;
  readonly access_key: string;
  readonly urls: readonly string[];
  readonly host: string | null;
  readonly content_type: string;
  readonly body: Buffer;
  readonly state: DeliveryState;
  readonly subject: string;
  readonly reqid: string;
  readonly last_url: string | null;
  readonly last_status: number | null;
  readonly last_response: Buffer | null;
  readonly last_error: string | null;
}

function callbackRecord(row: CallbackRow): CallbackRecord {
  return {
    delivery: {
      id: row.delivery_id,
      kind: 'callback',
      uid: row.uid,
      accessKey: row.access_key,
      urls: row.urls,
      host: row.host ?? undefined,
      contentType: row.content_type,
      body: row.body,
      subject: row.subject,
      reqid: row.reqid,
    },
    state: row.state,
    last:
      row.last_url === null
        ? undefined
        : {
            url: row.last_url,
            status: row.last_status ?? undefined,
            response: row.last_response ?? undefined,
            error: row.last_error ?? undefined,
          },
  };
}

/** In the order of the database function's parameters. */
function valuesOf(event: QueuedDelivery): unknown[] {
  return [
    event.id,
    event.kind,
    event.uid,
    event.accessKey ?? null,
    event.endpoint !== undefined,
    event.endpointName,
    event.url,
    event.contentType,
    event.body,
    event.entity ?? null,
    event.subject,
    event.reqid,
  ];
}

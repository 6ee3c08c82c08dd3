/** SQL of deliveries: what is sent to receivers, and each attempt. */
import { type Database, type Queryable, statement } from '../../platform/db/database.ts';

export type DeliveryState = 'unsent' | 'delivered' | 'failed';

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

export interface Attempt {
  readonly url: string;
  /** Undefined where no answer came. */
  readonly status: number | undefined;
  readonly durationMs: number;
  readonly response: Buffer | undefined;
  readonly error: string | undefined;
}

/** It may be the receiver's own words, as many as it likes, and with characters that no text column takes. */
const KEPT_ERROR_LENGTH = 1000;

const insert = statement(
  'delivery-insert',
  `INSERT INTO region.deliveries (delivery_id, kind, uid, access_key, urls, host, content_type, body, state, subject, reqid)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'unsent', $9, $10)`,
);
// The id holds its time, so the day's partition is found without asking all of them. Tries follow each other at once,
// so each began as long ago as it and those after it took.
const settle = statement(
  'delivery-settle',
  `WITH attempts AS (
     INSERT INTO region.delivery_attempts (delivery_id, attempt, begun_at, url, status, duration_ms, response, error)
     SELECT $1, n, clock_timestamp() - sum(duration_ms) OVER (ORDER BY n DESC) * interval '1 millisecond',
            url, status, duration_ms, response, error
     FROM unnest($3::text[], $4::integer[], $5::integer[], $6::bytea[], $7::text[])
       WITH ORDINALITY AS a (url, status, duration_ms, response, error, n)
   )
   UPDATE region.deliveries SET state = $2
   WHERE delivery_id = $1 AND created_at > region.blob_time($1) - interval '1 hour'
     AND created_at < region.blob_time($1) + interval '1 hour'`,
);
const ensureDays = statement(
  'delivery-ensure-days',
  `SELECT region.ensure_days('deliveries', $1), region.ensure_days('delivery_attempts', $1)`,
);

export class DeliveryStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** With a transaction, the record stands or falls with its cause. */
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
    ]);
  }

  /** Partitions for the days to come. */
  async ensureDays(days: number): Promise<void> {
    await this.#region.query(ensureDays, [days]);
  }
}

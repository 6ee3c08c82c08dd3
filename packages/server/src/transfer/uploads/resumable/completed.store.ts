/** SQL of the answers to completed uploads, kept for clients that lost one and retry. */
import { type Database, statement } from '../../../platform/db/database.ts';

export interface CompletedUpload {
  /** What identifies the request; undefined: its answer is not kept. */
  readonly request: Buffer | undefined;
  readonly bucketId: bigint;
  readonly key: string;
  readonly putTime: bigint;
  /** As JSON; undefined if a callback decides. */
  readonly answer: string | undefined;
  readonly callback: { readonly deliveryId: string; readonly maxMs: number } | undefined;
}

/** A completed upload whose object is still the one it created. */
export interface CompletedRow {
  readonly key: string;
  readonly hash: string;
  readonly answer: string | null;
  readonly delivery_id: string | null;
}

/** One hour is promised. */
const KEPT_HOURS = 2;

/**
 * The part of a statement that keeps an answer, in the same round trip as the statement that ends the upload. Its values
 * are `completionValues`, from `$2` on.
 */
export function insertCompletionSql(ended: string): string {
  return `INSERT INTO region.completed_uploads (request, bucket_id, key, put_time, answer, delivery_id, called_until, expires_at)
     SELECT $2::bytea, $3::bigint, $4::text, $5::bigint, $6::text, $7::uuid,
       now() + $8::integer * interval '1 millisecond', now() + interval '${KEPT_HOURS} hours'
     FROM (SELECT FROM ${ended} LIMIT 1) AS ended WHERE $2::bytea IS NOT NULL`;
}

export function completionValues(upload: CompletedUpload): unknown[] {
  const { request, bucketId, key, putTime, answer, callback } = upload;
  return [
    request ?? null,
    bucketId,
    key,
    putTime,
    answer ?? null,
    callback?.deliveryId ?? null,
    callback?.maxMs ?? null,
  ];
}

const find = statement(
  'completed-find',
  `SELECT c.key, o.hash, c.answer, c.delivery_id FROM region.completed_uploads c
   JOIN region.objects o ON o.bucket_id = c.bucket_id AND o.key = c.key AND o.put_time = c.put_time
   WHERE c.request = $1 AND c.expires_at > now()`,
);
const claimCallback = statement(
  'completed-take-callback',
  `UPDATE region.completed_uploads SET called_until = now() + $2::integer * interval '1 millisecond'
   WHERE request = $1 AND called_until < now() RETURNING request`,
);
const forget = statement(
  'completed-forget',
  `DELETE FROM region.completed_uploads WHERE request = ANY (ARRAY(
     SELECT request FROM region.completed_uploads WHERE expires_at < now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED))
   RETURNING request`,
);

export class CompletedStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  async find(request: Buffer): Promise<CompletedRow | undefined> {
    const [row] = await this.#region.query<CompletedRow>(find, [request]);
    return row;
  }

  /** True for the caller that should send the callback now: the time of earlier callers is up. */
  async claimCallback(request: Buffer, longestMs: number): Promise<boolean> {
    return (await this.#region.query(claimCallback, [request, longestMs])).length === 1;
  }

  /** Returns how many were forgotten. */
  async forget(most: number): Promise<number> {
    return (await this.#region.query(forget, [most])).length;
  }
}

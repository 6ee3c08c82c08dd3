/** SQL of the outcome of leased rows: many at once, each only if its lease still holds. */
import { type Database, statement } from '../../../platform/db/database.ts';
import { type Attempt, jsonOf } from '../deliveries.store.ts';

export interface Settlement {
  readonly id: string;
  readonly fence: bigint;
  /** later: retried after `waitMs`. aside: the same, but outside its lane. */
  readonly outcome: 'delivered' | 'failed' | 'later' | 'aside';
  readonly waitMs: number;
  readonly refused: boolean;
  /** None if its time was over. */
  readonly attempt: (Attempt & { readonly agoMs: number }) | undefined;
}

interface SettledRow {
  readonly lane_id: bigint | null;
  readonly sequence: bigint;
  readonly outcome: Settlement['outcome'];
}

/** It may be the receiver's own text, with characters that no text column takes. */
const KEPT_ERROR_LENGTH = 1000;

const settle = statement(
  'delivery-settle-batch',
  `WITH held AS MATERIALIZED (
     SELECT q.delivery_id, q.created_at, q.lane_id, q.sequence, q.attempts, i.outcome, i.wait, i.refused, i.tried,
       i.ago, i.url, i.status, i.duration, i.response, i.error, i.request, i.answer
     FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::float8[], $5::boolean[], $6::boolean[], $7::integer[],
                 $8::text[], $9::integer[], $10::integer[], $11::bytea[], $12::text[], $13::text[], $14::text[])
       AS i (delivery_id, fence, outcome, wait, refused, tried, ago, url, status, duration, response, error, request,
             answer)
     CROSS JOIN LATERAL (
       SELECT * FROM region.delivery_queue WHERE delivery_id = i.delivery_id AND fence = i.fence FOR UPDATE) q
   ), ended AS (
     DELETE FROM region.delivery_queue
     WHERE delivery_id = ANY (ARRAY(SELECT delivery_id FROM held WHERE outcome IN ('delivered', 'failed')))
   ), again AS (
     UPDATE region.delivery_queue q SET state = 'due', due_at = now() + h.wait * interval '1 millisecond',
       tries = q.tries + 1, attempts = q.attempts + 1, refusals = q.refusals + h.refused::integer, fence = q.fence + 1,
       lane_id = CASE WHEN h.outcome = 'later' THEN q.lane_id END
     FROM held h WHERE q.delivery_id = h.delivery_id AND h.outcome IN ('later', 'aside')
   ), noted AS (
     INSERT INTO region.delivery_attempts (delivery_id, attempt, begun_at, url, status, duration_ms, response, error,
                                           request_headers, answer_headers)
     SELECT delivery_id, attempts + 1, statement_timestamp() - ago * interval '1 millisecond', url, status, duration,
       response, error, request::jsonb, answer::jsonb
     FROM held WHERE tried
   ), told AS (
     UPDATE region.deliveries d
     SET state = h.outcome, failed_at = CASE h.outcome WHEN 'failed' THEN now() END FROM held h
     WHERE d.delivery_id = h.delivery_id AND d.created_at = h.created_at AND h.outcome IN ('delivered', 'failed')
   )
   SELECT lane_id, sequence, outcome FROM held`,
);
// Must wait for the lock of a follower's row: a claim that came too late to take it still holds the lock until it ends,
// and a skipped follower would be forgotten. Claims themselves never wait.
const follow = statement(
  'delivery-follow',
  `UPDATE region.delivery_queue SET state = 'due', due_at = now()
   WHERE delivery_id = ANY (ARRAY(
     SELECT f.delivery_id FROM unnest($1::bigint[], $2::bigint[]) AS l (lane_id, sequence) CROSS JOIN LATERAL (
       SELECT delivery_id FROM region.delivery_queue
       WHERE lane_id = l.lane_id AND sequence = l.sequence + 1 AND state = 'following' FOR UPDATE) f))
   RETURNING delivery_id`,
);

export class SettleStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** Returns how many events are due now because the one before them is over. */
  async settle(settlements: readonly Settlement[]): Promise<number> {
    const values = valuesOf(settlements);
    return this.#region.transaction(async (transaction) => {
      const settled = await transaction.query<SettledRow>(settle, values);
      const freed = settled.filter((row) => row.lane_id !== null && row.outcome !== 'later');
      if (freed.length === 0) return 0;
      // A separate statement: it must see what the claims that it waited for have written.
      const lanes = [freed.map((row) => row.lane_id), freed.map((row) => row.sequence)];
      return (await transaction.query(follow, lanes)).length;
    });
  }
}

function valuesOf(settlements: readonly Settlement[]): unknown[] {
  const column = (read: (settlement: Settlement) => unknown) => settlements.map(read);
  return [
    column(({ id }) => id),
    column(({ fence }) => fence),
    column(({ outcome }) => outcome),
    column(({ waitMs }) => waitMs),
    column(({ refused }) => refused),
    column(({ attempt }) => attempt !== undefined),
    column(({ attempt }) => Math.round(attempt?.agoMs ?? 0)),
    column(({ attempt }) => attempt?.url ?? ''),
    column(({ attempt }) => attempt?.status ?? null),
    column(({ attempt }) => attempt?.durationMs ?? 0),
    column(({ attempt }) => attempt?.response ?? null),
    column(({ attempt }) => attempt?.error?.replaceAll('\0', '').slice(0, KEPT_ERROR_LENGTH) ?? null),
    column(({ attempt }) => jsonOf(attempt?.requestHeaders)),
    column(({ attempt }) => jsonOf(attempt?.answerHeaders)),
  ];
}

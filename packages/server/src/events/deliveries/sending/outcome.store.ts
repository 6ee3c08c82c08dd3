/** SQL of how attempts at endpoints ended. */
import { type Database, statement } from '../../../platform/db/database.ts';

/** Attempts at an endpoint since the last time. */
export interface EndpointOutcomes {
  readonly endpointId: bigint;
  readonly ok: number;
  readonly failed: number;
  /** Undefined if there was none. */
  readonly successAgoMs: number | undefined;
  readonly failureAgoMs: number | undefined;
}

// In the order of their ids, so that two senders never wait for each other.
const add = statement(
  'delivery-outcomes-add',
  `WITH counted AS MATERIALIZED (
     SELECT endpoint_id, ok, failed, now() - success_ago * interval '1 millisecond' AS success,
       now() - failure_ago * interval '1 millisecond' AS failure
     FROM unnest($1::bigint[], $2::integer[], $3::integer[], $4::float8[], $5::float8[])
       AS c (endpoint_id, ok, failed, success_ago, failure_ago)
     ORDER BY endpoint_id
   ), minutes AS (
     INSERT INTO region.delivery_minutes AS m (endpoint_id, minute, ok, failed)
     SELECT endpoint_id, date_trunc('minute', now()), ok, failed FROM counted
     ON CONFLICT (endpoint_id, minute) DO UPDATE SET ok = m.ok + excluded.ok, failed = m.failed + excluded.failed
   )
   INSERT INTO region.delivery_outcomes AS o (endpoint_id, last_success, last_failure)
   SELECT endpoint_id, success, failure FROM counted
   ON CONFLICT (endpoint_id) DO UPDATE SET last_success = GREATEST(o.last_success, excluded.last_success),
     last_failure = GREATEST(o.last_failure, excluded.last_failure)`,
);

export class OutcomeStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  async add(outcomes: readonly EndpointOutcomes[]): Promise<void> {
    await this.#region.query(add, [
      outcomes.map(({ endpointId }) => endpointId),
      outcomes.map(({ ok }) => ok),
      outcomes.map(({ failed }) => failed),
      outcomes.map(({ successAgoMs }) => successAgoMs ?? null),
      outcomes.map(({ failureAgoMs }) => failureAgoMs ?? null),
    ]);
  }
}

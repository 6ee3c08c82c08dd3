/** SQL of the queue depth. Runs on the senders' connections, whose plans read only indexes. */

import { type Database, statement } from '../../platform/db/database.ts';
import { MAX_COUNTED } from '../../platform/db/sampling.ts';

export interface DeliveryStats {
  /** In the queue: due, waiting for a retry, behind another event, or for an endpoint that is away. */
  readonly queued: number;
  /** How many of these are due and without a sender. */
  readonly due: number;
  /** How long the first of these has been due; 0 if there is none. */
  readonly lateSeconds: number;
  readonly unsent: number;
  readonly failed: number;
  readonly suspended: number;
}

// Each count stops at the limit, and reads an index that holds only what it counts.
const figures = statement(
  'delivery-figures',
  `SELECT
     (SELECT count(*) FROM (SELECT FROM region.delivery_queue ORDER BY delivery_id LIMIT ${MAX_COUNTED}) AS q)::float8 AS queued,
     late.count AS due, late.seconds AS "lateSeconds", inbox.unsent, inbox.failed,
     (SELECT count(*) FROM (SELECT FROM region.delivery_endpoints WHERE state = 'suspended' LIMIT ${MAX_COUNTED}) AS e)::float8
       AS suspended
   FROM (
     SELECT count(*)::float8 AS count, coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 AS seconds
     FROM (SELECT due_at FROM region.delivery_queue WHERE state IN ('due', 'leased') AND due_at <= now()
           ORDER BY due_at LIMIT ${MAX_COUNTED}) AS d
   ) AS late, (
     SELECT count(*) FILTER (WHERE state = 'unsent')::float8 AS unsent,
            count(*) FILTER (WHERE state = 'failed')::float8 AS failed
     FROM (SELECT state FROM region.deliveries WHERE state <> 'delivered' LIMIT ${MAX_COUNTED}) AS u
   ) AS inbox`,
);

export class DeliveryStatsStore {
  readonly #sending: Database;

  constructor(sending: Database) {
    this.#sending = sending;
  }

  async read(): Promise<DeliveryStats> {
    const [row] = await this.#sending.query<DeliveryStats>(figures, []);
    if (row === undefined) throw new Error('there are no figures for deliveries');
    return row;
  }
}

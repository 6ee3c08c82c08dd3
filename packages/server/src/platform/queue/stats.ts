/** Counts per queue, for metrics: each from the index that holds just those jobs. */
import { planned, type SqlClient } from './statements.ts';

export interface QueueStats {
  readonly queue: string;
  /** Ready to run, or waiting for a retry. */
  readonly waiting: number;
  readonly active: number;
  /** Not due yet. */
  readonly delayed: number;
  /** Dead letters. */
  readonly failed: number;
}

const count = (state: string) =>
  `(SELECT count(*) FROM queue.jobs WHERE queue = name AND state = '${state}')`;

export async function readStats(client: SqlClient, queues: readonly string[]): Promise<QueueStats[]> {
  return planned<QueueStats>(
    client,
    `SELECT name AS queue, (${count('ready')} + ${count('retry')})::int AS waiting, ${count('active')}::int AS active,
            ${count('delayed')}::int AS delayed, ${count('failed')}::int AS failed
     FROM unnest($1::text[]) AS name`,
    [queues],
  );
}

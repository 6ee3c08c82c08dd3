/**
 * Figures per queue, for metrics: each from the index that holds just those jobs, and from a limited number of them, so that
 * they cost the same whatever the queue depth. Counts stop at that limit.
 */
import { MAX_COUNTED } from '../db/sampling.ts';
import { queryUnprepared, type SqlClient } from './statements.ts';

export interface QueueStats {
  readonly queue: string;
  /** Ready to run, or waiting for a retry. */
  readonly waiting: number;
  readonly active: number;
  /** Not due yet. */
  readonly delayed: number;
  /** Given up. */
  readonly failed: number;
  /** Seconds since the oldest job was enqueued that could run now, or should have become ready; 0 if there is none. */
  readonly oldestSeconds: number;
}

const some = (columns: string, condition: string) =>
  `(SELECT ${columns} FROM queue.jobs WHERE queue = name AND ${condition} LIMIT ${MAX_COUNTED}) AS counted`;
const count = (state: string) => `(SELECT count(*) FROM ${some('', `state = '${state}'`)})`;
const overdue = (state: string) =>
  `(SELECT min(until) FROM queue.jobs WHERE queue = name AND state = '${state}' AND until < now())`;

/** State of one periodic job. */
export interface PeriodicStats {
  readonly name: string;
  /** How long ago it should have begun; 0 while it runs, and until it is due. */
  readonly overdueSeconds: number;
  /** Whether its last run failed. */
  readonly failed: boolean;
}

export async function readPeriodic(client: SqlClient, names: readonly string[]): Promise<PeriodicStats[]> {
  return queryUnprepared<PeriodicStats>(
    client,
    `SELECT name, last_error IS NOT NULL AS failed,
            CASE WHEN lease_until > now() THEN 0 ELSE greatest(0, extract(epoch FROM now() - next_due)) END::float8 AS "overdueSeconds"
     FROM queue.periodic WHERE name = ANY($1::text[]) ORDER BY name`,
    [names],
  );
}

export async function readStats(client: SqlClient, queues: readonly string[]): Promise<QueueStats[]> {
  return queryUnprepared<QueueStats>(
    client,
    `SELECT name AS queue, (${count('ready')} + ${count('retry')})::int AS waiting, ${count('active')}::int AS active,
            ${count('delayed')}::int AS delayed, ${count('failed')}::int AS failed,
            coalesce(extract(epoch FROM now() - LEAST(
              (SELECT min(created_at) FROM ${some('created_at', `state = 'ready' ORDER BY tag`)}),
              ${overdue('retry')}, ${overdue('delayed')})), 0)::float8 AS "oldestSeconds"
     FROM unnest($1::text[]) AS name`,
    [queues],
  );
}

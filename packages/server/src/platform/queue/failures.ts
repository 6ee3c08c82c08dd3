/** Dead letters: jobs that have used up their retries, with the reason of the last failure. They stay until retried. */
import type { JobData } from './enqueue.ts';
import { planned, type SqlClient } from './statements.ts';

export interface FailedJob {
  readonly id: string;
  readonly data: JobData;
  readonly reason: string;
  readonly attempts: number;
  readonly failedAt: Date;
}

/** Newest first. */
export async function listFailures(client: SqlClient, queue: string, limit: number): Promise<FailedJob[]> {
  return planned<FailedJob>(
    client,
    `SELECT id, data, reason, attempt AS attempts, failed_at AS "failedAt"
     FROM queue.jobs WHERE queue = $1 AND state = 'failed' ORDER BY failed_at DESC LIMIT $2`,
    [queue, limit],
  );
}

/** Puts dead letters of a queue back into it, oldest first; returns how many. */
export async function retryFailures(client: SqlClient, queue: string, limit: number): Promise<number> {
  const sent = await planned(
    client,
    `UPDATE queue.jobs SET state = 'ready', failures = 0, reason = NULL, failed_at = NULL WHERE id IN (
       SELECT id FROM queue.jobs WHERE queue = $1 AND state = 'failed' ORDER BY failed_at LIMIT $2 FOR UPDATE SKIP LOCKED)
     RETURNING id`,
    [queue, limit],
  );
  return sent.length;
}

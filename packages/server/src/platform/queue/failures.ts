/** Dead letters: jobs whose retries are used up, with the reason of the last failure. They stay until retried. */
import type { PgBoss } from 'pg-boss';
import { BOSS_SCHEMA, DEAD_LETTER } from './boss.ts';
import type { JobData } from './enqueue.ts';
import { planned, type SqlClient } from './statements.ts';

export interface FailedJob {
  readonly id: string;
  readonly data: JobData;
  readonly reason: string;
  readonly attempts: number;
  readonly failedAt: Date;
}

/** The newest first. */
export async function listFailures(client: SqlClient, queue: string, limit: number): Promise<FailedJob[]> {
  return planned<FailedJob>(
    client,
    `SELECT id, data, coalesce(source_output ->> 'message', source_output #>> '{value,message}', '') AS reason,
            source_retry_count + 1 AS attempts, created_on AS "failedAt"
     FROM ${BOSS_SCHEMA}.job WHERE name = '${DEAD_LETTER}' AND source_name = $1
     ORDER BY created_on DESC LIMIT $2`,
    [queue, limit],
  );
}

/** Puts dead letters of a queue back into it, the oldest first; returns how many. */
export function retryFailures(boss: PgBoss, queue: string, limit: number): Promise<number> {
  return boss.redrive(DEAD_LETTER, { sourceName: queue, limit });
}

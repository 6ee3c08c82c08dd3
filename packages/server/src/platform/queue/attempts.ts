/**
 * One attempt of a job as it was fetched, and the fenced calls on it: each affects the job only while this attempt
 * holds it, and says so.
 */
import type { PgBoss } from 'pg-boss';
import { BOSS_SCHEMA } from './boss.ts';
import type { JobData } from './enqueue.ts';
import { bossOn, planned, type SqlClient } from './statements.ts';

export interface Attempt {
  readonly id: string;
  readonly queue: string;
  readonly data: JobData;
  /** Counts the claims of the job from 0; names this attempt in every fence. */
  readonly retryCount: number;
  readonly tag: number;
}

export interface Attempts {
  fetch(queue: string, count: number): Promise<Attempt[]>;
  /** All three return the ids that were still held. The attempts must be of one queue. */
  touch(attempts: readonly Attempt[]): Promise<Set<string>>;
  complete(attempts: readonly Attempt[], client?: SqlClient): Promise<Set<string>>;
  fail(attempt: Attempt, reason: FailureReason): Promise<Set<string>>;
  handBack(attempt: Attempt): Promise<void>;
}

export interface FailureReason {
  readonly name: string;
  readonly message: string;
}

export function createAttempts(boss: PgBoss, pool: SqlClient): Attempts {
  const db = bossOn(pool);
  return {
    async fetch(queue, count) {
      const jobs = await boss.fetch<JobData | null>(queue, { batchSize: count, includeMetadata: true, db });
      return jobs.map((job) => ({
        id: job.id,
        queue,
        data: job.data ?? {},
        retryCount: job.retryCount,
        tag: -job.priority,
      }));
    },
    async touch(attempts) {
      const queue = queueOf(attempts);
      return queue === undefined ? new Set() : held(await boss.touch(queue, [...attempts], { db }));
    },
    async complete(attempts, client) {
      const queue = queueOf(attempts);
      if (queue === undefined) return new Set();
      return held(await boss.complete(queue, [...attempts], null, { db: client ? bossOn(client) : db }));
    },
    async fail(attempt, reason) {
      return held(await boss.fail(attempt.queue, attempt, reason, { db }));
    },
    /**
     * Unlike a failure this costs neither a retry nor a wait. pg-boss has no fenced way to do it; the start time stays,
     * because it makes the next claim count up and so fences this one off.
     */
    async handBack(attempt) {
      await planned(
        pool,
        `UPDATE ${BOSS_SCHEMA}.job
         SET state = 'retry', retry_limit = retry_limit + 1, start_after = now(), heartbeat_on = NULL
         WHERE name = $1 AND id = $2 AND state = 'active' AND retry_count = $3`,
        [attempt.queue, attempt.id, attempt.retryCount],
      );
    },
  };
}

function queueOf(attempts: readonly Attempt[]): string | undefined {
  return attempts[0]?.queue;
}

/** pg-boss answers with the ids it affected, but leaves them out of its types. */
function held(response: object): Set<string> {
  if (!('settled' in response) || !Array.isArray(response.settled)) {
    throw new Error('this version of pg-boss does not say which jobs it settled');
  }
  return new Set(response.settled);
}

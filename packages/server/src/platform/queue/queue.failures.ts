/**
 * Failed jobs: those that have used up their retries, with the reason of the last failure. They stay until they are retried,
 * because what was asked for is not done.
 */
import type { JobData } from './enqueue.ts';
import { queryUnprepared, type SqlClient } from './statements.ts';

export interface FailedJob {
  readonly id: string;
  readonly queue: string;
  readonly failedAt: Date;
  readonly attempts: number;
  /** Names what the job is about. */
  readonly data: JobData;
  /** Without secrets. */
  readonly reason: string;
}

export interface FailedJobs {
  /** Newest first; without a queue, those of all. */
  list(queue: string | undefined, limit: number): Promise<FailedJob[]>;
  /** Puts a failed job back into its queue, with all its retries. False: there is no such failed job. */
  retry(id: string): Promise<boolean>;
  /** Puts all back that have failed up to now; returns how many. Those that fail again meanwhile stay. */
  retryAll(queue: string): Promise<number>;
}

const LIST = `
SELECT id, queue, failed_at AS "failedAt", attempt AS attempts, data, coalesce(reason, '') AS reason
FROM queue.jobs WHERE state = 'failed' AND ($1::text IS NULL OR queue = $1) ORDER BY failed_at DESC LIMIT $2`;

const PUT_BACK = `UPDATE queue.jobs SET state = 'ready', failures = 0, reason = NULL, failed_at = NULL`;
const RETRY = `${PUT_BACK} WHERE id = $1 AND state = 'failed' RETURNING id`;
const RETRY_ALL = `${PUT_BACK} WHERE id IN (
  SELECT id FROM queue.jobs WHERE queue = $1 AND state = 'failed' AND failed_at <= $2::timestamptz
  ORDER BY failed_at LIMIT $3 FOR UPDATE SKIP LOCKED)
RETURNING id`;

const BATCH = 1000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function openFailedJobs(client: SqlClient): FailedJobs {
  return {
    async list(queue, limit) {
      const rows = await queryUnprepared<FailedJob>(client, LIST, [queue ?? null, limit]);
      return rows.map((row) => ({ ...row, reason: withoutSecrets(row.reason) }));
    },
    async retry(id) {
      return UUID.test(id) && (await queryUnprepared(client, RETRY, [id])).length > 0;
    },
    async retryAll(queue) {
      // As text, because a Date has no microseconds.
      const [now] = await queryUnprepared<{ at: string }>(client, 'SELECT clock_timestamp()::text AS at', []);
      let count = 0;
      for (;;) {
        const { length } = await queryUnprepared(client, RETRY_ALL, [queue, now?.at, BATCH]);
        count += length;
        if (length < BATCH) return count;
      }
    },
  };
}

/** Passwords and queries of URLs: tokens are in them. */
function withoutSecrets(reason: string): string {
  return reason.replaceAll(
    /\b(\w+:\/\/)(?:[^\s/?#@]*@)?([^\s?#"'<>]*)(\?[^\s"'<>]*)?/gi,
    (_, scheme: string, place: string, query?: string) =>
      `${scheme}${place}${query === undefined ? '' : '?…'}`,
  );
}

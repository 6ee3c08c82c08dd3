/**
 * One attempt of a job as it was claimed, and the fenced calls on it: each affects the job only while this attempt holds it,
 * and reports whether it did.
 */
import type { DefinedQueue } from './definitions.ts';
import type { JobData } from './enqueue.ts';
import { queryUnprepared, type SqlClient } from './statements.ts';

export interface Attempt {
  readonly id: string;
  readonly queue: DefinedQueue;
  readonly data: JobData;
  /** 1 for the first; identifies this attempt in every fence. */
  readonly number: number;
}

export interface Attempts {
  claim(queue: DefinedQueue, count: number): Promise<Attempt[]>;
  /** All three return the ids that were still held. Attempts renewed together must be of one queue. */
  renew(attempts: readonly Attempt[]): Promise<Set<string>>;
  complete(attempts: readonly Attempt[], client?: SqlClient): Promise<Set<string>>;
  fail(attempt: Attempt, reason: string): Promise<Set<string>>;
  /** Makes the job ready again. Unlike a failure this costs neither a retry nor a wait. */
  handBack(attempt: Attempt): Promise<void>;
}

/** Also advances the virtual time to the highest tag taken; a claim that finds the row locked leaves that to the other one. */
const CLAIM = `
WITH chosen AS MATERIALIZED (
  SELECT id, tag FROM queue.jobs WHERE queue = $1 AND state = 'ready' ORDER BY tag LIMIT $2 FOR UPDATE SKIP LOCKED
), reached AS (
  UPDATE queue.virtual_time SET tag = (SELECT max(tag) FROM chosen) WHERE queue = (
    SELECT queue FROM queue.virtual_time
    WHERE queue = $1 AND tag < (SELECT max(tag) FROM chosen) FOR UPDATE SKIP LOCKED)
)
UPDATE queue.jobs SET state = 'active', attempt = attempt + 1, started_at = now(), until = now() + make_interval(secs => $3)
WHERE id = ANY(ARRAY(SELECT id FROM chosen)) RETURNING id, data, attempt AS number`;

/** A locked row is being settled. A job that runs for a day is assumed to hang. */
const RENEW = `
UPDATE queue.jobs SET until = least(now() + make_interval(secs => $3), started_at + interval '1 day')
WHERE id IN (
  SELECT jobs.id FROM queue.jobs JOIN unnest($1::uuid[], $2::int[]) AS held (id, attempt) USING (id, attempt)
  WHERE state = 'active' FOR UPDATE OF jobs SKIP LOCKED)
RETURNING id`;

const COMPLETE = `
DELETE FROM queue.jobs USING unnest($1::uuid[], $2::int[]) AS held (id, attempt)
WHERE jobs.id = held.id AND jobs.attempt = held.attempt AND state = 'active' RETURNING jobs.id`;

/** $1 the number of retries, $2 and $3 the seconds before the first retry and the most before any. */
const FAILURE = `
  failures = failures + 1,
  state = CASE WHEN failures < $1::int THEN 'retry' ELSE 'failed' END,
  until = CASE WHEN failures < $1::int THEN now() + make_interval(
    secs => least($3::float8, $2::float8 * 2 ^ least(failures, 30) * (1 + random() / 4))) END,
  failed_at = CASE WHEN failures < $1::int THEN NULL ELSE now() END`;

const FAIL = `
UPDATE queue.jobs SET ${FAILURE}, reason = $4
WHERE id = $5 AND attempt = $6 AND state = 'active' RETURNING id`;

/** A locked row is being settled or renewed after all. */
const FAIL_LAPSED = `
UPDATE queue.jobs SET ${FAILURE}, reason = 'its worker was not heard of any more'
WHERE id IN (
  SELECT id FROM queue.jobs WHERE queue = $4 AND state = 'active' AND until <= now() LIMIT $5 FOR UPDATE SKIP LOCKED)
RETURNING id`;

const HAND_BACK = `
UPDATE queue.jobs SET state = 'ready', until = NULL WHERE id = $1 AND attempt = $2 AND state = 'active'`;

interface Id {
  readonly id: string;
}

export function createAttempts(pool: SqlClient): Attempts {
  return {
    async claim(queue, count) {
      const rows = await queryUnprepared<Omit<Attempt, 'queue'>>(pool, CLAIM, [
        queue.name,
        count,
        queue.leaseSeconds,
      ]);
      return rows.map((row) => ({ ...row, queue }));
    },
    async renew(attempts) {
      const [first] = attempts;
      if (first === undefined) return new Set();
      return idsOf(await queryUnprepared(pool, RENEW, [...fencesOf(attempts), first.queue.leaseSeconds]));
    },
    async complete(attempts, client = pool) {
      return idsOf(await queryUnprepared(client, COMPLETE, fencesOf(attempts)));
    },
    async fail({ id, number, queue }, reason) {
      return idsOf(await queryUnprepared(pool, FAIL, [...retriesOf(queue), reason, id, number]));
    },
    async handBack({ id, number }) {
      await queryUnprepared(pool, HAND_BACK, [id, number]);
    },
  };
}

/** Fails up to `limit` attempts whose workers have died or stalled; returns how many. */
export async function failLapsed(client: SqlClient, queue: DefinedQueue, limit: number): Promise<number> {
  return (await queryUnprepared(client, FAIL_LAPSED, [...retriesOf(queue), queue.name, limit])).length;
}

function fencesOf(attempts: readonly Attempt[]): [string[], number[]] {
  return [attempts.map(({ id }) => id), attempts.map(({ number }) => number)];
}

function retriesOf({ retryLimit, retryDelaySeconds, retryDelayMaxSeconds }: DefinedQueue): number[] {
  return [retryLimit, retryDelaySeconds, retryDelayMaxSeconds];
}

function idsOf(rows: readonly Id[]): Set<string> {
  return new Set(rows.map(({ id }) => id));
}

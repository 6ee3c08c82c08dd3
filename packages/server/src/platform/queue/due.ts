/**
 * Jobs whose state expires: delayed jobs and retries become ready when due, and attempts whose worker has died or stalled fail.
 * Every worker process looks for them, skipping rows that another one has locked.
 */
import type { Log } from '@millpond/base';
import { failLapsed } from './attempts.ts';
import type { DefinedQueue } from './definitions.ts';
import { VIRTUAL_TIME_SQL } from './fair-share.ts';
import { type Loop, startLoop } from './loop.ts';
import { queryUnprepared, type SqlClient } from './statements.ts';

const BATCH = 500;
const MIN_WAIT_MS = 100;
const MAX_WAIT_MS = 1000;

const WITH_DUE = `
SELECT name FROM unnest($1::text[]) AS name WHERE EXISTS (
  SELECT FROM queue.jobs WHERE queue = name AND state IN ('delayed', 'retry', 'active') AND until <= now())`;

const BEGIN_DELAYED = `
WITH due AS MATERIALIZED (
  SELECT id, account, until FROM queue.jobs WHERE queue = $1 AND state = 'delayed' AND until <= now()
  ORDER BY until LIMIT $2 FOR UPDATE SKIP LOCKED
), turn AS MATERIALIZED (
  SELECT account, queue.take_turns($1, account, count(*), ${VIRTUAL_TIME_SQL}) AS before FROM due GROUP BY account
), placed AS (
  SELECT id, before + row_number() OVER (PARTITION BY account ORDER BY until) AS tag FROM due JOIN turn USING (account)
)
UPDATE queue.jobs SET state = 'ready', until = NULL, tag = placed.tag
FROM placed WHERE jobs.id = placed.id RETURNING jobs.id`;

/** Their turn is long past: they come before jobs enqueued since. */
const BEGIN_RETRIES = `
UPDATE queue.jobs SET state = 'ready', until = NULL WHERE id IN (
  SELECT id FROM queue.jobs WHERE queue = $1 AND state = 'retry' AND until <= now()
  ORDER BY until LIMIT $2 FOR UPDATE SKIP LOCKED)
RETURNING id`;

/** Serves all defined queues until stopped. */
export function startDue(client: SqlClient, queues: ReadonlyMap<string, DefinedQueue>, log: Log): Loop {
  let wait = MAX_WAIT_MS;
  return startLoop(async () => {
    try {
      const moved = await moveDue(client, queues);
      wait = moved === 0 ? Math.min(wait * 1.5, MAX_WAIT_MS) : MIN_WAIT_MS;
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'due jobs could not be moved');
      wait = MAX_WAIT_MS;
    }
    return wait;
  });
}

async function moveDue(client: SqlClient, queues: ReadonlyMap<string, DefinedQueue>): Promise<number> {
  const due = await queryUnprepared<{ name: string }>(client, WITH_DUE, [[...queues.keys()]]);
  let moved = 0;
  for (const { name } of due) {
    const queue = queues.get(name);
    if (queue === undefined) continue;
    moved += await failLapsed(client, queue, BATCH);
    moved += await beginDue(client, name, BATCH);
  }
  return moved;
}

/** Makes up to `limit` jobs of each kind ready; returns how many there were. */
export async function beginDue(client: SqlClient, queue: string, limit: number): Promise<number> {
  const delayed = await queryUnprepared(client, BEGIN_DELAYED, [queue, limit]);
  const retries = await queryUnprepared(client, BEGIN_RETRIES, [queue, limit]);
  return delayed.length + retries.length;
}

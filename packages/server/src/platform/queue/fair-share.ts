/**
 * Accounts take turns. A job's tag is `max(virtual time, last tag of its account) + 1`, and jobs are taken in the order of
 * their tags; the virtual time is the highest tag taken by a worker. So an account with one job waits for about one job of each
 * other account, not for their backlogs. `queue.take_turns` assigns the tags inside the enqueue.
 */
import { prepared, queryUnprepared, type SqlClient } from './statements.ts';

/** The virtual time of the queue $1. */
export const VIRTUAL_TIME_SQL = `coalesce((SELECT tag FROM queue.virtual_time WHERE queue = $1::text), 0)`;

/** Creates the row that claims advance. */
export async function startTime(client: SqlClient, queue: string): Promise<void> {
  await prepared(client, 'INSERT INTO queue.virtual_time (queue) VALUES ($1) ON CONFLICT DO NOTHING', [
    queue,
  ]);
}

/** Forgets accounts whose last turn has passed, in all queues. */
export async function forgetPassedTurns(client: SqlClient): Promise<void> {
  await queryUnprepared(
    client,
    `DELETE FROM queue.account_turns WHERE (queue, account) IN (
       SELECT t.queue, t.account FROM queue.account_turns t JOIN queue.virtual_time v USING (queue)
       WHERE t.last_tag <= v.tag FOR UPDATE OF t SKIP LOCKED)`,
    [],
  );
}

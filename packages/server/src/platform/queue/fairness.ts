/**
 * Accounts take turns. A job's tag is `max(virtual time, last tag of its account) + 1` and its priority the negated
 * tag; the virtual time is the highest tag taken by a worker. So an account with one job waits for about one job of
 * each other account, not for their backlogs. Tags are handed out by `queue.take_turns` inside the enqueue.
 *
 * Tags only grow, and the priority is a 32-bit column: past SPAN the virtual time is set back by SPAN, and whatever
 * still carries the old count (found because it lies far ahead of the virtual time) is set back in small batches.
 */
import type { Log } from '../log.ts';
import { BOSS_SCHEMA } from './boss.ts';
import { planned, prepared, type SqlClient } from './statements.ts';

const SPAN = 2 ** 30;
const BATCH = 5000;
const REPORT_EVERY_MS = 50;

/** Remembers the highest tag taken per queue and writes it down, at most every 50 ms. */
export function createVirtualTime(client: SqlClient, log: Log) {
  const taken = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let written = Promise.resolve();

  const write = async () => {
    const tags = [...taken];
    taken.clear();
    for (const [queue, tag] of tags) {
      try {
        await advance(client, queue, tag);
      } catch (error) {
        log.warn({ queue, error: (error as Error).message }, 'virtual time not written');
      }
    }
  };
  const report = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    written = written.then(write);
    return written;
  };

  return {
    reached(queue: string, tag: number): void {
      taken.set(queue, Math.max(taken.get(queue) ?? 0, tag));
      timer ??= setTimeout(() => void report(), REPORT_EVERY_MS);
    },
    /** What a killed process has not written is lost; accounts then come a little early once. */
    report,
  };
}

export type VirtualTime = ReturnType<typeof createVirtualTime>;

/** A tag far ahead is one from before a set-back; taking it for the time would undo the set-back. */
async function advance(client: SqlClient, queue: string, tag: number): Promise<void> {
  await prepared(
    client,
    `UPDATE queue.virtual_time SET tag = $2::bigint WHERE queue = (
       SELECT queue FROM queue.virtual_time
       WHERE queue = $1 AND tag < $2::bigint AND $2::bigint < tag + $3::bigint / 2 FOR UPDATE SKIP LOCKED)`,
    [queue, tag, SPAN],
  );
}

/** Forgets accounts whose last turn has passed, and sets tags back before they leave the priority column's range. */
export async function tidyTurns(client: SqlClient, queue: string, span = SPAN): Promise<void> {
  await planned(
    client,
    `DELETE FROM queue.account_turns WHERE (queue, account) IN (
       SELECT t.queue, t.account FROM queue.account_turns t JOIN queue.virtual_time v USING (queue)
       WHERE t.queue = $1 AND t.last_tag <= v.tag FOR UPDATE OF t SKIP LOCKED)`,
    [queue],
  );
  const [time] = await planned<{ is_young: boolean }>(
    client,
    `UPDATE queue.virtual_time SET tag = CASE WHEN tag >= $2::bigint THEN tag - $2::bigint ELSE tag END
     WHERE queue = $1 RETURNING tag < $2::bigint / 2 AS is_young`,
    [queue, span],
  );
  if (time?.is_young) await setBack(client, queue, span);
}

async function setBack(client: SqlClient, queue: string, span: number): Promise<void> {
  const farAhead = Math.floor((span * 3) / 4);
  await planned(
    client,
    `UPDATE queue.account_turns SET last_tag = greatest(last_tag - $2::bigint, 0) WHERE (queue, account) IN (
       SELECT queue, account FROM queue.account_turns
       WHERE queue = $1 AND last_tag > $3::bigint FOR UPDATE SKIP LOCKED)`,
    [queue, span, farAhead],
  );
  let moved: unknown[];
  do {
    moved = await planned(
      client,
      `UPDATE ${BOSS_SCHEMA}.job SET priority = least(priority + $2::bigint, 0) WHERE name = $1 AND id IN (
         SELECT id FROM ${BOSS_SCHEMA}.job
         WHERE name = $1 AND state < 'active' AND NOT blocked AND priority < -$3::bigint
         LIMIT $4::int FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      [queue, span, farAhead, BATCH],
    );
  } while (moved.length === BATCH);
}

/**
 * Work for later, in a table of its own, so that any number of waiting rows costs the polls nothing. Every worker
 * process moves what is due into the jobs; rows another one is moving are skipped.
 */
import { randomUUID } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import type { Log } from '../log.ts';
import type { DefinedQueue } from './definitions.ts';
import { checkedData, type EnqueueOptions, type JobData, promoteDue } from './enqueue.ts';
import { type Loop, startLoop } from './loop.ts';
import { planned, prepared, type SqlClient } from './statements.ts';

const BATCH = 500;
const SHORTEST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 1000;

/** `when` is a moment, or seconds from now; both by the database's clock. */
export async function enqueueDelayed(
  client: SqlClient,
  queue: DefinedQueue,
  data: JobData,
  when: Date | number,
  options: EnqueueOptions,
): Promise<string> {
  const id = randomUUID();
  const [dueAt, delay] = when instanceof Date ? [when.toISOString(), null] : [null, when];
  await prepared(
    client,
    `INSERT INTO queue.delayed (id, queue, account, data, due_at)
     VALUES ($1, $2, $3, $4::jsonb, coalesce($5::timestamptz, now() + make_interval(secs => $6::float8)))`,
    [id, queue.name, options.account ?? '', JSON.stringify(checkedData(data)), dueAt, delay],
  );
  return id;
}

/** Moves due rows of all defined queues until stopped. */
export function startPromoting(
  boss: PgBoss,
  client: SqlClient,
  queues: ReadonlyMap<string, DefinedQueue>,
  log: Log,
): Loop {
  let wait = LONGEST_WAIT_MS;
  return startLoop(async () => {
    try {
      const moved = await promoteAll(boss, client, queues);
      wait = moved === 0 ? Math.min(wait * 1.5, LONGEST_WAIT_MS) : SHORTEST_WAIT_MS;
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'delayed work could not be moved');
      wait = LONGEST_WAIT_MS;
    }
    return wait;
  });
}

async function promoteAll(
  boss: PgBoss,
  client: SqlClient,
  queues: ReadonlyMap<string, DefinedQueue>,
): Promise<number> {
  const due = await planned<{ name: string }>(
    client,
    `SELECT name FROM unnest($1::text[]) AS name
     WHERE EXISTS (SELECT FROM queue.delayed WHERE delayed.queue = name AND delayed.due_at <= now())`,
    [[...queues.keys()]],
  );
  let moved = 0;
  for (const { name } of due) {
    const queue = queues.get(name);
    if (queue !== undefined) moved += await promoteDue(boss, client, queue, BATCH);
  }
  return moved;
}

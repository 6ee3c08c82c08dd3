/**
 * Puts jobs in, on the caller's connection: they exist exactly when the caller's transaction commits. Accounts take
 * turns inside a queue, whatever the length of their backlogs (see fairness.ts).
 *
 * pg-boss writes the insert; we replace the place it reads the rows from, so that turns are taken (and delayed work is
 * moved) in that same statement. Should a version of pg-boss word it otherwise, every enqueue says so.
 */
import { randomUUID } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import { type DefinedQueue, heartbeatOf } from './definitions.ts';
import { planned, prepared, type SqlClient } from './statements.ts';

export type JobData = { readonly [key: string]: unknown };

export interface EnqueueOptions {
  /** Whose turn the job takes. Jobs without one share one turn among themselves. */
  readonly account?: string;
}

export interface NewJob extends EnqueueOptions {
  readonly data: JobData;
}

/** Data is for names of things; the things themselves are in tables and blobs. */
const LARGEST_DATA = 64 * 1024;
const LARGEST_BATCH = 1000;

const ROWS = 'json_to_recordset($1::text::json)';

/** The rows of a new batch of jobs, from the text of a JSON array in $1; $2 is the queue. */
const NEW_ROWS = 'json_to_recordset(queue.with_turns($1::text::jsonb, $2::text))';

/** The rows that became due; $1 is the queue, $2 the most to take, $3 the heartbeat of its jobs. */
const DUE_ROWS = `json_to_recordset(queue.with_turns((
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'account', account, 'data', data, 'heartbeatSeconds', $3::int)
                            ORDER BY due_at), '[]')
  FROM moved), $1::text))`;
const MOVE_DUE = `WITH due AS MATERIALIZED (
  SELECT id FROM queue.delayed WHERE queue = $1::text AND due_at <= now()
  ORDER BY due_at LIMIT $2::int FOR UPDATE SKIP LOCKED
), moved AS (
  DELETE FROM queue.delayed WHERE id = ANY(ARRAY(SELECT id FROM due)) RETURNING *
)`;

export async function enqueueJobs(
  boss: PgBoss,
  client: SqlClient,
  queue: DefinedQueue,
  jobs: readonly NewJob[],
): Promise<string[]> {
  const ids: string[] = [];
  for (let start = 0; start < jobs.length; start += LARGEST_BATCH) {
    const batch = jobs.slice(start, start + LARGEST_BATCH).map((job) => ({
      id: randomUUID(),
      account: job.account ?? '',
      data: checkedData(job.data),
      heartbeatSeconds: heartbeatOf(queue),
    }));
    await insertFrom(boss, queue.name, (text) =>
      prepared(client, reading(text, NEW_ROWS), [JSON.stringify(batch), queue.name]),
    );
    ids.push(...batch.map((job) => job.id));
  }
  return ids;
}

/** Turns up to `limit` due rows of the delayed work into jobs, in one statement; returns how many. */
export async function promoteDue(
  boss: PgBoss,
  client: SqlClient,
  queue: DefinedQueue,
  limit: number,
): Promise<number> {
  const rows = await insertFrom(boss, queue.name, (text) =>
    planned(client, `${MOVE_DUE} ${reading(text, DUE_ROWS)}`, [queue.name, limit, heartbeatOf(queue)]),
  );
  return rows.length;
}

export function checkedData(data: JobData): JobData {
  if (Buffer.byteLength(JSON.stringify(data)) > LARGEST_DATA) throw new Error('job data is too large');
  return data;
}

/** Hands pg-boss's insert statement for a queue to `execute`. */
async function insertFrom(
  boss: PgBoss,
  name: string,
  execute: (text: string) => Promise<unknown[]>,
): Promise<unknown[]> {
  let rows: unknown[] = [];
  const executeSql = async (text: string) => {
    rows = await execute(text);
    return { rows };
  };
  await boss.insert(name, [], { db: { executeSql }, returnId: true });
  return rows;
}

function reading(insert: string, rows: string): string {
  if (insert.split(ROWS).length !== 2)
    throw new Error('this version of pg-boss inserts in a way we do not know');
  return insert.replace(ROWS, () => rows);
}

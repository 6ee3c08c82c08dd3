/**
 * Enqueues jobs on the caller's connection: they exist exactly when the caller's transaction commits. Accounts take turns
 * inside a queue, whatever the length of their backlogs (see turns.ts).
 */
import { randomUUID } from 'node:crypto';
import type { DefinedQueue } from './definitions.ts';
import { VIRTUAL_TIME_SQL } from './fair-share.ts';
import { prepared, type SqlClient } from './statements.ts';

export type JobData = { readonly [key: string]: unknown };

export interface EnqueueOptions {
  /** Whose turn the job takes. Jobs without an account share one turn. */
  readonly account?: string;
}

export interface NewJob extends EnqueueOptions {
  readonly data: JobData;
}

/** Data holds names of things; the things themselves are in tables and blobs. */
const MAX_DATA_BYTES = 64 * 1024;
const MAX_BATCH_SIZE = 1000;

/** $1 is the queue, $2 the jobs as a JSON array. */
const ENQUEUE = `
WITH job AS MATERIALIZED (
  SELECT * FROM ROWS FROM (jsonb_to_recordset($2::jsonb) AS (id uuid, account text, data jsonb))
    WITH ORDINALITY AS job (id, account, data, position)
), turn AS MATERIALIZED (
  SELECT account, queue.take_turns($1::text, account, count(*), ${VIRTUAL_TIME_SQL}) AS before FROM job GROUP BY account
)
INSERT INTO queue.jobs (id, queue, account, data, state, tag)
SELECT id, $1::text, account, data, 'ready', before + row_number() OVER (PARTITION BY account ORDER BY position)
FROM job JOIN turn USING (account)`;

/** The job takes its turn when it is due. */
const ENQUEUE_LATER = `
INSERT INTO queue.jobs (id, queue, account, data, state, until)
VALUES ($1, $2, $3, $4::jsonb, 'delayed', coalesce($5::timestamptz, now() + make_interval(secs => $6::float8)))`;

export async function enqueueJobs(
  client: SqlClient,
  queue: DefinedQueue,
  jobs: readonly NewJob[],
): Promise<string[]> {
  const ids: string[] = [];
  for (let start = 0; start < jobs.length; start += MAX_BATCH_SIZE) {
    const batch = jobs.slice(start, start + MAX_BATCH_SIZE).map(({ account = '', data }) => ({
      id: randomUUID(),
      account,
      data: checkedData(data),
    }));
    await prepared(client, ENQUEUE, [queue.name, JSON.stringify(batch)]);
    ids.push(...batch.map((job) => job.id));
  }
  return ids;
}

/** `when` is a point in time, or seconds from now; both by the database's clock. */
export async function enqueueLater(
  client: SqlClient,
  queue: DefinedQueue,
  { account = '', data }: NewJob,
  when: Date | number,
): Promise<string> {
  const id = randomUUID();
  const [dueAt, delay] = when instanceof Date ? [when.toISOString(), null] : [null, when];
  const text = JSON.stringify(checkedData(data));
  await prepared(client, ENQUEUE_LATER, [id, queue.name, account, text, dueAt, delay]);
  return id;
}

function checkedData(data: JobData): JobData {
  if (Buffer.byteLength(JSON.stringify(data)) > MAX_DATA_BYTES) throw new Error('job data is too large');
  return data;
}

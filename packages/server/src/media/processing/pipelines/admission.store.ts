/** SQL of admission: how many tasks of a pipeline have a job, and which come next. */
import { type Queryable, statement } from '../../../platform/db/database.ts';

const lockPipeline = statement(
  'task-lock-pipeline',
  'SELECT concurrency FROM region.pipelines WHERE uid = $1 AND name = $2 FOR UPDATE',
);
const countAdmitted = statement(
  'task-count-admitted',
  `SELECT count(*) AS admitted FROM region.tasks
   WHERE uid = $1 AND pipeline = $2 AND code IN (1, 2) AND is_admitted`,
);
// A task that is being cancelled is locked by a transaction that waits for this pipeline. It is skipped, and its end
// admits the next.
const admit = statement(
  'task-admit',
  `UPDATE region.tasks SET is_admitted = true
   WHERE (task_id, id_time) IN (
     SELECT task_id, id_time FROM region.tasks
     WHERE uid = $1 AND pipeline = $2 AND code IN (1, 2) AND NOT is_admitted ORDER BY created_at LIMIT $3
     FOR UPDATE SKIP LOCKED)
   RETURNING task_id`,
);

/** Returns its cap and locks the pipeline: any other change of its tasks waits for the end of this transaction. */
export async function pipelineCap(on: Queryable, uid: bigint, name: string): Promise<number | undefined> {
  return (await on.query<{ concurrency: number }>(lockPipeline, [uid, name]))[0]?.concurrency;
}

export async function admittedTasks(on: Queryable, uid: bigint, pipeline: string): Promise<number> {
  const [row] = await on.query<{ admitted: bigint }>(countAdmitted, [uid, pipeline]);
  return Number(row?.admitted ?? 0n);
}

/** Admits the oldest waiting tasks; returns their ids. */
export async function admitTasks(
  on: Queryable,
  uid: bigint,
  pipeline: string,
  most: number,
): Promise<string[]> {
  const rows = await on.query<{ task_id: string }>(admit, [uid, pipeline, most]);
  return rows.map((row) => row.task_id);
}

/** SQL of tasks. A run's writes are fenced by the number of the attempt that it began. */

import { MIB } from '@millpond/protocol';
import { type Database, type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import type { RestorableRow } from '../../../storage/objects/index.ts';
import type { ItemStage, TaskItem, TaskRow } from '../task.ts';
import { TASK_LEASE_SECONDS } from '../task.ts';

export interface NewTask {
  readonly id: string;
  /** The time inside the id. */
  readonly idTime: Date;
  readonly uid: bigint;
  readonly bucketId: bigint;
  readonly bucket: string;
  readonly key: string;
  readonly items: readonly TaskItem[];
  readonly isIdle: boolean;
  readonly pipeline: string | undefined;
  readonly isAdmitted: boolean;
  readonly isForced: boolean;
  readonly notifyUrl: string | undefined;
  readonly accessKey: string | undefined;
  readonly reqid: string;
  readonly taskFrom: string | undefined;
}

/** A run of a task. */
export interface Run {
  readonly id: string;
  readonly idTime: Date;
  readonly attempt: number;
}

/** With the time of the database. */
export type StartedTask = TaskRow & { readonly now: Date };

export interface RunningItem {
  readonly position: number;
  readonly stages: readonly ItemStage[];
}

export interface TaskFilter {
  /** Undefined: all accounts, for operators. */
  readonly uid: bigint | undefined;
  readonly code: number | undefined;
  /** Null: the shared queue. */
  readonly pipeline: string | null | undefined;
  readonly bucketId: bigint | undefined;
  readonly key: string | undefined;
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  readonly before: { readonly createdAt: string; readonly id: string } | undefined;
  readonly limit: number;
}

const CREATION_DATE = `to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')`;
const ROW = `task_id, id_time, ${CREATION_DATE} AS creation_date, uid, bucket_id, input_bucket, input_key, blob_id,
  segment_count, fsize, hash, mime_type, end_user,
  CASE WHEN code = 2 AND leased_until < clock_timestamp() THEN 1 ELSE code END AS code,
  items, is_idle, pipeline, is_admitted, is_forced, notify_url, access_key, reqid, task_from, attempt, silent_runs, percent, finished_at,
  begun_at, worker`;
/** Releases the works that it had taken; see result-cache.store.ts. */
const RELEASE_CLAIMS = 'DELETE FROM region.task_works WHERE task_works.task_id = $1';
const THIS_RUN = 'task_id = $1 AND id_time = $2 AND attempt = $3 AND code = 2';

// The source is read in the statement that pins it: from here on the collector leaves its bytes alone.
const insert = statement(
  'task-insert',
  `WITH source AS MATERIALIZED (SELECT * FROM region.objects WHERE bucket_id = $4 AND key = $6), pinned AS (
     INSERT INTO region.tasks (task_id, id_time, uid, bucket_id, input_bucket, input_key, blob_id, segment_count, fsize,
                               hash, mime_type, end_user, items, is_idle, pipeline, is_admitted, is_forced, notify_url,
                               access_key, reqid, task_from)
     SELECT $1, $2, $3, bucket_id, $5, key, blob_id, segment_count, fsize, hash, mime_type, end_user, $7, $8, $9, $10,
            $11, $12, $13, $14, $15
     FROM source)
   SELECT class, region.restore_status(class, restore_ready_at, restore_ends_at) AS restore_status FROM source`,
);
const find = statement('task-find', `SELECT ${ROW} FROM region.tasks WHERE task_id = $1 AND id_time = $2`);
const findRecent = statement(
  'task-find-recent',
  `SELECT ${ROW} FROM region.tasks
   WHERE task_id = $1 AND id_time = $2 AND created_at > clock_timestamp() - $3::bigint * interval '1 second'`,
);
/** For the items on a page, if it has more than one task: commands and keys of results may be long. */
const PAGE_BYTES = 4 * MIB;
function withinPage(rows: string, order: string): string {
  return `SELECT * FROM (
    SELECT *, sum(item_bytes) OVER (ORDER BY ${order}) - item_bytes AS bytes_before
    FROM (SELECT *, octet_length(items::text) AS item_bytes FROM (${rows}) AS page) AS measured) AS counted
   WHERE bytes_before < ${PAGE_BYTES} ORDER BY ${order}`;
}
// Ends are always values: with "no end, or before this one" every page would read all that are newer.
const EARLIEST = (value: string) => `coalesce(${value}::timestamptz, '-infinity')`;
const LATEST = (value: string) => `coalesce(${value}::timestamptz, 'infinity')`;
/** Ids are ASCII. */
const LAST_ID = "'~'";
// The tasks of one object are few among many: found by their own index first, and only then brought into order. OFFSET keeps
// both apart.
const ofObject = (bucketId: string, key: string) =>
  `(SELECT * FROM region.tasks WHERE bucket_id = ${bucketId} AND input_key = ${key} OFFSET 0) AS tasks`;
const listOf = (name: string, source: string) =>
  statement(
    name,
    withinPage(
      `SELECT ${ROW} FROM ${source}
   WHERE uid = $1
     AND ($2::integer IS NULL
          OR CASE WHEN code = 2 AND leased_until < clock_timestamp() THEN 1 ELSE code END = $2)
     AND ($3::text IS NULL OR coalesce(pipeline, '') = $3) AND ($4::bigint IS NULL OR bucket_id = $4)
     AND ($5::text IS NULL OR input_key = $5)
     AND created_at >= ${EARLIEST('$6')} AND created_at < ${LATEST('$7')}
     AND (created_at, task_id) < (${LATEST('$8')}, coalesce($9, ''))
   ORDER BY created_at DESC, task_id DESC LIMIT $10`,
      'creation_date DESC, task_id DESC',
    ),
  );
const lists = {
  all: listOf('task-list', 'region.tasks'),
  object: listOf('task-list-of-object', ofObject('$4', '$5')),
};
// A time that no index is asked for: from 18 on PostgreSQL would go through all tasks by one that begins with their accounts.
const unindexed = (time: string) => `timezone('UTC', ${time})`;
// Ids begin with their time, so their own index has the order.
const everybodysOf = (name: string, source: string) =>
  statement(
    name,
    withinPage(
      `SELECT ${ROW} FROM ${source}
   WHERE ($1::integer IS NULL
          OR CASE WHEN code = 2 AND leased_until < clock_timestamp() THEN 1 ELSE code END = $1)
     AND ($2::text IS NULL OR coalesce(pipeline, '') = $2) AND ($3::bigint IS NULL OR bucket_id = $3)
     AND ($4::text IS NULL OR input_key = $4)
     AND ${unindexed('created_at')} >= ${unindexed(EARLIEST('$5'))}
     AND ${unindexed('created_at')} < ${unindexed(LATEST('$6'))}
     AND task_id < coalesce($7, ${LAST_ID})
   ORDER BY task_id DESC LIMIT $8`,
      'task_id DESC',
    ),
  );
const everybodys = {
  all: everybodysOf('task-list-all', 'region.tasks'),
  object: everybodysOf('task-list-all-of-object', ofObject('$3', '$4')),
};
const aheadInPipeline = statement(
  'task-ahead-in-pipeline',
  `SELECT count(*)::integer AS ahead FROM (
     SELECT FROM region.tasks
     WHERE uid = $1 AND pipeline = $2 AND code IN (1, 2) AND NOT is_admitted AND created_at < $3::timestamptz LIMIT $4) AS earlier`,
);
const begin = statement(
  'task-begin',
  `UPDATE region.tasks SET code = 2, attempt = attempt + 1, silent_runs = silent_runs + 1,
     leased_until = clock_timestamp() + $3::integer * interval '1 second', worker = coalesce($4, worker),
     begun_at = CASE WHEN $4::text IS NULL THEN begun_at ELSE coalesce(begun_at, clock_timestamp()) END
   WHERE task_id = $1 AND id_time = $2 AND code IN (1, 2) RETURNING ${ROW}, clock_timestamp() AS now`,
);
const renew = statement(
  'task-renew',
  `UPDATE region.tasks SET leased_until = clock_timestamp() + $4::integer * interval '1 second', percent = $5,
     items = CASE WHEN items -> $6::integer -> 'code' = '2' THEN jsonb_set(items, ARRAY[$6::text, 'stages'], $7::jsonb)
                  ELSE items END
   WHERE ${THIS_RUN} RETURNING is_cancelled`,
);
const handBack = statement(
  'task-hand-back',
  `WITH handed AS (
     UPDATE region.tasks SET code = 1, silent_runs = silent_runs - 1, leased_until = NULL WHERE ${THIS_RUN} RETURNING 1)
   ${RELEASE_CLAIMS} AND EXISTS (SELECT FROM handed)`,
);
const setItem = statement(
  'task-set-item',
  `UPDATE region.tasks SET items = jsonb_set(items, ARRAY[$4::text], $5::jsonb)
   WHERE ${THIS_RUN} AND NOT is_cancelled RETURNING task_id`,
);
const isRunning = statement(
  'task-is-running',
  `SELECT FROM region.tasks WHERE ${THIS_RUN} AND NOT is_cancelled FOR SHARE`,
);
const finish = statement(
  'task-finish',
  `WITH finished AS (
     UPDATE region.tasks SET items = $5::jsonb, code = $4::smallint, percent = CASE WHEN $4::smallint = 0 THEN 100 ELSE percent END,
       finished_at = clock_timestamp(), leased_until = NULL
     WHERE ${THIS_RUN} RETURNING ${ROW}
   ), let_go AS (${RELEASE_CLAIMS} AND EXISTS (SELECT FROM finished))
   SELECT * FROM finished`,
);
const cancel = statement(
  'task-cancel',
  `UPDATE region.tasks SET is_cancelled = true
   WHERE task_id = $1 AND id_time = $2 AND uid = $3 AND code IN (1, 2) RETURNING ${ROW}`,
);

export class TaskStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#region.transaction(work);
  }

  /** Returns the source as pinned; undefined if it does not exist (any more). */
  async insert(task: NewTask, on: Queryable): Promise<RestorableRow | undefined> {
    const [source] = await on.query<RestorableRow>(insert, [
      task.id,
      task.idTime,
      task.uid,
      task.bucketId,
      task.bucket,
      task.key,
      JSON.stringify(task.items),
      task.isIdle,
      task.pipeline ?? null,
      task.isAdmitted,
      task.isForced,
      task.notifyUrl ?? null,
      task.accessKey ?? null,
      task.reqid,
      task.taskFrom ?? null,
    ]);
    return source;
  }

  async find(id: string, idTime: Date): Promise<TaskRow | undefined> {
    return (await this.#region.query<TaskRow>(find, [id, idTime]))[0];
  }

  /** By the database's clock. */
  async findRecent(
    id: string,
    idTime: Date,
    seconds: number,
    signal: AbortSignal,
  ): Promise<TaskRow | undefined> {
    return (await this.#region.query<TaskRow>(findRecent, [id, idTime, seconds], signal))[0];
  }

  /** Newest first. A page may hold fewer than the limit although there are more: only an empty page is the last. */
  list(filter: TaskFilter): Promise<TaskRow[]> {
    const wanted = [
      filter.code ?? null,
      filter.pipeline === null ? '' : (filter.pipeline ?? null),
      filter.bucketId ?? null,
      filter.key ?? null,
      filter.from ?? null,
      filter.to ?? null,
    ];
    const source = filter.bucketId !== undefined && filter.key !== undefined ? 'object' : 'all';
    if (filter.uid === undefined) {
      const values = [...wanted, filter.before?.id ?? null, filter.limit];
      return this.#region.query<TaskRow>(everybodys[source], values);
    }
    return this.#region.query<TaskRow>(lists[source], [
      filter.uid,
      ...wanted,
      filter.before?.createdAt ?? null,
      filter.before?.id ?? null,
      filter.limit,
    ]);
  }

  /** Tasks that get into its pipeline before it; they are counted up to `most`. */
  async aheadInPipeline(
    { uid, pipeline, creation_date }: Pick<TaskRow, 'uid' | 'pipeline' | 'creation_date'>,
    most: number,
  ): Promise<number> {
    const values = [uid, pipeline, creation_date, most];
    return (await this.#region.query<{ ahead: number }>(aheadInPipeline, values))[0]?.ahead ?? 0;
  }

  /** Undefined if the task is finished, or gone. Without a worker, only its end follows. */
  async begin(
    id: string,
    idTime: Date,
    on: Queryable = this.#region,
    worker?: string,
  ): Promise<StartedTask | undefined> {
    return (await on.query<StartedTask>(begin, [id, idTime, TASK_LEASE_SECONDS, worker ?? null]))[0];
  }

  /** `lost`: another run has the task, or it has ended. `doing`: the item under way, and its stages so far. */
  async renew(run: Run, percent: number, doing?: RunningItem): Promise<'held' | 'cancelled' | 'lost'> {
    const [row] = await this.#region.query<{ is_cancelled: boolean }>(renew, [
      run.id,
      run.idTime,
      run.attempt,
      TASK_LEASE_SECONDS,
      percent,
      doing?.position ?? null,
      doing === undefined ? null : JSON.stringify(doing.stages),
    ]);
    if (row === undefined) return 'lost';
    return row.is_cancelled ? 'cancelled' : 'held';
  }

  async handBack(run: Run, on: Queryable = this.#region): Promise<void> {
    await on.query(handBack, [run.id, run.idTime, run.attempt]);
  }

  /** False if the run may no longer write. */
  async setItem(run: Run, position: number, item: TaskItem, on: Queryable = this.#region): Promise<boolean> {
    const values = [run.id, run.idTime, run.attempt, String(position), JSON.stringify(item)];
    return (await on.query(setItem, values)).length === 1;
  }

  async isRunning(run: Run, on: Queryable): Promise<boolean> {
    return (await on.query(isRunning, [run.id, run.idTime, run.attempt])).length === 1;
  }

  /** The finished row; undefined if the run may no longer write. */
  async finish(
    run: Run,
    code: 0 | 3,
    items: readonly TaskItem[],
    on: Queryable,
  ): Promise<TaskRow | undefined> {
    const values = [run.id, run.idTime, run.attempt, code, JSON.stringify(items)];
    return (await on.query<TaskRow>(finish, values))[0];
  }

  async cancel(id: string, idTime: Date, uid: bigint, on: Queryable): Promise<TaskRow | undefined> {
    return (await on.query<TaskRow>(cancel, [id, idTime, uid]))[0];
  }
}

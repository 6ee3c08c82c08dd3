/** SQL of works: which task is doing one, and where the result of a finished one is. */

import { type Database, type Queryable, statement } from '../../../platform/db/database.ts';
import type { TaskRow } from '../task.ts';
import { TASK_LEASE_SECONDS } from '../task.ts';

export interface CachedResult {
  readonly bucket_id: bigint;
  readonly key: string;
  readonly hash: string;
  readonly mime_type: string;
  /** Warnings of its item; null if there were none. */
  readonly warnings: readonly string[] | null;
}

/** A run that has just begun may not be visible yet to one that comes in between. */
const FORGET_BATCH = 10_000;

// Always in the same order, so that two tasks with several works never deadlock.
const take = statement(
  'work-take',
  `INSERT INTO region.task_works AS work (uid, digest, task_id, id_time)
   SELECT $1, digest, $3, $4 FROM unnest($2::bytea[]) AS digest ORDER BY digest
   ON CONFLICT (uid, digest) DO UPDATE
     SET task_id = excluded.task_id, id_time = excluded.id_time, taken_at = clock_timestamp()
     WHERE work.task_id = excluded.task_id
        OR (work.taken_at < clock_timestamp() - $5::integer * interval '1 second'
            AND NOT EXISTS (SELECT FROM region.tasks t WHERE t.task_id = work.task_id AND t.id_time = work.id_time
                            AND t.code = 2 AND t.leased_until > clock_timestamp()))
   RETURNING digest`,
);
const find = statement(
  'work-find',
  'SELECT bucket_id, key, hash, mime_type, warnings FROM region.task_results WHERE uid = $1 AND digest = $2',
);
const record = statement(
  'work-record',
  `INSERT INTO region.task_results (uid, digest, bucket_id, key, hash, mime_type, warnings) VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (uid, digest) DO UPDATE
     SET bucket_id = excluded.bucket_id, key = excluded.key, hash = excluded.hash, mime_type = excluded.mime_type,
         warnings = excluded.warnings, made_at = clock_timestamp()`,
);
const forget = statement(
  'work-forget',
  `DELETE FROM region.task_results WHERE (uid, digest) IN (
     SELECT uid, digest FROM region.task_results
     WHERE made_at < (SELECT clock_timestamp()) - $1::integer * interval '1 day' ORDER BY made_at LIMIT ${FORGET_BATCH})
   RETURNING 1`,
);

export class ResultCacheStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** False if another task is doing one of them. Must be called in the transaction in which the task begins. */
  async claim(
    { uid, task_id, id_time }: Pick<TaskRow, 'uid' | 'task_id' | 'id_time'>,
    digests: readonly Buffer[],
    on: Queryable,
  ): Promise<boolean> {
    const wanted = [...new Map(digests.map((digest) => [digest.toString('hex'), digest])).values()];
    if (wanted.length === 0) return true;
    const taken = await on.query(take, [uid, wanted, task_id, id_time, TASK_LEASE_SECONDS]);
    return taken.length === wanted.length;
  }

  async find(uid: bigint, digest: Buffer): Promise<CachedResult | undefined> {
    return (await this.#region.query<CachedResult>(find, [uid, digest]))[0];
  }

  async record(uid: bigint, digest: Buffer, result: CachedResult, on: Queryable): Promise<void> {
    const { bucket_id, key, hash, mime_type, warnings } = result;
    await on.query(record, [uid, digest, bucket_id, key, hash, mime_type, warnings]);
  }

  /** Forgets results older than this many days; returns how many. */
  async forget(days: number): Promise<number> {
    let forgotten = 0;
    for (;;) {
      const { length } = await this.#region.query(forget, [days]);
      forgotten += length;
      if (length < FORGET_BATCH) return forgotten;
    }
  }
}

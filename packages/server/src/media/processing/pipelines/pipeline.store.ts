/** SQL of pipelines: an account's own queues, each with its cap on concurrent tasks. */

import { type Database, type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import { queryWithOwnerLock } from '../../../platform/db/owner-lock.ts';
import { MAX_COUNTED } from '../../../platform/db/sampling.ts';

export interface PipelineRow {
  readonly name: string;
  readonly concurrency: number;
}

export interface PipelineView extends PipelineRow {
  /** Only so many of its unfinished tasks are counted, oldest first. */
  readonly waiting: number;
  readonly running: number;
  /** When the oldest that waits was submitted. */
  readonly oldest: Date | null;
}

const putPipeline = statement(
  'pipeline-put',
  `INSERT INTO region.pipelines AS p (uid, name, concurrency)
   SELECT $1, $2, $3 WHERE (SELECT count(*) FROM region.pipelines WHERE uid = $1 AND name <> $2) < $4
   ON CONFLICT (uid, name) DO UPDATE SET concurrency = excluded.concurrency
   RETURNING name, concurrency`,
);
const listPipelines = statement(
  'pipeline-list',
  `SELECT name, concurrency, waiting, running, oldest FROM region.pipelines p CROSS JOIN LATERAL (
     SELECT count(*) FILTER (WHERE NOT is_running)::integer AS waiting,
       count(*) FILTER (WHERE is_running)::integer AS running, min(created_at) FILTER (WHERE NOT is_running) AS oldest
     FROM (SELECT created_at, code = 2 AND leased_until >= clock_timestamp() AS is_running FROM region.tasks t
           WHERE t.uid = p.uid AND t.pipeline = p.name AND code IN (1, 2) ORDER BY created_at LIMIT ${MAX_COUNTED}) AS each
   ) AS load
   WHERE uid = $1 AND ($2::text IS NULL OR name = $2) ORDER BY name`,
);
const deletePipeline = statement(
  'pipeline-delete',
  `DELETE FROM region.pipelines p WHERE uid = $1 AND name = $2
     AND NOT EXISTS (SELECT FROM region.tasks t
                     WHERE t.uid = p.uid AND t.pipeline = p.name AND t.code IN (1, 2)) RETURNING name`,
);

export class PipelineStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** Undefined if the account has reached its limit. */
  async put(
    on: Transaction,
    uid: bigint,
    name: string,
    concurrency: number,
    most: number,
  ): Promise<PipelineRow | undefined> {
    return (await queryWithOwnerLock<PipelineRow>(on, uid, putPipeline, [uid, name, concurrency, most]))[0];
  }

  /** All of an account's, or one. */
  list(uid: bigint, name?: string): Promise<PipelineView[]> {
    return this.#region.query<PipelineView>(listPipelines, [uid, name ?? null]);
  }

  /** False if it has tasks. */
  async delete(on: Queryable, uid: bigint, name: string): Promise<boolean> {
    return (await on.query(deletePipeline, [uid, name])).length === 1;
  }
}

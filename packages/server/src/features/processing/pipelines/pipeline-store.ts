/** SQL of pipelines: an account's own queues, each with its cap on concurrent tasks. */
import { queryCounted } from '../../../platform/db/counted.ts';
import { type Database, type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';

export interface PipelineRow {
  readonly name: string;
  readonly concurrency: number;
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
  'SELECT name, concurrency FROM region.pipelines WHERE uid = $1 ORDER BY name',
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
    return (await queryCounted<PipelineRow>(on, uid, putPipeline, [uid, name, concurrency, most]))[0];
  }

  list(uid: bigint): Promise<PipelineRow[]> {
    return this.#region.query<PipelineRow>(listPipelines, [uid]);
  }

  /** False if it has tasks. */
  async delete(on: Queryable, uid: bigint, name: string): Promise<boolean> {
    return (await on.query(deletePipeline, [uid, name])).length === 1;
  }
}

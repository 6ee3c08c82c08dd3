/** SQL of how many tasks there are to do. */

import { type Database, statement } from '../../platform/db/database.ts';
import { MAX_COUNTED } from '../../platform/db/sampling.ts';

export interface TaskStats {
  readonly waiting: number;
  readonly running: number;
}

// One whose lease has ended waits again. Each count ends at the limit, and reads an index that holds only unfinished tasks.
const figuresOf = (name: string, condition: string) =>
  statement(
    name,
    `SELECT count(*) FILTER (WHERE running)::float8 AS running, count(*) FILTER (WHERE NOT running)::float8 AS waiting
     FROM (SELECT code = 2 AND coalesce(leased_until > now(), false) AS running FROM region.tasks
           WHERE code IN (1, 2) ${condition} LIMIT ${MAX_COUNTED}) AS t`,
  );
const ofAll = figuresOf('task-figures', '');
const ofAccount = figuresOf('task-figures-of', 'AND uid = $1');

export class TaskStatsStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** Undefined: those of all accounts. */
  async read(uid?: bigint): Promise<TaskStats> {
    const [row] =
      uid === undefined
        ? await this.#region.query<TaskStats>(ofAll, [])
        : await this.#region.query<TaskStats>(ofAccount, [uid]);
    return row ?? { waiting: 0, running: 0 };
  }
}

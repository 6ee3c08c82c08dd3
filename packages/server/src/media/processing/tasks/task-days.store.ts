/** SQL of the daily partitions of tasks: created ahead, and dropped whole. */
import { type Database, statement } from '../../../platform/db/database.ts';

const ensureDays = statement('task-ensure-days', `SELECT region.ensure_days('tasks', $1)`);
const dropDays = statement(
  'task-drop-days',
  `SELECT region.drop_task_days($1::integer * interval '1 day') AS dropped`,
);

export class TaskDaysStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  async ensure(days: number): Promise<void> {
    await this.#region.query(ensureDays, [days]);
  }

  async drop(keptDays: number): Promise<number> {
    const [row] = await this.#region.query<{ dropped: number }>(dropDays, [keptDays]);
    return row?.dropped ?? 0;
  }
}

/** SQL of how much the whole region holds. */
import { type Database, statement } from '../../platform/db/database.ts';

export interface ClassUsageRow {
  readonly class: number;
  readonly bytes: bigint;
  readonly objects: bigint;
}

const byClass = statement(
  'usage-by-class',
  'SELECT class, bytes, objects FROM region.class_usage ORDER BY class',
);

export class UsageFiguresStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  byClass(): Promise<ClassUsageRow[]> {
    return this.#region.query<ClassUsageRow>(byClass, []);
  }
}

/** SQL of changes to an object that leave its content alone: its status, and when it expires or changes class. */
import type { Condition } from '@millpond/protocol';
import { type Database, type Statement, statement } from '../../../platform/db/database.ts';
import type { ObjectRef } from './bulk-operations.store.ts';

/** Days from now; 0 keeps the current value, -1 cancels it. */
export interface Schedule {
  readonly toIA: number;
  readonly toArchive: number;
  readonly toDeepArchive: number;
  readonly remove: number;
}

// The condition is judged on the locked version, after waiting for the lock: no other change can come between.
const guarded = (name: string, changes: string) =>
  statement(
    name,
    `WITH found AS MATERIALIZED (
       SELECT ${conditionHolds(3)} AS matches FROM region.objects WHERE bucket_id = $1 AND key = $2 FOR UPDATE
     ), changed AS (
       UPDATE region.objects SET ${changes} FROM found WHERE bucket_id = $1 AND key = $2 AND found.matches
     )
     SELECT matches FROM found`,
  );

const dayOf = (column: string, value: string) => `${column} = CASE ${value}::integer
    WHEN 0 THEN ${column} WHEN -1 THEN NULL ELSE region.midnight_after(${value}::integer) END`;

const changeStatus = guarded('object-status', 'status = $7');
const changeSchedule = guarded(
  'object-schedule',
  [
    dayOf('to_ia_at', '$7'),
    dayOf('to_archive_at', '$8'),
    dayOf('to_deep_archive_at', '$9'),
    dayOf('expires_at', '$10'),
  ].join(', '),
);

/** The outcome of a change. */
export type Changed = 'changed' | 'missing' | 'conditionNotMatched';

export class ChangesStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  setStatus(place: ObjectRef, status: number, condition: Condition): Promise<Changed> {
    return this.#change(changeStatus, place, condition, [status]);
  }

  setSchedule(place: ObjectRef, schedule: Schedule, condition: Condition): Promise<Changed> {
    const { toIA, toArchive, toDeepArchive, remove } = schedule;
    return this.#change(changeSchedule, place, condition, [toIA, toArchive, toDeepArchive, remove]);
  }

  async #change(
    change: Statement,
    { bucketId, key }: ObjectRef,
    condition: Condition,
    values: readonly number[],
  ): Promise<Changed> {
    const all = [bucketId, key, ...conditionValues(condition), ...values];
    const [row] = await this.#region.query<{ matches: boolean }>(change, all);
    if (row === undefined) return 'missing';
    return row.matches ? 'changed' : 'conditionNotMatched';
  }
}

/** A condition on the columns of a row, with four values from `$<first>` on. */
function conditionHolds(first: number): string {
  const field = (column: string, at: number, type: string) => {
    const value = `$${first + at}::${type}`;
    return `(${value} IS NULL OR ${column} = ${value})`;
  };
  return [
    field('hash', 0, 'text'),
    field('mime_type', 1, 'text'),
    field('fsize', 2, 'bigint'),
    field('put_time', 3, 'bigint'),
  ].join(' AND ');
}

function conditionValues(condition: Condition): (string | bigint | null)[] {
  return [condition.hash ?? null, condition.mime ?? null, condition.fsize ?? null, condition.putTime ?? null];
}

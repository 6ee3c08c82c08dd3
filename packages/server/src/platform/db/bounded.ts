/**
 * Figures of tables that may be of any size: only this many rows are counted. If there are more, the planner's estimate for the
 * table stands for the rest.
 */
export const MOST_COUNTED = 10_000;

/** SQL: the planner's estimate of a table's row count, made by its last vacuum. */
export function estimatedRows(table: string): string {
  return `(SELECT GREATEST(reltuples, 0)::float8 FROM pg_class WHERE oid = '${table}'::regclass)`;
}

/** The factor by which the count must be multiplied. */
export function factorOf(counted: number, estimated: number): number {
  return counted < MOST_COUNTED ? 1 : Math.max(1, estimated / counted);
}

/**
 * Figures of tables that may be of any size: so many rows are looked at and no more. Where there are more, the planner's estimate of
 * the table stands for the rest.
 */
export const MOST_COUNTED = 10_000;

/** SQL: how many rows a table has by the planner's estimate, which its last vacuum made. */
export function estimatedRows(table: string): string {
  return `(SELECT GREATEST(reltuples, 0)::float8 FROM pg_class WHERE oid = '${table}'::regclass)`;
}

/** By how much what was counted is to be multiplied. */
export function factorOf(counted: number, estimated: number): number {
  return counted < MOST_COUNTED ? 1 : Math.max(1, estimated / counted);
}

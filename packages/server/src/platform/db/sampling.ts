/**
 * Figures of tables that may be of any size: only this many rows are counted. If there are more, the planner's estimate for the
 * table stands for the rest.
 */
export const MAX_COUNTED = 10_000;

/** SQL: the planner's estimate of a table's row count, made by its last vacuum. */
export function estimatedRows(table: string): string {
  return `(SELECT GREATEST(reltuples, 0)::float8 FROM pg_class WHERE oid = '${table}'::regclass)`;
}

const SAMPLED_PAGES = 300;

/**
 * SQL after the name of a table, of which only so many pages are looked at: from all over it, because rows that were written together
 * are alike, and the same ones each time.
 */
export function tablesampleClause(table: string): string {
  return `TABLESAMPLE SYSTEM (LEAST(100, 100.0 * ${SAMPLED_PAGES}
    / GREATEST(1, pg_relation_size('${table}') / current_setting('block_size')::int))) REPEATABLE (0)`;
}

/** The factor by which the count must be multiplied. */
export function sampleScale(counted: number, estimated: number): number {
  return counted < MAX_COUNTED ? 1 : Math.max(1, estimated / counted);
}

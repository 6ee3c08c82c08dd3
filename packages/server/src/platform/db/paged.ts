/** Statements that return one page of a list and the total count: `count(*) OVER () AS total`. */
import type { ListQuery, Page } from '../web/resources/index.ts';
import type { Queryable, Statement } from './database.ts';

/** The end of such a statement. Its first parameter is the owner; $5 says what `time` means. */
export function pageOrder(time: string, id: string): string {
  return `ORDER BY CASE WHEN $4 THEN ${time} END DESC NULLS LAST, CASE WHEN NOT $4 THEN ${time} END, ${id}
   OFFSET $2 LIMIT $3`;
}

/** `further`: the parameters from $6 on. */
export async function queryPage<Row extends object>(
  on: Queryable,
  paging: Statement,
  owner: bigint | string,
  { offset, line, isDescending, by }: ListQuery,
  ...further: readonly unknown[]
): Promise<Page<Row>> {
  const values = [owner, offset, line, isDescending, by, ...further];
  const rows = await on.query<Row & { total: bigint }>(paging, values);
  return { rows, total: Number(rows[0]?.total ?? 0n) };
}

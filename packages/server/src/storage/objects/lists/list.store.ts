/** SQL of lists. Every page is an index range of one bucket; with a delimiter it skips from group to group. */
import { arrayStatement, type Database, type Statement } from '../../../platform/db/database.ts';
import { type ListedRow, listedRow, RECORDED_COLUMNS, RESTORE_STATUS } from '../record.ts';

/** With a delimiter, a row may represent all keys that begin with `common_prefix`. */
export type GroupedRow<Row = ListedRow> = Row & { readonly common_prefix: string | null };

export interface ListRange {
  readonly bucketId: bigint;
  /** First key that may be listed (inclusive). */
  readonly from: string;
  /** First key that may no longer be listed. */
  readonly until: string;
  readonly limit: number;
}

export interface Grouping {
  readonly delimiter: string;
  /** The delimiter with its last character incremented: where the keys of a group end. */
  readonly afterDelimiter: string;
  readonly prefix: string;
}

/** What a list shows, and the prefix of its statements' names. */
export interface ListColumns<Row> {
  readonly name: string;
  readonly columns: string;
  /** A row of these values, which are in the order of the columns. */
  readonly rowOf: (values: readonly unknown[]) => Row;
}

const RECORDS: ListColumns<ListedRow> = {
  name: 'object-list',
  columns: `key, ${RECORDED_COLUMNS}, ${RESTORE_STATUS}`,
  rowOf: listedRow,
};

const pageOf = ({ name, columns }: ListColumns<unknown>) =>
  arrayStatement(
    name,
    `SELECT ${columns} FROM region.objects
   WHERE bucket_id = $1 AND key >= $2 AND key < $3 ORDER BY key LIMIT $4`,
  );

// One index probe per listed key or group, however many keys a group holds. No key contains NUL, so the next key after k
// is at least k followed by character 1.
const next = (columns: string, bound: string) => `
  SELECT ${columns}, CASE WHEN cut > 0 THEN left(key, length($7) + cut - 1 + length($5)) END AS common_prefix
  FROM region.objects, LATERAL (SELECT strpos(substr(key, length($7) + 1), $5) AS cut) AS found
  WHERE bucket_id = $1 AND key >= ${bound} AND key < $3 ORDER BY key LIMIT 1`;

const groupedPageOf = ({ name, columns }: ListColumns<unknown>) =>
  arrayStatement(
    `${name}-grouped`,
    `WITH RECURSIVE listed AS (
     (SELECT 1 AS position, first.* FROM (${next(columns, '$2')}) AS first)
     UNION ALL
     SELECT listed.position + 1, following.*
     FROM listed, LATERAL (${next(
       columns,
       `CASE
         WHEN listed.common_prefix IS NULL THEN listed.key || E'\\u0001'
         ELSE left(listed.common_prefix, -length($5)) || $6 END COLLATE "C"`,
     )}) AS following
     WHERE listed.position < $4
   )
   SELECT ${columns}, common_prefix FROM listed ORDER BY position`,
  );

export const recordLists = (region: Database) => new ListStore(region, RECORDS);

export class ListStore<Row extends { readonly key: string } = ListedRow> {
  readonly #region: Database;
  readonly #page: Statement;
  readonly #groupedPage: Statement;
  readonly #rowOf: (values: readonly unknown[]) => Row;

  constructor(region: Database, columns: ListColumns<Row>) {
    this.#region = region;
    this.#page = pageOf(columns);
    this.#groupedPage = groupedPageOf(columns);
    this.#rowOf = columns.rowOf;
  }

  async page(range: ListRange, cancel: AbortSignal): Promise<Row[]> {
    const values = [range.bucketId, range.from, range.until, range.limit];
    const rows = await this.#region.query<readonly unknown[]>(this.#page, values, cancel);
    return rows.map(this.#rowOf);
  }

  async groupedPage(
    range: ListRange,
    { delimiter, afterDelimiter, prefix }: Grouping,
    cancel: AbortSignal,
  ): Promise<GroupedRow<Row>[]> {
    const values = [range.bucketId, range.from, range.until, range.limit, delimiter, afterDelimiter, prefix];
    const rows = await this.#region.query<readonly unknown[]>(this.#groupedPage, values, cancel);
    return rows.map((row) => Object.assign(this.#rowOf(row), { common_prefix: row.at(-1) as string | null }));
  }
}

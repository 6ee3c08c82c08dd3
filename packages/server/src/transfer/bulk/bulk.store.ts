/** SQL of work on many objects: its rows, the turns of its workers, and pages of the objects it is about. */
import type { BulkKind, KeyLimits } from '@millpond/protocol';
import { type Database, type Queryable, statement, type Transaction } from '../../platform/db/database.ts';
import type { BulkParameters } from './bulk.request.ts';

export type BulkState = 'waiting' | 'running' | 'done' | 'failed' | 'stopped';

export interface ObjectFailure {
  readonly key: string;
  readonly words: string;
}

export interface BulkRow {
  readonly bulk_id: string;
  readonly uid: bigint;
  readonly kind: BulkKind;
  readonly bucket_id: bigint;
  readonly bucket: string;
  readonly prefix: string;
  /** Null: all under the prefix. Records have the first of them only. */
  readonly keys: readonly string[] | null;
  readonly request: BulkParameters;
  readonly access_key: string | null;
  readonly as_of: bigint;
  readonly state: BulkState;
  readonly run: number;
  readonly idle_runs: number;
  readonly place: string;
  readonly done: bigint;
  readonly failed: bigint;
  readonly bytes: bigint;
  readonly expected: bigint | null;
  readonly current: string | null;
  readonly problems: readonly ObjectFailure[];
  readonly words: string | null;
  readonly created_at: Date;
  readonly begun_at: Date | null;
  readonly ended_at: Date | null;
}

export interface NewBulk
  extends Pick<BulkRow, 'bulk_id' | 'uid' | 'kind' | 'bucket_id' | 'bucket' | 'prefix' | 'request'> {
  readonly keys: readonly string[] | undefined;
  readonly accessKey: string | undefined;
  readonly limits: KeyLimits | undefined;
  readonly address: string;
}

/** What a page did. */
export interface Progress {
  readonly place: string;
  readonly done: number;
  readonly failed: number;
  readonly bytes: number;
  readonly current: string | undefined;
  readonly problems: readonly ObjectFailure[];
  readonly isLast: boolean;
}

export interface BulkRun {
  readonly bulkId: string;
  readonly run: number;
}

/** Whose work, which of it, and where a page begins. */
export interface BulkFilter {
  readonly uid: bigint;
  /** Only what this key submitted. */
  readonly accessKey: string | undefined;
  readonly state: BulkState | undefined;
  readonly before: string | undefined;
}

const SHOWN_KEYS = 100;
const columnsWith = (
  keys: string,
) => `bulk_id, uid, kind, bucket_id, bucket, prefix, ${keys}, request, access_key, as_of,
  state, run, idle_runs, place, done, failed, bytes, expected, current, words, created_at, begun_at, ended_at`;
const SHOWN_COLUMNS = columnsWith(`keys[1:${SHOWN_KEYS}] AS keys`);
const OPEN = "state IN ('waiting', 'running')";

const insert = statement(
  'bulk-insert',
  `INSERT INTO region.bulk (bulk_id, uid, kind, bucket_id, bucket, prefix, keys, request, access_key, limits, address, place,
                            expected)
   SELECT $1, $2, $3, $4, $5, $6, $7::text[], $8, $9, $10, $11, $12, cardinality($7::text[])
   WHERE (SELECT count(*) FROM region.bulk WHERE uid = $2 AND ${OPEN}) < $13
   RETURNING ${SHOWN_COLUMNS}, problems`,
);
const find = statement(
  'bulk-find',
  `SELECT ${SHOWN_COLUMNS}, problems FROM region.bulk WHERE bulk_id = $1 AND uid = $2 AND ($3::text IS NULL OR access_key = $3)`,
);
const listOf = (name: string, state: string) =>
  statement(
    name,
    `SELECT ${SHOWN_COLUMNS}, jsonb_path_query_array(problems, '$[0 to 2]') AS problems FROM region.bulk
     WHERE uid = $1 AND ($2::text IS NULL OR access_key = $2) AND ($3::uuid IS NULL OR bulk_id < $3) ${state}
     ORDER BY bulk_id DESC LIMIT $4`,
  );
const list = listOf('bulk-list', '');
const listInState = listOf('bulk-list-in-state', 'AND state = $5');
const stop = statement(
  'bulk-stop',
  `UPDATE region.bulk SET state = 'stopped', ended_at = clock_timestamp()
   WHERE bulk_id = $1 AND uid = $2 AND ($3::text IS NULL OR access_key = $3) AND ${OPEN} RETURNING bulk_id`,
);
const begin = statement(
  'bulk-begin',
  `UPDATE region.bulk SET state = 'running', begun_at = coalesce(begun_at, clock_timestamp()), run = run + 1,
     idle_runs = idle_runs + 1
   WHERE bulk_id = $1 AND ${OPEN}
   RETURNING ${columnsWith('keys')}, problems, limits, address`,
);
const count = statement(
  'bulk-count',
  `WITH counted AS (
     SELECT count(*) AS objects FROM (
       SELECT FROM region.objects WHERE bucket_id = $3 AND key >= $4 AND key < $5 LIMIT $6::integer + 1) AS o)
   UPDATE region.bulk SET expected = objects FROM counted
   WHERE bulk_id = $1 AND run = $2 AND state = 'running' AND expected IS NULL AND objects <= $6`,
);
// The lock makes pages of two runs take turns, and the later run is the one that goes on.
const hold = statement(
  'bulk-hold',
  `SELECT place, jsonb_array_length(problems) AS problems FROM region.bulk
   WHERE bulk_id = $1 AND run = $2 AND state = 'running' FOR UPDATE`,
);
const advance = statement(
  'bulk-advance',
  `UPDATE region.bulk SET place = $2, done = done + $3, failed = failed + $4, bytes = bytes + $5, current = coalesce($6, current),
     problems = CASE WHEN $7::jsonb = '[]' THEN problems ELSE problems || $7::jsonb END, idle_runs = 0,
     state = CASE WHEN $8 THEN 'done' ELSE state END, ended_at = CASE WHEN $8 THEN clock_timestamp() END,
     expected = CASE WHEN $8 THEN done + $3 + failed + $4 ELSE expected END
   WHERE bulk_id = $1`,
);
// For zip, restarted by every run: set totals, do not add.
const report = statement(
  'bulk-report',
  `UPDATE region.bulk SET done = $3, failed = $4, bytes = $5, current = coalesce($6, current), problems = $7::jsonb,
     state = CASE WHEN $8 THEN 'done' ELSE state END, ended_at = CASE WHEN $8 THEN clock_timestamp() END,
     expected = CASE WHEN $8 THEN $3::bigint + $4::bigint ELSE expected END
   WHERE bulk_id = $1 AND run = $2 AND state = 'running' RETURNING bulk_id`,
);
const fail = statement(
  'bulk-fail',
  `UPDATE region.bulk SET state = 'failed', words = $3, ended_at = clock_timestamp()
   WHERE bulk_id = $1 AND run = $2 AND state = 'running'`,
);
const forget = statement(
  'bulk-forget',
  `DELETE FROM region.bulk WHERE bulk_id = ANY (ARRAY(
     SELECT bulk_id FROM region.bulk WHERE ended_at < now() - make_interval(days => $1) ORDER BY ended_at LIMIT $2)) RETURNING 1`,
);
const open = statement(
  'bulk-open',
  `SELECT state, count(*) AS count FROM (SELECT state FROM region.bulk WHERE ended_at IS NULL LIMIT $1) AS o GROUP BY state`,
);

export class BulkStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#region.transaction(work);
  }

  /** Undefined if the account has this many open already. */
  async insert(bulk: NewBulk, most: number, on: Queryable): Promise<BulkRow | undefined> {
    const { bulk_id, uid, kind, bucket_id, bucket, prefix, keys, request, accessKey, limits, address } = bulk;
    const [row] = await on.query<BulkRow>(insert, [
      bulk_id,
      uid,
      kind,
      bucket_id,
      bucket,
      prefix,
      keys ?? null,
      JSON.stringify(request),
      accessKey ?? null,
      limits === undefined ? null : JSON.stringify(limits),
      address,
      keys === undefined ? prefix : '0',
      most,
    ]);
    return row;
  }

  async find(bulkId: string, uid: bigint, accessKey: string | undefined): Promise<BulkRow | undefined> {
    const [row] = await this.#region.query<BulkRow>(find, [bulkId, uid, accessKey ?? null]);
    return row;
  }

  /** Newest first. */
  list({ uid, accessKey, state, before }: BulkFilter, limit: number): Promise<BulkRow[]> {
    const values = [uid, accessKey ?? null, before ?? null, limit];
    return state === undefined
      ? this.#region.query<BulkRow>(list, values)
      : this.#region.query<BulkRow>(listInState, [...values, state]);
  }

  /** A page that is under way is completed first. */
  async stop(bulkId: string, uid: bigint, accessKey: string | undefined): Promise<void> {
    await this.#region.query(stop, [bulkId, uid, accessKey ?? null]);
  }

  /** Undefined if it has ended. */
  async begin(bulkId: string): Promise<RunningBulkRow | undefined> {
    const [row] = await this.#region.query<RunningBulkRow>(begin, [bulkId]);
    return row;
  }

  /** Remembers how many objects are in the range, unless there are more than `most`. */
  async count({ bulkId, run }: BulkRun, range: KeyRange, most: number): Promise<void> {
    const { bucketId, from, until } = range;
    await this.#region.query(count, [bulkId, run, bucketId, from, until, most]);
  }

  /** Undefined if it was stopped, or another run has it. */
  async lockRun({ bulkId, run }: BulkRun, transaction: Transaction): Promise<LockedBulkRow | undefined> {
    const [row] = await transaction.query<LockedBulkRow>(hold, [bulkId, run]);
    return row;
  }

  /** The transaction must have locked the row. */
  async advance({ bulkId }: BulkRun, progress: Progress, transaction: Transaction): Promise<void> {
    const { place, done, failed, bytes, current, problems, isLast } = progress;
    const values = [place, done, failed, bytes, current ?? null, JSON.stringify(problems), isLast];
    await transaction.query(advance, [bulkId, ...values]);
  }

  /** False if it was stopped, or another run has it. */
  async report(
    { bulkId, run }: BulkRun,
    progress: Omit<Progress, 'place'>,
    on: Queryable = this.#region,
  ): Promise<boolean> {
    const { done, failed, bytes, current, problems, isLast } = progress;
    const values = [done, failed, bytes, current ?? null, JSON.stringify(problems), isLast];
    return (await on.query(report, [bulkId, run, ...values])).length === 1;
  }

  async fail({ bulkId, run }: BulkRun, words: string): Promise<void> {
    await this.#region.query(fail, [bulkId, run, words]);
  }

  async forget(days: number, limit: number): Promise<number> {
    return (await this.#region.query(forget, [days, limit])).length;
  }

  /** How many are waiting and running, of at most so many. */
  open(most: number): Promise<{ state: BulkState; count: bigint }[]> {
    return this.#region.query(open, [most]);
  }
}

/** With all its keys, and what the key that submitted it was allowed. */
export interface RunningBulkRow extends BulkRow {
  readonly limits: KeyLimits | null;
  readonly address: string;
}

export interface LockedBulkRow {
  readonly place: string;
  /** How many are known. */
  readonly problems: number;
}

export interface KeyRange {
  readonly bucketId: bigint;
  readonly from: string;
  /** The first key after the last; null: to the end. */
  readonly until: string;
}

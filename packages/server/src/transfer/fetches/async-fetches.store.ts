/** SQL of asynchronous fetches. */
import { type Database, type Queryable, statement, type Transaction } from '../../platform/db/database.ts';
import { type Standing, standingOf } from '../../platform/queue/standing.ts';
import type { AsyncRequest } from './async-request.ts';
import type { FetchResult } from './fetches.service.ts';

export interface AsyncRow {
  readonly fetch_id: string;
  readonly uid: bigint;
  readonly bucket_id: bigint;
  readonly request: StoredFetchRequest;
  readonly state: 'waiting' | 'done' | 'failed';
  readonly attempts: number;
  readonly error: string | null;
  readonly result: FetchResult | null;
}

/** What was requested, and by whom. */
export interface StoredFetchRequest extends AsyncRequest {
  /** The key that signs the callback. */
  readonly accessKey: string;
  readonly reqid: string;
}

const COLUMNS = 'fetch_id, uid, bucket_id, request, state, attempts, error, result';

const insert = statement(
  'fetch-insert',
  'INSERT INTO region.fetches (fetch_id, uid, bucket_id, request) VALUES ($1, $2, $3, $4)',
);
const find = statement('fetch-find', `SELECT ${COLUMNS} FROM region.fetches WHERE fetch_id = $1`);
// A fetch can end only while it waits, and only once.
const settle = statement(
  'fetch-settle',
  `UPDATE region.fetches SET state = $2, attempts = attempts + 1, error = $3, result = $4,
     failed_at = CASE $2::text WHEN 'failed' THEN now() END
   WHERE fetch_id = $1 AND state = 'waiting' RETURNING fetch_id`,
);
const forget = statement(
  'fetch-forget',
  `DELETE FROM region.fetches WHERE fetch_id = ANY (ARRAY(
     SELECT fetch_id FROM region.fetches WHERE created_at < (SELECT clock_timestamp()) - $1::bigint * interval '1 millisecond'
     ORDER BY created_at LIMIT $2)) RETURNING 1`,
);

export class AsyncStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#region.transaction(work);
  }

  /** Queue position of its job; undefined if it has none. */
  standing(fetchId: string): Promise<Standing | undefined> {
    return standingOf(this.#region.pool, fetchId);
  }

  async insert(
    row: Pick<AsyncRow, 'fetch_id' | 'uid' | 'bucket_id' | 'request'>,
    on: Queryable,
  ): Promise<void> {
    await on.query(insert, [row.fetch_id, row.uid, row.bucket_id, JSON.stringify(row.request)]);
  }

  async find(fetchId: string, cancel?: AbortSignal): Promise<AsyncRow | undefined> {
    const [row] = await this.#region.query<AsyncRow>(find, [fetchId], cancel);
    return row;
  }

  /** Records one more try. False if the fetch had ended before. */
  async settle(
    fetchId: string,
    end: Pick<AsyncRow, 'state' | 'error' | 'result'>,
    on: Queryable,
  ): Promise<boolean> {
    const result = end.result === null ? null : JSON.stringify(end.result);
    return (await on.query(settle, [fetchId, end.state, end.error, result])).length === 1;
  }

  /** Removes at most this many older ones; returns how many it removed. */
  async forget(olderThanMs: number, most: number): Promise<number> {
    return (await this.#region.query(forget, [olderThanMs, most])).length;
  }
}

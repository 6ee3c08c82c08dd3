/** SQL of traces: written many at a time, found by the id of their request, removed oldest first. */
import { type Database, statement } from '../../platform/db/database.ts';
import type { StoredTrace } from './stored-trace.ts';

export interface NewTrace {
  readonly uid: bigint | undefined;
  /** How long ago the request began. */
  readonly agoMs: number;
  readonly trace: StoredTrace;
}

export interface FoundTrace {
  readonly uid: bigint | null;
  readonly at: Date;
  readonly trace: StoredTrace;
}

const insert = statement(
  'trace-insert',
  `INSERT INTO region.traces (reqid, at, uid, trace)
   SELECT reqid, now() - ago * interval '1 millisecond', uid, trace
   FROM unnest($1::text[], $2::float8[], $3::bigint[], $4::text[]) AS t (reqid, ago, uid, trace)`,
);
const find = statement(
  'trace-find',
  'SELECT uid, at, trace FROM region.traces WHERE reqid = $1 ORDER BY trace_id DESC LIMIT 1',
);
// The oldest of all have the lowest numbers: neither their age nor how many there are needs an index or a count.
const forget = statement(
  'trace-forget',
  `DELETE FROM region.traces WHERE trace_id = ANY (ARRAY(
     SELECT trace_id FROM (SELECT trace_id, at FROM region.traces ORDER BY trace_id LIMIT $3) AS oldest
     WHERE at < now() - $1 * interval '1 day'
        OR trace_id <= (SELECT max(trace_id) FROM region.traces) - $2::bigint))
   RETURNING 1`,
);

export class TraceStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  async insert(traces: readonly NewTrace[]): Promise<void> {
    await this.#region.query(insert, [
      traces.map(({ trace }) => trace.reqid),
      traces.map(({ agoMs }) => agoMs),
      traces.map(({ uid }) => uid ?? null),
      traces.map(({ trace }) => JSON.stringify(trace)),
    ]);
  }

  async find(reqid: string): Promise<FoundTrace | undefined> {
    type Row = Omit<FoundTrace, 'trace'> & { readonly trace: string };
    const [row] = await this.#region.query<Row>(find, [reqid]);
    return row && { ...row, trace: JSON.parse(row.trace) as StoredTrace };
  }

  /** Removes at most a page of what is older than so many days or more than so many; returns how many that were. */
  async forget(days: number, most: number, page: number): Promise<number> {
    return (await this.#region.query(forget, [days, most, page])).length;
  }
}

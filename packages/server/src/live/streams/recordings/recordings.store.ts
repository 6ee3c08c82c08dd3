/** SQL of recordings: the files that engines reported, and what became of them. */
import { type Database, type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import type { StreamAddress } from '../engine-name.ts';
import type { RecordRow } from '../streams.rows.ts';
import { isAbandoned } from '../upkeep/engine-lease.store.ts';

export interface NewRecord extends StreamAddress {
  readonly id: string;
  readonly engine: string;
  readonly file: string;
  readonly recordType: 1 | 2;
  readonly startAt: Date;
}

export interface FinishedRecord {
  readonly startAt: Date;
  readonly endAt: Date;
  readonly bucket: string;
  readonly fname: string;
  readonly headBytes: number;
  readonly expiresAt: Date | undefined;
}

export interface RecordRange {
  readonly start: Date;
  readonly end: Date;
  /** Where the page before ended. */
  readonly after: Date | undefined;
  readonly isNewestFirst: boolean;
}

/** Per statement. */
const MAX_FAILED = 200;

const COLUMNS = `record_id, engine, file, ns_id, stream_id, record_type, template_id, code, errmsg, start_at, end_at,
  bucket, fname, head_bytes, tries, expires_at`;

/** The template for recording a stream: the namespace's if that applies to all, else the stream's own, else the namespace's. */
const TEMPLATE_OF = `SELECT t.template_id, t.record_type
  FROM region.live_streams s JOIN region.live_namespaces n ON n.ns_id = s.ns_id
  JOIN region.live_templates t ON t.template_id = CASE WHEN n.is_record_for_all
    THEN COALESCE(n.record_template_id, s.record_template_id)
    ELSE COALESCE(s.record_template_id, n.record_template_id) END`;

// An unwanted file gets a row too, without a template: the process with access to the engine's folder removes both.
const insert = statement(
  'live-record-insert',
  `INSERT INTO region.live_records (record_id, engine, file, ns_id, stream_id, record_type, start_at, end_at, template_id)
   SELECT $1, $2, $3, $4, $5, $6::smallint, $7, now(),
     COALESCE((SELECT template_id FROM (${TEMPLATE_OF} WHERE s.ns_id = $4 AND s.stream_id = $5) AS wanted
               WHERE $6::smallint = 2 OR record_type = 1), '')
   ON CONFLICT (engine, file) DO NOTHING RETURNING record_id`,
);
const templateOf = statement(
  'live-record-template',
  `${TEMPLATE_OF} WHERE s.ns_id = $1 AND s.stream_id = $2`,
);
// A row in progress that the claiming owner is not working on was left behind: its outcome could not be written, or the
// answer to its claim was lost. It is claimed again, but not at once: a write that fails now would fail a moment later
// too.
const claim = statement(
  'live-record-claim',
  `UPDATE region.live_records r SET code = 2, tries = tries + 1, due_at = now() + interval '1 minute'
   WHERE record_id = ANY (ARRAY(
     SELECT record_id FROM region.live_records
     WHERE engine = $1 AND code IN (1, 2) AND due_at <= now() AND record_id <> ALL ($3::uuid[])
     ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED))
   RETURNING ${COLUMNS}, (SELECT n.uid FROM region.live_namespaces n WHERE n.ns_id = r.ns_id) AS uid`,
);
const revive = statement(
  'live-record-revive',
  'UPDATE region.live_records SET code = 1, due_at = now() WHERE engine = $1 AND code = 2',
);
const finish = statement(
  'live-record-finish',
  `UPDATE region.live_records SET code = 0, errmsg = '', start_at = $2, end_at = $3, bucket = $4, fname = $5,
     head_bytes = $6, expires_at = $7
   WHERE record_id = $1 AND code = 2 RETURNING record_id`,
);
const fail = statement(
  'live-record-fail',
  `UPDATE region.live_records SET code = 3, errmsg = $2, end_at = $3 WHERE record_id = $1 AND code = 2
   RETURNING record_id`,
);
// Unwanted recordings get no event.
const failAbandoned = statement(
  'live-record-fail-abandoned',
  `WITH abandoned AS MATERIALIZED (
     SELECT record_id AS id, template_id <> '' AS is_wanted FROM region.live_records r
     WHERE code IN (1, 2) AND engine <> ALL ($1) AND end_at < now() - $2 * interval '1 millisecond'
       AND ${isAbandoned('r.engine', '$2')} LIMIT $3 FOR UPDATE
   ), unwanted AS (
     DELETE FROM region.live_records USING abandoned WHERE record_id = id AND NOT is_wanted
   )
   UPDATE region.live_records SET code = 3, errmsg = $4 FROM abandoned WHERE record_id = id AND is_wanted
   RETURNING ${COLUMNS}`,
);
const postpone = statement(
  'live-record-postpone',
  `UPDATE region.live_records SET code = 1, due_at = now() + $2 * interval '1 millisecond'
   WHERE record_id = $1 AND code = 2`,
);
const remove = statement('live-record-delete', 'DELETE FROM region.live_records WHERE record_id = $1');
const known = statement(
  'live-record-known',
  'SELECT file, code FROM region.live_records WHERE engine = $1 AND file = ANY ($2)',
);
const IN_RANGE = `SELECT ${COLUMNS} FROM region.live_records
   WHERE ns_id = $1 AND stream_id = $2 AND code = 0 AND start_at < $4 AND end_at > $3`;
const inRange = {
  oldestFirst: statement(
    'live-record-range',
    `${IN_RANGE} AND start_at > COALESCE($5::timestamptz, '-infinity') ORDER BY start_at LIMIT $6`,
  ),
  newestFirst: statement(
    'live-record-range-newest',
    `${IN_RANGE} AND start_at < COALESCE($5::timestamptz, 'infinity') ORDER BY start_at DESC LIMIT $6`,
  ),
};
const removeNamed = statement(
  'live-record-delete-named',
  `DELETE FROM region.live_records WHERE ns_id = $1 AND stream_id = $2 AND code = 0 AND fname = ANY ($3)
   RETURNING bucket, fname`,
);
const forget = statement(
  'live-record-forget',
  `DELETE FROM region.live_records WHERE expires_at < now() OR (code = 3 AND start_at < now() - interval '30 days')`,
);

export class RecordStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#region.transaction(work);
  }

  /** Inserts each file only once. */
  async insert(record: NewRecord): Promise<void> {
    const { id, engine, file, nsId, streamId, recordType, startAt } = record;
    await this.#region.query(insert, [id, engine, file, nsId, streamId, recordType, startAt]);
  }

  async templateOf({ nsId, streamId }: StreamAddress): Promise<string | undefined> {
    const rows = await this.#region.query<{ template_id: string }>(templateOf, [nsId, streamId]);
    return rows[0]?.template_id;
  }

  /** `busy`: those in progress at the owner. */
  claim(on: Queryable, engine: string, most: number, busy: readonly string[]): Promise<RecordRow[]> {
    return on.query<RecordRow>(claim, [engine, most, busy]);
  }

  /** Resets what the engine's previous owner had in progress. */
  async revive(on: Queryable, engine: string): Promise<void> {
    await on.query(revive, [engine]);
  }

  async finish(on: Queryable, id: string, record: FinishedRecord): Promise<boolean> {
    const { startAt, endAt, bucket, fname, headBytes, expiresAt } = record;
    const given = [id, startAt, endAt, bucket, fname, headBytes, expiresAt ?? null];
    return (await on.query(finish, given)).length === 1;
  }

  async fail(on: Queryable, id: string, errmsg: string, endAt: Date): Promise<boolean> {
    return (await on.query(fail, [id, errmsg, endAt])).length === 1;
  }

  /** Fails those of engines that are not among the given ones and that have had no owner for this long. */
  failAbandoned(on: Queryable, engines: readonly string[], ms: number, errmsg: string): Promise<RecordRow[]> {
    return on.query<RecordRow>(failAbandoned, [engines, ms, MAX_FAILED, errmsg]);
  }

  async postpone(id: string, ms: number): Promise<void> {
    await this.#region.query(postpone, [id, ms]);
  }

  async delete(id: string): Promise<void> {
    await this.#region.query(remove, [id]);
  }

  known(engine: string, files: readonly string[]): Promise<{ file: string; code: number }[]> {
    return this.#region.query(known, [engine, files]);
  }

  inRange({ nsId, streamId }: StreamAddress, range: RecordRange, most: number): Promise<RecordRow[]> {
    const { start, end, after = null, isNewestFirst } = range;
    const order = isNewestFirst ? inRange.newestFirst : inRange.oldestFirst;
    return this.#region.query<RecordRow>(order, [nsId, streamId, start, end, after, most]);
  }

  removeNamed(
    { nsId, streamId }: StreamAddress,
    files: readonly string[],
  ): Promise<{ readonly bucket: string; readonly fname: string }[]> {
    return this.#region.query(removeNamed, [nsId, streamId, files]);
  }

  async forget(): Promise<void> {
    await this.#region.query(forget, []);
  }
}

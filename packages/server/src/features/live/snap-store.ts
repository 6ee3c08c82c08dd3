/** SQL of snapshots. */
import { type Database, type Queryable, statement, type Transaction } from '../../platform/db/database.ts';
import type { StreamAddress } from './engine-name.ts';

export interface SnapRow {
  readonly snap_id: string;
  readonly engine: string;
  readonly ns_id: string;
  readonly stream_id: string;
  /** Null: the namespace is gone. */
  readonly uid: bigint | null;
  readonly is_overwritten: boolean;
  readonly code: 0 | 1 | 2 | 3;
  readonly taken_at: Date;
  readonly bucket: string;
  readonly fname: string;
  readonly storage_class: number;
  readonly expires_at: Date | null;
  /** Somebody had it under way before. */
  readonly is_left: boolean;
}

export interface NewSnap extends StreamAddress {
  readonly id: string;
  readonly engine: string;
  readonly isDemanded: boolean;
  readonly isOverwritten: boolean;
  readonly takenAt: Date;
  readonly bucket: string;
  readonly fname: string;
  readonly storageClass: number;
  readonly expiresAt: Date | undefined;
}

/** A stream whose time has come. */
export interface DueStream {
  readonly ns_id: string;
  readonly stream_id: string;
  readonly engine: string | null;
  readonly template_id: string | null;
}

const TEMPLATE = `CASE WHEN n.is_snapshot_for_all THEN COALESCE(n.snapshot_template_id, s.snapshot_template_id)
  ELSE COALESCE(s.snapshot_template_id, n.snapshot_template_id) END`;

const insert = statement(
  'live-snap-insert',
  `INSERT INTO region.live_snaps (snap_id, engine, ns_id, stream_id, is_demanded, is_overwritten, taken_at, bucket, fname,
     storage_class, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
);
const templateOf = statement(
  'live-snap-template',
  `SELECT ${TEMPLATE} AS template_id FROM region.live_streams s JOIN region.live_namespaces n ON n.ns_id = s.ns_id
   WHERE s.ns_id = $1 AND s.stream_id = $2`,
);
const due = statement(
  'live-snap-due',
  `SELECT s.ns_id, s.stream_id, ${TEMPLATE} AS template_id,
     (SELECT x.engine FROM region.live_sessions x WHERE x.ns_id = s.ns_id AND x.stream_id = s.stream_id
        AND x.ended_at IS NULL ORDER BY x.began_at DESC LIMIT 1) AS engine
   FROM region.live_streams s JOIN region.live_namespaces n ON n.ns_id = s.ns_id
   WHERE s.next_snap_at <= now() ORDER BY s.next_snap_at LIMIT $1 FOR NO KEY UPDATE OF s SKIP LOCKED`,
);
const schedule = statement(
  'live-snap-schedule',
  `UPDATE region.live_streams SET next_snap_at = now() + $3 * interval '1 second'
   WHERE ns_id = $1 AND stream_id = $2`,
);
// What is under way but not with whoever asks was left behind: its owner died, or could not write what became of it.
const claim = statement(
  'live-snap-claim',
  `WITH picked AS MATERIALIZED (
     SELECT snap_id, code = 2 AS is_left FROM region.live_snaps
     WHERE engine = $1 AND code IN (1, 2) AND snap_id <> ALL ($3::uuid[])
     ORDER BY taken_at LIMIT $2 FOR UPDATE SKIP LOCKED
   )
   UPDATE region.live_snaps p SET code = 2 FROM picked WHERE p.snap_id = picked.snap_id
   RETURNING p.snap_id, engine, ns_id, stream_id, is_overwritten, code, taken_at, bucket, fname, storage_class,
     expires_at, is_left, (SELECT n.uid FROM region.live_namespaces n WHERE n.ns_id = p.ns_id) AS uid`,
);
const end = statement(
  'live-snap-end',
  `UPDATE region.live_snaps SET code = $2, errmsg = $3 WHERE snap_id = $1 AND code = 2 RETURNING snap_id`,
);
const page = statement(
  'live-snap-page',
  `SELECT snap_id, taken_at, bucket, fname FROM region.live_snaps
   WHERE ns_id = $1 AND stream_id = $2 AND code = 0 AND taken_at >= $3 AND taken_at < $4 AND taken_at > $5
   ORDER BY taken_at LIMIT $6`,
);
const removeNamed = statement(
  'live-snap-delete-named',
  `DELETE FROM region.live_snaps WHERE ns_id = $1 AND stream_id = $2 AND code = 0 AND fname = ANY ($3)
   RETURNING bucket, fname`,
);
const forget = statement(
  'live-snap-forget',
  `DELETE FROM region.live_snaps WHERE code IN (0, 3)
     AND (expires_at < now() OR (code = 3 AND taken_at < now() - interval '30 days'))`,
);

export class SnapStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#region.transaction(work);
  }

  async insert(on: Queryable, snap: NewSnap): Promise<void> {
    const { id, engine, nsId, streamId, isDemanded, isOverwritten } = snap;
    const { takenAt, bucket, fname, storageClass, expiresAt } = snap;
    await on.query(insert, [
      ...[id, engine, nsId, streamId, isDemanded, isOverwritten],
      ...[takenAt, bucket, fname, storageClass, expiresAt ?? null],
    ]);
  }

  async templateOf({ nsId, streamId }: StreamAddress): Promise<string | undefined> {
    const rows = await this.#region.query<{ template_id: string | null }>(templateOf, [nsId, streamId]);
    return rows[0]?.template_id ?? undefined;
  }

  due(on: Queryable, most: number): Promise<DueStream[]> {
    return on.query<DueStream>(due, [most]);
  }

  /** Null: not again until the stream is published anew. */
  async schedule(on: Queryable, stream: DueStream, seconds: number | null): Promise<void> {
    await on.query(schedule, [stream.ns_id, stream.stream_id, seconds]);
  }

  /** `busy`: those that the owner has under way. */
  claim(on: Queryable, engine: string, most: number, busy: readonly string[]): Promise<SnapRow[]> {
    return on.query<SnapRow>(claim, [engine, most, busy]);
  }

  async end(on: Queryable, id: string, code: 0 | 3, errmsg: string): Promise<boolean> {
    return (await on.query(end, [id, code, errmsg])).length === 1;
  }

  page(
    { nsId, streamId }: StreamAddress,
    range: { readonly start: Date; readonly end: Date; readonly after: Date },
    most: number,
  ): Promise<Pick<SnapRow, 'snap_id' | 'taken_at' | 'bucket' | 'fname'>[]> {
    return this.#region.query(page, [nsId, streamId, range.start, range.end, range.after, most]);
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

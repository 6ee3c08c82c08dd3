/** SQL of snapshots. */

import { type Database, type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import { queryWithOwnerLock } from '../../../platform/db/owner-lock.ts';
import type { StreamAddress } from '../engine-name.ts';
import type { RecordRange } from '../recordings/recordings.store.ts';
import type { SnapRow } from '../streams.rows.ts';
import { isAbandoned } from '../upkeep/engine-lease.store.ts';

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

/** The part that an event needs. */
export type SnapEventFields = Pick<SnapRow, 'ns_id' | 'stream_id' | 'fname' | 'taken_at'>;

/** A stream that is due for a snapshot. */
export interface DueStream {
  readonly ns_id: string;
  readonly stream_id: string;
  readonly engine: string | null;
  readonly template_id: string | null;
}

/** Per statement. */
const MAX_EXPIRED = 200;

const TEMPLATE = `CASE WHEN n.is_snapshot_for_all THEN COALESCE(n.snapshot_template_id, s.snapshot_template_id)
  ELSE COALESCE(s.snapshot_template_id, n.snapshot_template_id) END`;

// Unless this many of the same stream and kind wait already.
const insert = statement(
  'live-snap-insert',
  `INSERT INTO region.live_snaps (snap_id, engine, ns_id, stream_id, is_demanded, is_overwritten, taken_at, bucket, fname,
     storage_class, expires_at)
   SELECT $1::uuid, $2::text, $3::text, $4::text, $5::boolean, $6::boolean, $7::timestamptz, $8::text, $9::text,
     $10::smallint, $11::timestamptz
   WHERE (SELECT count(*) FROM region.live_snaps w WHERE w.ns_id = $3 AND w.stream_id = $4 AND w.code = 1
            AND w.is_demanded = $5 AND w.is_overwritten = $6) < $12
   RETURNING snap_id`,
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
// After such a wait the image would show another moment than the one asked for.
const expire = statement(
  'live-snap-expire',
  `UPDATE region.live_snaps SET code = 3, errmsg = $4 WHERE snap_id = ANY (ARRAY(
     SELECT snap_id FROM region.live_snaps
     WHERE engine = $1 AND code = 1 AND asked_at < now() - $2 * interval '1 millisecond'
     ORDER BY taken_at LIMIT $3)) AND code = 1
   RETURNING ns_id, stream_id, fname, taken_at`,
);
const failAbandoned = statement(
  'live-snap-fail-abandoned',
  `UPDATE region.live_snaps SET code = 3, errmsg = $4 WHERE snap_id = ANY (ARRAY(
     SELECT s.snap_id FROM region.live_snaps s
     WHERE s.code IN (1, 2) AND s.engine <> ALL ($1) AND s.asked_at < now() - $2 * interval '1 millisecond'
       AND ${isAbandoned('s.engine', '$2')} LIMIT $3)) AND code IN (1, 2)
   RETURNING ns_id, stream_id, fname, taken_at`,
);
// A row in progress that the claiming owner is not working on was left behind: its owner died, or could not write the
// outcome. One snapshot per stream is in progress at a time. Tenants take turns: first those with fewer in progress,
// then those served longest ago.
const claim = statement(
  'live-snap-claim',
  `WITH open AS MATERIALIZED (
     SELECT s.snap_id, s.ns_id, s.stream_id, s.code, s.taken_at, s.snap_id = ANY ($3::uuid[]) AS is_busy,
       (SELECT coalesce(n.tenant, n.uid) FROM region.live_namespaces n WHERE n.ns_id = s.ns_id) AS tenant
     FROM region.live_snaps s WHERE s.engine = $1 AND s.code IN (1, 2)
   ), first AS (
     SELECT DISTINCT ON (ns_id, stream_id) * FROM open ORDER BY ns_id, stream_id, is_busy DESC, code DESC, taken_at
   ), waiting AS (
     SELECT *, row_number() OVER (PARTITION BY tenant ORDER BY is_busy DESC, taken_at) AS turn FROM first
   ), picked AS MATERIALIZED (
     SELECT w.snap_id, w.code = 2 AS is_left FROM waiting w
     LEFT JOIN unnest($4::bigint[]) WITH ORDINALITY AS served (tenant, place) ON served.tenant = w.tenant
     WHERE NOT w.is_busy ORDER BY w.turn, served.place NULLS FIRST, w.taken_at LIMIT $2
   )
   UPDATE region.live_snaps p SET code = 2 FROM picked WHERE p.snap_id = picked.snap_id AND p.code IN (1, 2)
   RETURNING p.snap_id, engine, ns_id, stream_id, is_overwritten, code, taken_at, bucket, fname, storage_class,
     expires_at, is_left, (SELECT n.uid FROM region.live_namespaces n WHERE n.ns_id = p.ns_id) AS uid,
     (SELECT coalesce(n.tenant, n.uid) FROM region.live_namespaces n WHERE n.ns_id = p.ns_id) AS tenant`,
);
// An image that overwrites others is the only one with its name.
const end = statement(
  'live-snap-end',
  `WITH ended AS (
     UPDATE region.live_snaps SET code = $2, errmsg = $3 WHERE snap_id = $1 AND code = 2
     RETURNING snap_id, ns_id, stream_id, bucket, fname, code, is_overwritten
   ), replaced AS (
     DELETE FROM region.live_snaps o USING ended e
     WHERE e.code = 0 AND e.is_overwritten AND o.code = 0 AND o.is_overwritten
       AND o.ns_id = e.ns_id AND o.stream_id = e.stream_id AND o.bucket = e.bucket AND o.fname = e.fname
   )
   SELECT snap_id FROM ended`,
);
const PAGE = `SELECT snap_id, taken_at, bucket, fname FROM region.live_snaps
   WHERE ns_id = $1 AND stream_id = $2 AND code = 0 AND taken_at >= $3 AND taken_at < $4`;
const page = {
  oldestFirst: statement(
    'live-snap-page',
    `${PAGE} AND taken_at > COALESCE($5::timestamptz, '-infinity') ORDER BY taken_at LIMIT $6`,
  ),
  newestFirst: statement(
    'live-snap-page-newest',
    `${PAGE} AND taken_at < COALESCE($5::timestamptz, 'infinity') ORDER BY taken_at DESC LIMIT $6`,
  ),
};
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

  /** Called by the clock, of which there is only one. False if one of its stream and kind waits already. */
  async insertScheduled(on: Queryable, snap: NewSnap): Promise<boolean> {
    return (await on.query(insert, valuesOf(snap, 1))).length === 1;
  }

  /** False if this many of its stream wait already. Must be the first statement of its transaction. */
  async insertDemanded(on: Transaction, snap: NewSnap, most: number): Promise<boolean> {
    const owner = `${snap.nsId}/${snap.streamId}`;
    return (await queryWithOwnerLock(on, owner, insert, valuesOf(snap, most))).length === 1;
  }

  async templateOf({ nsId, streamId }: StreamAddress): Promise<string | undefined> {
    const rows = await this.#region.query<{ template_id: string | null }>(templateOf, [nsId, streamId]);
    return rows[0]?.template_id ?? undefined;
  }

  due(on: Queryable, most: number): Promise<DueStream[]> {
    return on.query<DueStream>(due, [most]);
  }

  /** Null: not again until the stream is next published. */
  async schedule(on: Queryable, stream: DueStream, seconds: number | null): Promise<void> {
    await on.query(schedule, [stream.ns_id, stream.stream_id, seconds]);
  }

  /** Fails those that have waited longer than this, in batches. */
  expire(on: Queryable, engine: string, waitedMs: number, errmsg: string): Promise<SnapEventFields[]> {
    return on.query<SnapEventFields>(expire, [engine, waitedMs, MAX_EXPIRED, errmsg]);
  }

  /** Fails those of engines that are not among the given ones and that have had no owner for this long. */
  failAbandoned(
    on: Queryable,
    engines: readonly string[],
    ms: number,
    errmsg: string,
  ): Promise<SnapEventFields[]> {
    return on.query<SnapEventFields>(failAbandoned, [engines, ms, MAX_EXPIRED, errmsg]);
  }

  /** `busy`: those in progress at the owner. `served`: tenants that had their turn, longest ago first. */
  claim(
    on: Queryable,
    engine: string,
    most: number,
    busy: readonly string[],
    served: readonly bigint[],
  ): Promise<SnapRow[]> {
    return on.query<SnapRow>(claim, [engine, most, busy, served]);
  }

  async end(on: Queryable, id: string, code: 0 | 3, errmsg: string): Promise<boolean> {
    return (await on.query(end, [id, code, errmsg])).length === 1;
  }

  page(
    { nsId, streamId }: StreamAddress,
    range: RecordRange,
    most: number,
  ): Promise<Pick<SnapRow, 'snap_id' | 'taken_at' | 'bucket' | 'fname'>[]> {
    const { start, end, after = null, isNewestFirst } = range;
    const order = isNewestFirst ? page.newestFirst : page.oldestFirst;
    return this.#region.query(order, [nsId, streamId, start, end, after, most]);
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

function valuesOf(snap: NewSnap, most: number): unknown[] {
  const { id, engine, nsId, streamId, isDemanded, isOverwritten } = snap;
  const { takenAt, bucket, fname, storageClass, expiresAt } = snap;
  return [
    id,
    engine,
    nsId,
    streamId,
    isDemanded,
    isOverwritten,
    takenAt,
    bucket,
    fname,
    storageClass,
    expiresAt ?? null,
    most,
  ];
}

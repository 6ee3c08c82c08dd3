/** SQL of streams. Their keys arrive here sealed. */
import { faultOnForeignKey } from '../../../platform/db/constraints.ts';
import { type Database, type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import { likePrefix } from '../../../platform/db/like.ts';
import { queryWithOwnerLock } from '../../../platform/db/owner-lock.ts';
import { pageOrder, queryPage } from '../../../platform/db/paged.ts';
import type { ListQuery, Page } from '../../../platform/web/resources/index.ts';
import type { StreamAddress } from '../engine-name.ts';
import { missingReferenceFault } from '../namespaces/namespace.store.ts';
import type { SealedKey, StreamRow } from '../streams.rows.ts';
import type { StreamValues } from './stream-fields.ts';

export type StreamFilter = 'all' | 'online' | 'offline';

const COLUMNS = `ns_id, stream_id, description, sealed_key, master_key, record_template_id, snapshot_template_id,
  is_disabled, is_online, playable_at, last_pushed_at, created_at, updated_at`;

const insert = statement(
  'live-stream-insert',
  `INSERT INTO region.live_streams (ns_id, stream_id, description, sealed_key, master_key, record_template_id,
     snapshot_template_id)
   SELECT $1, $2, $3, $4, $5, NULLIF($6, ''), NULLIF($7, '')
   WHERE (SELECT count(*) FROM (SELECT FROM region.live_streams WHERE ns_id = $1 LIMIT $8) AS few) < $8
   ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
);
const find = statement(
  'live-stream-find',
  `SELECT ${COLUMNS} FROM region.live_streams WHERE ns_id = $1 AND stream_id = $2`,
);
const findOwned = statement(
  'live-stream-find-owned',
  `SELECT ${COLUMNS}, (SELECT n.uid FROM region.live_namespaces n WHERE n.ns_id = s.ns_id) AS uid
   FROM region.live_streams s WHERE ns_id = $1 AND stream_id = $2`,
);
const lock = statement(
  'live-stream-lock-row',
  `SELECT ${COLUMNS} FROM region.live_streams WHERE ns_id = $1 AND stream_id = $2 FOR NO KEY UPDATE`,
);
const update = statement(
  'live-stream-update',
  `UPDATE region.live_streams SET description = $3, record_template_id = NULLIF($4, ''),
     snapshot_template_id = NULLIF($5, ''), next_snap_at = CASE WHEN is_online THEN now() END, updated_at = now()
   WHERE ns_id = $1 AND stream_id = $2 RETURNING ${COLUMNS}`,
);
const setDisabled = statement(
  'live-stream-disable',
  `UPDATE region.live_streams SET is_disabled = $3, updated_at = now()
   WHERE ns_id = $1 AND stream_id = $2 RETURNING ${COLUMNS}`,
);
const setKey = statement(
  'live-stream-set-key',
  `UPDATE region.live_streams SET sealed_key = $3, master_key = $4, updated_at = now()
   WHERE ns_id = $1 AND stream_id = $2 RETURNING ${COLUMNS}`,
);
const remove = statement(
  'live-stream-delete',
  'DELETE FROM region.live_streams WHERE ns_id = $1 AND stream_id = $2 AND NOT is_online RETURNING stream_id',
);
const TIME =
  "CASE $5 WHEN 'updatedAt' THEN updated_at WHEN 'lastPushedAt' THEN last_pushed_at ELSE created_at END";
const page = statement(
  'live-stream-page',
  `SELECT ${COLUMNS}, count(*) OVER () AS total FROM region.live_streams
   WHERE ns_id = $1 AND ($6::boolean IS NULL OR is_online = $6) AND stream_id LIKE $7
   ${pageOrder(TIME, 'stream_id')}`,
);
const underOtherMasters = statement(
  'live-stream-under-other-masters',
  `SELECT ${COLUMNS} FROM region.live_streams WHERE master_key <> $1 LIMIT $2`,
);
// Compares the old wrapping, so that two concurrent rotations don't undo each other.
const rewrap = statement(
  'live-stream-rewrap',
  `UPDATE region.live_streams s SET sealed_key = n.sealed, master_key = $5
   FROM unnest($1::text[], $2::text[], $3::bytea[], $4::text[]) AS n (ns_id, stream_id, sealed, old_master)
   WHERE s.ns_id = n.ns_id AND s.stream_id = n.stream_id AND s.master_key = n.old_master RETURNING s.stream_id`,
);

export class StreamStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#region.transaction(work);
  }

  /** Undefined if it exists already, or the limit is reached. */
  async insert(
    { nsId, streamId }: StreamAddress,
    values: StreamValues,
    key: SealedKey,
    most: number,
  ): Promise<StreamRow | undefined> {
    const { desc, recordTemplateId, snapshotTemplateId } = values;
    const sealed = [key.sealed_key, key.master_key];
    const given = [nsId, streamId, desc, ...sealed, recordTemplateId, snapshotTemplateId, most];
    const inserting = this.#region.transaction((transaction) =>
      queryWithOwnerLock<StreamRow>(transaction, nsId, insert, given),
    );
    return (await faultOnForeignKey(inserting, missingReferenceFault))[0];
  }

  async find({ nsId, streamId }: StreamAddress): Promise<StreamRow | undefined> {
    return (await this.#region.query<StreamRow>(find, [nsId, streamId]))[0];
  }

  /** With its account. */
  async findOwned({ nsId, streamId }: StreamAddress): Promise<(StreamRow & { uid: bigint }) | undefined> {
    return (await this.#region.query<StreamRow & { uid: bigint }>(findOwned, [nsId, streamId]))[0];
  }

  async lock(on: Queryable, { nsId, streamId }: StreamAddress): Promise<StreamRow | undefined> {
    return (await on.query<StreamRow>(lock, [nsId, streamId]))[0];
  }

  async update(on: Queryable, { nsId, streamId }: StreamAddress, values: StreamValues): Promise<StreamRow> {
    const { desc, recordTemplateId, snapshotTemplateId } = values;
    const given = [nsId, streamId, desc, recordTemplateId, snapshotTemplateId];
    const [row] = await faultOnForeignKey(on.query<StreamRow>(update, given), missingReferenceFault);
    if (row === undefined) throw new Error('the locked stream is gone');
    return row;
  }

  async setDisabled({ nsId, streamId }: StreamAddress, isDisabled: boolean): Promise<StreamRow | undefined> {
    return (await this.#region.query<StreamRow>(setDisabled, [nsId, streamId, isDisabled]))[0];
  }

  async setKey({ nsId, streamId }: StreamAddress, key: SealedKey): Promise<StreamRow | undefined> {
    const given = [nsId, streamId, key.sealed_key, key.master_key];
    return (await this.#region.query<StreamRow>(setKey, given))[0];
  }

  /** False if it is online. */
  async delete({ nsId, streamId }: StreamAddress): Promise<boolean> {
    return (await this.#region.query(remove, [nsId, streamId])).length === 1;
  }

  page(nsId: string, query: ListQuery, filter: StreamFilter, prefix: string): Promise<Page<StreamRow>> {
    const isOnline = filter === 'all' ? null : filter === 'online';
    return queryPage(this.#region, page, nsId, query, isOnline, likePrefix(prefix));
  }

  notUnder(masterKey: string, most: number): Promise<StreamRow[]> {
    return this.#region.query<StreamRow>(underOtherMasters, [masterKey, most]);
  }

  async rewrap(rows: readonly StreamRow[], sealed: readonly Buffer[], masterKey: string): Promise<number> {
    const given = [rows.map((row) => row.ns_id), rows.map((row) => row.stream_id), sealed];
    const masters = rows.map((row) => row.master_key);
    return (await this.#region.query(rewrap, [...given, masters, masterKey])).length;
  }
}

/** SQL of devices and channels as their account sees them. */
import { Fault } from '@millpond/protocol';
import { emptyOnDuplicate, faultOnForeignKey } from '../../platform/db/constraints.ts';
import { type Database, type Queryable, statement, type Transaction } from '../../platform/db/database.ts';
import { likePrefix } from '../../platform/db/like.ts';
import { queryWithOwnerLock } from '../../platform/db/owner-lock.ts';
import { pageOrder, queryPage } from '../../platform/db/paged.ts';
import type { SealedSecret } from '../../platform/secrets/sealer.ts';
import type { ListQuery, Page } from '../../platform/web/resources/index.ts';
import type { DeviceValues, NewDeviceValues } from './devices.fields.ts';
import type { ChannelRow, DeviceRow } from './devices.rows.ts';
import { OWN_CHANNEL } from './media/device-media.store.ts';

export interface DeviceFilter {
  readonly state: 'online' | 'offline' | 'notReg' | '';
  /** 0: both kinds. */
  readonly kind: number;
  readonly prefix: string;
}

/** What was reported of a device and must be taken back: channels, and the device itself as the empty string. */
export interface ReportedChannels {
  readonly told: readonly string[];
}

const COLUMNS = `d.device_id, d.ns_id, n.name AS ns_name, d.gbid, d.name, d.description, d.kind, d.username, d.user_agent,
  d.is_online, d.registered_at, coalesce(r.seen_at, d.seen_at) AS seen_at, d.created_at, d.updated_at,
  (SELECT count(*) FROM region.device_channels c WHERE c.device_id = d.device_id) AS channels,
  m.media_wanted, m.media_running, m.media_reason`;
const FROM = `region.devices d JOIN region.live_namespaces n USING (ns_id)
  LEFT JOIN region.device_registrations r USING (device_id)
  CROSS JOIN LATERAL (SELECT count(*) AS media_wanted, count(*) FILTER (WHERE state = 'running') AS media_running,
    coalesce((array_agg(reason ORDER BY changed_at DESC) FILTER (WHERE reason <> ''))[1], '') AS media_reason
    FROM region.device_media WHERE device_id = d.device_id AND is_wanted) m`;
// A camera's own channel is the camera itself.
const CHANNELS = `WITH d AS MATERIALIZED (
    SELECT d.device_id, d.gbid, d.kind, ${OWN_CHANNEL} AS own FROM region.devices d WHERE d.device_id = $1
  ), c AS (
    SELECT c.*, CASE WHEN d.kind = 1 AND c.gbid = d.own THEN '' ELSE c.gbid END AS channel,
      CASE WHEN d.kind = 1 AND c.gbid = d.own THEN d.gbid ELSE d.gbid || '_' || c.gbid END AS stream_id
    FROM d JOIN region.device_channels c USING (device_id)
  )
  SELECT c.gbid, c.name, c.vendor, c.is_online, c.synced_at, c.stream_id, coalesce(m.is_wanted, false) AS media_wanted,
    CASE WHEN m.is_wanted THEN m.state ELSE '' END AS media_state,
    CASE WHEN m.is_wanted THEN m.reason ELSE '' END AS media_reason`;
const CHANNELS_FROM =
  'FROM c LEFT JOIN region.device_media m ON m.device_id = c.device_id AND m.channel = c.channel';

const insert = statement(
  'device-insert',
  `INSERT INTO region.devices (ns_id, gbid, name, description, kind, username, sealed_password, master_key)
   SELECT $1, $2, $3, $4, $5, $6, $7, $8
   WHERE (SELECT count(*) FROM region.devices WHERE ns_id = $1) < $9
   ON CONFLICT DO NOTHING RETURNING device_id`,
);
const find = statement('device-find', `SELECT ${COLUMNS} FROM ${FROM} WHERE d.ns_id = $1 AND d.gbid = $2`);
const page = statement(
  'device-page',
  `SELECT ${COLUMNS}, count(*) OVER () AS total FROM ${FROM}
   WHERE d.ns_id = $1 AND d.gbid LIKE $6 AND ($8 = 0 OR d.kind = $8)
     AND CASE $7 WHEN 'online' THEN d.is_online WHEN 'offline' THEN NOT d.is_online AND d.registered_at IS NOT NULL
           WHEN 'notReg' THEN d.registered_at IS NULL ELSE true END
   ${pageOrder("CASE $5 WHEN 'updatedAt' THEN d.updated_at ELSE d.created_at END", 'd.gbid')}`,
);
// Null: unchanged.
const update = statement(
  'device-update',
  `UPDATE region.devices SET name = coalesce($2, name), description = coalesce($3, description),
     kind = coalesce($4, kind), username = coalesce($5, username), sealed_password = coalesce($6, sealed_password),
     master_key = coalesce($7, master_key), updated_at = now()
   WHERE device_id = $1 RETURNING device_id`,
);
const lock = statement(
  'device-lock',
  'SELECT device_id FROM region.devices WHERE ns_id = $1 AND gbid = $2 FOR UPDATE',
);
const remove = statement(
  'device-delete',
  `WITH channels AS (
     SELECT gbid FROM region.device_channels WHERE device_id = $1 AND is_online
   ), gone AS (
     DELETE FROM region.devices WHERE device_id = $1 RETURNING is_online
   )
   SELECT array(SELECT '' FROM gone WHERE is_online UNION ALL SELECT gbid FROM channels) AS told`,
);
const askCatalog = statement(
  'device-ask-catalog',
  'UPDATE region.devices SET is_catalog_due = true WHERE ns_id = $1 AND gbid = $2 AND is_online RETURNING device_id',
);
const channels = statement(
  'device-channels',
  `${CHANNELS}, count(*) OVER () AS total, count(*) FILTER (WHERE c.is_online) OVER () AS online
   ${CHANNELS_FROM} WHERE c.gbid LIKE $4 ORDER BY c.gbid OFFSET $2 LIMIT $3`,
);
const channel = statement('device-channel', `${CHANNELS} ${CHANNELS_FROM} WHERE c.gbid = $2`);
const removeChannel = statement(
  'device-channel-delete',
  'DELETE FROM region.device_channels WHERE device_id = $1 AND gbid = $2 RETURNING is_online',
);

export class DeviceStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#region.transaction(work);
  }

  /** False if it exists already, or the namespace has reached its limit. */
  async insert(
    nsId: string,
    device: NewDeviceValues,
    password: SealedSecret,
    most: number,
  ): Promise<boolean> {
    const { gbId, name, desc, type, username } = device;
    const values = [nsId, gbId, name, desc, type, username, password.bytes, password.masterKey, most];
    const inserting = this.#region.transaction((transaction) =>
      queryWithOwnerLock(transaction, nsId, insert, values),
    );
    return (await faultOnForeignKey(inserting, () => new Fault('noSuchNamespace'))).length === 1;
  }

  async find(nsId: string, gbid: string): Promise<DeviceRow | undefined> {
    return (await this.#region.query<DeviceRow>(find, [nsId, gbid]))[0];
  }

  page(nsId: string, query: ListQuery, filter: DeviceFilter): Promise<Page<DeviceRow>> {
    const { prefix, state, kind } = filter;
    return queryPage(this.#region, page, nsId, query, likePrefix(prefix), state, kind);
  }

  /** False if another device has this name and id. */
  async update(
    id: bigint,
    change: Partial<DeviceValues>,
    password: SealedSecret | undefined,
  ): Promise<boolean> {
    const { name, desc, type, username } = change;
    const given = [name, desc, type, username, password?.bytes, password?.masterKey];
    const changing = this.#region.query(update, [id, ...given.map((value) => value ?? null)]);
    return (await emptyOnDuplicate(changing)).length === 1;
  }

  /** Every change of a device's reported state holds its row lock. */
  async lock(on: Queryable, nsId: string, gbid: string): Promise<bigint | undefined> {
    return (await on.query<{ device_id: bigint }>(lock, [nsId, gbid]))[0]?.device_id;
  }

  async delete(on: Queryable, id: bigint): Promise<readonly string[]> {
    return (await on.query<ReportedChannels>(remove, [id]))[0]?.told ?? [];
  }

  /** False if it is not online. */
  async askCatalog(nsId: string, gbid: string): Promise<boolean> {
    return (await this.#region.query(askCatalog, [nsId, gbid])).length === 1;
  }

  async channels(
    id: bigint,
    { offset, line }: ListQuery,
    prefix: string,
  ): Promise<Page<ChannelRow> & { readonly online: number }> {
    const values = [id, offset, line, likePrefix(prefix)];
    const rows = await this.#region.query<ChannelRow & { total: bigint; online: bigint }>(channels, values);
    return { rows, total: Number(rows[0]?.total ?? 0n), online: Number(rows[0]?.online ?? 0n) };
  }

  async channel(id: bigint, gbid: string): Promise<ChannelRow | undefined> {
    return (await this.#region.query<ChannelRow>(channel, [id, gbid]))[0];
  }

  /** Undefined if there is none. */
  async deleteChannel(on: Queryable, id: bigint, gbid: string): Promise<{ is_online: boolean } | undefined> {
    return (await on.query<{ is_online: boolean }>(removeChannel, [id, gbid]))[0];
  }
}

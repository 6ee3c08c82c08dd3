/**
 * SQL of registrations: what the registrar reads, and changes of many devices at once. Every change holds the device's
 * row lock.
 */
import type { CatalogItem } from '@millpond/camera-wire';
import { type Database, type Queryable, statement, type Transaction } from '../../platform/db/database.ts';

export interface KnownDevice {
  readonly device_id: bigint;
  /** The account that owns it. */
  readonly uid: bigint;
  readonly ns_id: string;
  readonly gbid: string;
  readonly username: string;
  readonly sealed_password: Buffer;
  readonly master_key: string;
  readonly is_disabled: boolean;
}

export interface RegistrationRow {
  readonly device_id: bigint;
  readonly gbid: string;
  readonly transport: 'udp' | 'tcp';
  readonly address: string;
  readonly port: number;
  /** Milliseconds from now, and milliseconds ago. */
  readonly expires_in: number;
  readonly seen_ago: number;
}

/** What has changed for the receiver of a namespace's events: states of channels, with the empty string for the device itself. */
export interface ChangedDevice {
  readonly device_id: bigint;
  readonly ns_id: string;
  readonly uid: bigint;
  readonly callback: string;
  readonly gbid: string;
  readonly online: readonly string[];
  readonly offline: readonly string[];
}

export interface NewRegistration {
  readonly deviceId: bigint;
  readonly transport: 'udp' | 'tcp';
  readonly address: string;
  readonly port: number;
  readonly userAgent: string;
  readonly expiresMs: number;
}

export interface NewCatalog {
  readonly deviceId: bigint;
  /** Whether channels that it does not list are gone. */
  readonly isWhole: boolean;
  readonly channels: readonly CatalogItem[];
}

// Several accounts may have a device of this id and name; the oldest come first.
const findDevices = statement(
  'registrar-find',
  `SELECT d.device_id, n.uid, d.ns_id, d.gbid, d.username, d.sealed_password, d.master_key, n.is_disabled
   FROM unnest($1::text[], $2::text[]) AS k (gbid, username)
   CROSS JOIN LATERAL (SELECT * FROM region.devices o WHERE o.gbid = k.gbid AND o.username = k.username
                       ORDER BY o.device_id LIMIT $3) d
   JOIN region.live_namespaces n ON n.ns_id = d.ns_id ORDER BY d.device_id`,
);
const load = statement(
  'registrar-load',
  `SELECT r.device_id, d.gbid, r.transport, r.address, r.port,
     (extract(epoch FROM r.expires_at - now()) * 1000)::float8 AS expires_in,
     (extract(epoch FROM now() - r.seen_at) * 1000)::float8 AS seen_ago
   FROM region.device_registrations r JOIN region.devices d USING (device_id)
   WHERE r.lease = $1 AND r.device_id > $2 ORDER BY r.device_id LIMIT $3`,
);
// Registrations of a port that has long had no owner, or no longer exists: nobody else would ever report them as gone.
const takeOverOrphans = statement(
  'registrar-adopt',
  `UPDATE region.device_registrations r SET lease = $1
   WHERE lease <> $1 AND NOT EXISTS (SELECT FROM region.live_leases l
     WHERE l.name = r.lease AND l.leased_until > now() - $2 * interval '1 millisecond')
   RETURNING device_id`,
);
const lock = statement(
  'registrar-lock',
  'SELECT device_id, now() AS now FROM region.devices WHERE device_id = ANY($1::bigint[]) ORDER BY device_id FOR UPDATE',
);
const register = statement(
  'registrar-register',
  `WITH given AS (
     SELECT g.*, d.ns_id, d.gbid, d.is_online AS was_online, n.uid, n.callback
     FROM unnest($2::bigint[], $3::text[], $4::text[], $5::integer[], $6::text[], $7::float8[])
       AS g (device_id, transport, address, port, user_agent, expires_ms)
     JOIN region.devices d USING (device_id) JOIN region.live_namespaces n USING (ns_id) WHERE NOT n.is_disabled
   ), registered AS (
     INSERT INTO region.device_registrations (device_id, lease, transport, address, port, registered_at, expires_at, seen_at)
     SELECT device_id, $1, transport, address, port, now(), now() + expires_ms * interval '1 millisecond', now() FROM given
     ON CONFLICT (device_id) DO UPDATE SET lease = excluded.lease, transport = excluded.transport,
       address = excluded.address, port = excluded.port, registered_at = excluded.registered_at,
       expires_at = excluded.expires_at, seen_at = excluded.seen_at
   ), devices AS (
     UPDATE region.devices d SET is_online = true, registered_at = now(), user_agent = g.user_agent,
       changed_at = CASE WHEN d.is_online THEN d.changed_at ELSE now() END
     FROM given g WHERE d.device_id = g.device_id
   ), channels AS (
     UPDATE region.device_channels c SET is_online = true
     FROM given g WHERE c.device_id = g.device_id AND NOT g.was_online AND c.is_on AND NOT c.is_online
     RETURNING c.device_id, c.gbid
   )
   SELECT device_id, ns_id, uid, callback, gbid, '{}'::text[] AS offline,
     CASE WHEN was_online THEN '{}'::text[]
       ELSE array(SELECT '' UNION ALL SELECT c.gbid FROM channels c WHERE c.device_id = given.device_id) END AS online
   FROM given`,
);
const expire = statement(
  'registrar-expire',
  `WITH gone AS (
     DELETE FROM region.device_registrations r USING unnest($2::bigint[], $3::float8[]) AS g (device_id, ago_ms)
     WHERE r.device_id = g.device_id AND r.lease = $1
     RETURNING r.device_id, r.seen_at, g.ago_ms
   ), devices AS (
     UPDATE region.devices d SET is_online = false, changed_at = now() - g.ago_ms * interval '1 millisecond',
       seen_at = g.seen_at, is_catalog_due = false
     FROM gone g WHERE d.device_id = g.device_id RETURNING d.device_id, d.ns_id, d.gbid
   ), channels AS (
     UPDATE region.device_channels c SET is_online = false
     FROM gone g WHERE c.device_id = g.device_id AND c.is_online RETURNING c.device_id, c.gbid
   )
   SELECT d.device_id, d.ns_id, n.uid, n.callback, d.gbid, '{}'::text[] AS online,
     array(SELECT '' UNION ALL SELECT c.gbid FROM channels c WHERE c.device_id = d.device_id) AS offline
   FROM devices d JOIN region.live_namespaces n USING (ns_id)`,
);
const list = statement(
  'registrar-list-channels',
  `WITH devices AS (
     SELECT g.is_whole, d.device_id, d.ns_id, d.gbid, d.is_online, n.uid, n.callback
     FROM unnest($1::bigint[], $2::boolean[]) AS g (device_id, is_whole)
     JOIN region.devices d USING (device_id) JOIN region.live_namespaces n USING (ns_id)
   ), given AS (
     SELECT g.*, g.is_on AND d.is_online AS is_online
     FROM unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::boolean[])
       AS g (device_id, gbid, name, vendor, is_on) JOIN devices d USING (device_id)
   ), before AS (
     SELECT c.device_id, c.gbid, c.is_online FROM region.device_channels c JOIN devices USING (device_id)
   ), removed AS (
     DELETE FROM region.device_channels c USING devices d
     WHERE c.device_id = d.device_id AND d.is_whole
       AND NOT EXISTS (SELECT FROM given g WHERE g.device_id = c.device_id AND g.gbid = c.gbid)
     RETURNING c.device_id, c.gbid
   ), listed AS (
     INSERT INTO region.device_channels (device_id, gbid, name, vendor, is_on, is_online, synced_at)
     SELECT device_id, gbid, name, vendor, is_on, is_online, now() FROM given
     ON CONFLICT (device_id, gbid) DO UPDATE SET name = excluded.name, vendor = excluded.vendor,
       is_on = excluded.is_on, is_online = excluded.is_online, synced_at = excluded.synced_at
   ), changes AS (
     SELECT device_id, gbid, coalesce(g.is_online, false) AS is_online
     FROM given g FULL JOIN before b USING (device_id, gbid)
     LEFT JOIN removed r USING (device_id, gbid)
     WHERE (g.gbid IS NOT NULL OR r.gbid IS NOT NULL)
       AND coalesce(g.is_online, false) <> coalesce(b.is_online, false)
   )
   SELECT d.device_id, d.ns_id, d.uid, d.callback, d.gbid,
     array(SELECT c.gbid FROM changes c WHERE c.device_id = d.device_id AND c.is_online) AS online,
     array(SELECT c.gbid FROM changes c WHERE c.device_id = d.device_id AND NOT c.is_online) AS offline
   FROM devices d`,
);
const seen = statement(
  'registrar-seen',
  `UPDATE region.device_registrations r SET seen_at = greatest(r.seen_at, now() - g.ago_ms * interval '1 millisecond')
   FROM unnest($2::bigint[], $3::float8[]) AS g (device_id, ago_ms)
   WHERE r.device_id = g.device_id AND r.lease = $1 RETURNING r.device_id`,
);
const disabled = statement(
  'registrar-disabled',
  `SELECT d.device_id FROM region.live_namespaces n JOIN region.devices d USING (ns_id)
   WHERE (n.is_disabled OR n.uid = ANY($2::bigint[])) AND n.access_type = 'gb28181' AND d.is_online LIMIT $1`,
);
const owners = statement(
  'registrar-owners',
  `SELECT DISTINCT uid FROM region.live_namespaces WHERE access_type = 'gb28181' AND NOT is_disabled`,
);
const takeCatalogsDue = statement(
  'registrar-catalogs-due',
  `UPDATE region.devices d SET is_catalog_due = false FROM region.device_registrations r
   WHERE d.is_catalog_due AND r.device_id = d.device_id AND r.lease = $1 RETURNING d.device_id`,
);

interface Id {
  readonly device_id: bigint;
}

export class RegistrationStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#region.transaction(work);
  }

  /** At most so many of one id and user name. */
  find(devices: readonly { gbid: string; username: string }[], most: number): Promise<KnownDevice[]> {
    const values = [devices.map(({ gbid }) => gbid), devices.map(({ username }) => username), most];
    return this.#region.query<KnownDevice>(findDevices, values);
  }

  /** A page of the registrations at a port, by device. */
  load(lease: string, after: bigint, most: number): Promise<RegistrationRow[]> {
    return this.#region.query<RegistrationRow>(load, [lease, after, most]);
  }

  /** Takes over the registrations at ports that have had no owner for this long; returns their number. */
  async takeOverOrphans(lease: string, abandonedMs: number): Promise<number> {
    return (await this.#region.query(takeOverOrphans, [lease, abandonedMs])).length;
  }

  /** The time for what is written next; undefined if none of them exists any more. */
  async lock(on: Queryable, ids: readonly bigint[]): Promise<Date | undefined> {
    return (await on.query<{ now: Date }>(lock, [ids]))[0]?.now;
  }

  /** Returns no row for a device that is gone, or whose namespace is disabled: it is not registered. */
  register(on: Queryable, lease: string, all: readonly NewRegistration[]): Promise<ChangedDevice[]> {
    return on.query<ChangedDevice>(register, [
      lease,
      all.map(({ deviceId }) => deviceId),
      all.map(({ transport }) => transport),
      all.map(({ address }) => address),
      all.map((each) => each.port),
      all.map(({ userAgent }) => userAgent),
      all.map(({ expiresMs }) => expiresMs),
    ]);
  }

  /** `agoMs`: how long ago it happened. */
  expire(
    on: Queryable,
    lease: string,
    all: readonly { deviceId: bigint; agoMs: number }[],
  ): Promise<ChangedDevice[]> {
    const values = [lease, all.map(({ deviceId }) => deviceId), all.map(({ agoMs }) => agoMs)];
    return on.query<ChangedDevice>(expire, values);
  }

  list(on: Queryable, catalogs: readonly NewCatalog[]): Promise<ChangedDevice[]> {
    const rows = catalogs.flatMap(({ deviceId, channels }) =>
      channels.map((channel) => ({ deviceId, ...channel })),
    );
    return on.query<ChangedDevice>(list, [
      catalogs.map(({ deviceId }) => deviceId),
      catalogs.map(({ isWhole }) => isWhole),
      rows.map(({ deviceId }) => deviceId),
      rows.map(({ gbid }) => gbid),
      rows.map(({ name }) => name),
      rows.map(({ vendor }) => vendor),
      rows.map(({ isOn }) => isOn),
    ]);
  }

  /** Writes signs of life of many devices in one statement; returns those still registered there. */
  async seen(lease: string, all: readonly { deviceId: bigint; agoMs: number }[]): Promise<Set<bigint>> {
    const values = [lease, all.map(({ deviceId }) => deviceId), all.map(({ agoMs }) => agoMs)];
    return idsOf(await this.#region.query<Id>(seen, values));
  }

  /** Devices that are online in disabled namespaces, or in namespaces of these accounts. */
  async disabled(uids: Iterable<bigint>, most: number): Promise<Set<bigint>> {
    return idsOf(await this.#region.query<Id>(disabled, [most, [...uids]]));
  }

  /** Accounts that have namespaces for devices. */
  async owners(): Promise<bigint[]> {
    return (await this.#region.query<{ uid: bigint }>(owners, [])).map(({ uid }) => uid);
  }

  /** Devices at this port for which a new list of channels was requested. */
  async takeCatalogsDue(lease: string): Promise<Set<bigint>> {
    return idsOf(await this.#region.query<Id>(takeCatalogsDue, [lease]));
  }
}

function idsOf(rows: readonly Id[]): Set<bigint> {
  return new Set(rows.map((row) => row.device_id));
}

/** SQL of the media of devices: which channels are wanted, and their state. */
import type { Dialog } from '@millpond/camera-wire';
import { Fault } from '@millpond/protocol';
import { faultOnForeignKey } from '../../../platform/db/constraints.ts';
import { type Database, type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import { queryWithOwnerLock } from '../../../platform/db/owner-lock.ts';

export type MediaState = 'waiting' | 'inviting' | 'running' | 'failed';

/** A channel that is or was wanted, with all that the owner of its device's port must know of it. */
export interface MediaRequestRow {
  readonly device_id: bigint;
  readonly channel: string;
  readonly is_wanted: boolean;
  readonly wanted_at: Date;
  readonly dialog: Dialog | null;
  /** The account that owns it. */
  readonly tenant: bigint;
  readonly ns_id: string;
  readonly gbid: string;
  /** Whom to ask: the channel, or for the camera itself its own channel. */
  readonly target: string;
  readonly is_disabled: boolean;
}

export interface SavedMediaState {
  readonly deviceId: bigint;
  readonly channel: string;
  readonly state: MediaState;
  readonly reason: string;
  readonly dialog: Dialog | undefined;
}

/** Digits 11 to 13 of a channel that has video; others are alarms, sound and the like. */
const HAS_VIDEO = (gbid: string) => `substr(${gbid}, 11, 3) IN ('131', '132')`;
/** The channel that stands for the camera itself: the one with its own id, else the first that has video. */
export const OWN_CHANNEL = `coalesce((SELECT CASE WHEN bool_or(o.gbid = d.gbid) THEN d.gbid
    ELSE coalesce(min(o.gbid) FILTER (WHERE ${HAS_VIDEO('o.gbid')}), min(o.gbid)) END
  FROM region.device_channels o WHERE o.device_id = d.device_id), d.gbid)`;

// A camera's own channel has the empty name.
const resolve = statement(
  'media-resolve',
  `SELECT k.gbid AS given, CASE WHEN d.kind = 1 AND k.gbid = ${OWN_CHANNEL} THEN '' ELSE k.gbid END AS channel
   FROM region.devices d CROSS JOIN unnest($2::text[]) AS k (gbid) WHERE d.device_id = $1
     AND (EXISTS (SELECT FROM region.device_channels c WHERE c.device_id = d.device_id AND c.gbid = k.gbid)
       OR (d.kind = 1 AND k.gbid = ${OWN_CHANNEL}) OR ($3 AND EXISTS
         (SELECT FROM region.device_media m WHERE m.device_id = d.device_id AND m.channel = k.gbid)))`,
);
const listed = statement(
  'media-listed',
  `SELECT gbid FROM region.device_channels WHERE device_id = $1 AND ${HAS_VIDEO('gbid')} ORDER BY gbid LIMIT $2`,
);
const request = statement(
  'media-want',
  `INSERT INTO region.device_media AS m (device_id, channel) SELECT $1, unnest($2::text[])
   WHERE (SELECT count(*) FROM region.device_media o WHERE o.device_id = $1 AND o.channel <> ALL ($2)) + $3 <= $4
   ON CONFLICT (device_id, channel) DO UPDATE SET is_wanted = true, wanted_at = clock_timestamp()
   RETURNING m.channel`,
);
// The owner of the device's port ends it there first; an unregistered device has no such owner. Null: all channels.
const cancel = statement(
  'media-unwant',
  `WITH gone AS (
     DELETE FROM region.device_media WHERE device_id = $1 AND ($2::text[] IS NULL OR channel = ANY ($2))
       AND NOT EXISTS (SELECT FROM region.device_registrations r WHERE r.device_id = $1)
   )
   UPDATE region.device_media SET is_wanted = false
   WHERE device_id = $1 AND ($2::text[] IS NULL OR channel = ANY ($2))
     AND EXISTS (SELECT FROM region.device_registrations r WHERE r.device_id = $1)`,
);
// Calls in progress first, then tenants in turn: if there are more than the limit, each gets its oldest.
const requests = statement(
  'media-wishes',
  `SELECT m.device_id, m.channel, m.is_wanted, m.wanted_at, m.dialog, coalesce(n.tenant, n.uid) AS tenant, d.ns_id, d.gbid,
     CASE WHEN m.channel <> '' THEN m.channel ELSE ${OWN_CHANNEL} END AS target,
     n.is_disabled OR coalesce(s.is_disabled, false) AS is_disabled
   FROM region.device_registrations r JOIN region.device_media m USING (device_id)
   JOIN region.devices d USING (device_id) JOIN region.live_namespaces n USING (ns_id)
   LEFT JOIN region.live_streams s ON s.ns_id = d.ns_id
     AND s.stream_id = CASE WHEN m.channel = '' THEN d.gbid ELSE d.gbid || '_' || m.channel END
   WHERE r.lease = $1
   ORDER BY m.dialog IS NULL, row_number() OVER (PARTITION BY coalesce(n.tenant, n.uid) ORDER BY m.wanted_at, m.device_id, m.channel),
     m.wanted_at, m.device_id, m.channel LIMIT $2`,
);
const saveStates = statement(
  'media-tell',
  `UPDATE region.device_media m SET state = t.state, reason = t.reason, dialog = t.dialog::jsonb, changed_at = now()
   FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[])
     AS t (device_id, channel, state, reason, dialog)
   WHERE m.device_id = t.device_id AND m.channel = t.channel`,
);
const forget = statement(
  'media-forget',
  `DELETE FROM region.device_media m USING unnest($1::bigint[], $2::text[]) AS t (device_id, channel)
   WHERE m.device_id = t.device_id AND m.channel = t.channel AND NOT m.is_wanted`,
);

export class MediaStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#region.transaction(work);
  }

  /** By the names used here. Returns those that the device lists, and with `orWanted` those that were wanted of it. */
  async resolve(
    deviceId: bigint,
    channels: readonly string[],
    orWanted: boolean,
  ): Promise<Map<string, string>> {
    const rows = await this.#region.query<{ given: string; channel: string }>(resolve, [
      deviceId,
      channels,
      orWanted,
    ]);
    return new Map(rows.map(({ given, channel }) => [given, channel]));
  }

  /** Channels that have video. */
  async listed(deviceId: bigint, most: number): Promise<string[]> {
    return (await this.#region.query<{ gbid: string }>(listed, [deviceId, most])).map(({ gbid }) => gbid);
  }

  /** False if the device would have more than `most`. */
  async request(deviceId: bigint, channels: readonly string[], most: number): Promise<boolean> {
    const values = [deviceId, channels, channels.length, most];
    const wanting = this.#region.transaction((transaction) =>
      queryWithOwnerLock(transaction, deviceId, request, values),
    );
    const wanted = await faultOnForeignKey(wanting, () => new Fault('noSuchDevice'));
    return wanted.length === channels.length;
  }

  async cancel(deviceId: bigint, channels: readonly string[] | undefined, on: Queryable = this.#region) {
    await on.query(cancel, [deviceId, channels ?? null]);
  }

  /** For the devices registered at a port. */
  requests(lease: string, most: number): Promise<MediaRequestRow[]> {
    return this.#region.query<MediaRequestRow>(requests, [lease, most]);
  }

  async saveStates(on: Queryable, states: readonly SavedMediaState[]): Promise<void> {
    await on.query(saveStates, [
      states.map(({ deviceId }) => deviceId),
      states.map(({ channel }) => channel),
      states.map(({ state }) => state),
      states.map(({ reason }) => reason),
      states.map(({ dialog }) => (dialog === undefined ? null : JSON.stringify(dialog))),
    ]);
  }

  /** Those that are no longer wanted. */
  async forget(
    on: Queryable,
    ended: readonly { readonly deviceId: bigint; readonly channel: string }[],
  ): Promise<void> {
    await on.query(forget, [ended.map(({ deviceId }) => deviceId), ended.map(({ channel }) => channel)]);
  }
}

/** The name of a channel's stream in its device's namespace: a camera's own channel is named after the camera. */
export function streamIdOf(gbid: string, channel: string): string {
  return channel === '' ? gbid : `${gbid}_${channel}`;
}

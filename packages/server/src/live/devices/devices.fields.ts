/** Fields of a device as received, and the device and its channels as shown. The password is never shown again. */
import { randomInt } from 'node:crypto';
import type { WireRecord } from '@millpond/protocol';
import { unixSeconds } from '../../platform/web/index.ts';
import {
  integerField,
  patternField,
  stringField,
  type ValuesOf,
} from '../../platform/web/resources/index.ts';
import type { ChannelRow, DeviceRow } from './devices.rows.ts';

const GBID = /^\d{20}$/;
const USERNAME = /^[A-Za-z0-9_.-]{4,40}$/;
/** Characters that a camera's menu lets a user type, and that every camera encodes alike. */
const PASSWORD = /^[\x21-\x7e]{4,40}$/;

/** Fields that can be changed. */
export const deviceFields = {
  name: stringField(255),
  desc: stringField(1000),
  type: integerField<1 | 2>(1, 2, 1),
  username: patternField(USERNAME, '4 to 40 letters, digits, - _ and .'),
  password: patternField(PASSWORD, '4 to 40 visible ASCII characters'),
};
/** A new device may also specify its id. */
export const newDeviceFields = { ...deviceFields, gbId: patternField(GBID, '20 digits') };
export type DeviceValues = ValuesOf<typeof deviceFields>;
export type NewDeviceValues = ValuesOf<typeof newDeviceFields>;

export function isGbid(given: string): boolean {
  return GBID.test(given);
}

/** Digits 11 to 13 give the type: a network camera, or a platform. */
const TYPE_CODES: Readonly<Record<number, string>> = { 1: '132', 2: '200' };

export function newGbid(serverId: string, type: number): string {
  const serial = String(randomInt(10_000_000)).padStart(7, '0');
  return `${serverId.slice(0, 10)}${TYPE_CODES[type] ?? '132'}${serial}`;
}

export function deviceJson(row: DeviceRow): WireRecord<'Device'> {
  return {
    nsId: row.ns_id,
    nsName: row.ns_name,
    name: row.name,
    gbId: row.gbid,
    type: row.kind,
    username: row.username,
    pullIfRegister: false,
    desc: row.description,
    state: stateOf(row),
    channels: Number(row.channels),
    media: {
      wanted: Number(row.media_wanted),
      running: Number(row.media_running),
      reason: row.media_reason,
    },
    vendor: row.user_agent,
    createdAt: unixSeconds(row.created_at),
    updatedAt: unixSeconds(row.updated_at),
    lastRegisterAt: secondsOrZero(row.registered_at),
    lastKeepaliveAt: secondsOrZero(row.seen_at),
  };
}

export function channelJson(row: ChannelRow): WireRecord<'Channel'> {
  return {
    gbId: row.gbid,
    name: row.name,
    state: row.is_online ? 'online' : 'offline',
    vendor: row.vendor,
    lastSyncAt: unixSeconds(row.synced_at),
    media: {
      wanted: row.media_wanted,
      state: row.media_state,
      reason: row.media_reason,
      streamId: row.stream_id,
    },
  };
}

function stateOf({ is_online, registered_at }: DeviceRow): WireRecord<'Device'>['state'] {
  if (is_online) return 'online';
  return registered_at === null ? 'notReg' : 'offline';
}

function secondsOrZero(at: Date | null): number {
  return at === null ? 0 : unixSeconds(at);
}

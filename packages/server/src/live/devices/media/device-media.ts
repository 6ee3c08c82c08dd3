/**
 * Which media accounts want. It is only recorded here: the process that owns the device's port asks the device, and keeps
 * asking as long as they are wanted.
 */
import { Fault } from '@millpond/protocol';
import { invalidField } from '../../../platform/web/resources/index.ts';
import type { Feeds } from '../../streams/index.ts';
import { isGbid } from '../devices.fields.ts';
import type { Devices } from '../devices.ts';
import { type MediaStore, streamIdOf } from './device-media.store.ts';

export interface DeviceMediaDeps {
  readonly devices: Devices;
  readonly store: MediaStore;
  readonly feeds: Feeds;
  /** Whether this installation receives media. */
  readonly isOn: boolean;
}

/** Per call, and per device. */
const MAX_CHANNELS = 200;

export class DeviceMedia {
  readonly #deps: DeviceMediaDeps;

  constructor(deps: DeviceMediaDeps) {
    this.#deps = deps;
  }

  /** Without channels: a camera itself, or all cameras that a platform has listed. */
  async start(uid: bigint, nsId: string, gbid: string, given: readonly string[]): Promise<void> {
    const { store, feeds } = this.#deps;
    const device = await this.#device(uid, nsId, gbid);
    const id = device.device_id;
    const isAll = given.length === 0;
    const asked = isAll && device.kind === 2 ? await store.listed(id, MAX_CHANNELS + 1) : given;
    if (asked.length > MAX_CHANNELS)
      throw invalidField(`it has more than ${MAX_CHANNELS} channels: name them`);
    if (isAll && device.kind === 2 && asked.length === 0)
      throw invalidField('the device has listed no cameras');
    const channels = isAll && device.kind === 1 ? [''] : await this.#resolved(id, asked);
    await feeds.make(
      nsId,
      channels.map((channel) => streamIdOf(gbid, channel)),
    );
    if (!(await store.request(id, channels, MAX_CHANNELS)))
      throw invalidField(`give at most ${MAX_CHANNELS} channels of a device`);
  }

  /** Without channels: all that are wanted of it. */
  async stop(uid: bigint, nsId: string, gbid: string, given: readonly string[]): Promise<void> {
    const { store } = this.#deps;
    const { device_id: id } = await this.#device(uid, nsId, gbid);
    if (given.length === 0) await store.cancel(id, undefined);
    // Includes channels that the device no longer lists.
    else await store.cancel(id, [...(await store.resolve(id, given, true)).values()]);
  }

  async #device(uid: bigint, nsId: string, gbid: string) {
    const device = await this.#deps.devices.owned(uid, nsId, gbid);
    if (!this.#deps.isOn)
      throw new Fault('noMediaOfDevices', {
        hint: 'devices are registered and their state is reported; their video needs the setting MILLPOND_SIP_MEDIA_PORTS',
      });
    return device;
  }

  async #resolved(id: bigint, asked: readonly string[]): Promise<string[]> {
    const found = await this.#deps.store.resolve(id, asked, false);
    if (asked.some((channel) => !found.has(channel))) throw new Fault('noSuchChannel');
    return [...new Set(found.values())];
  }
}

export function readChannels(body: Readonly<Record<string, unknown>>): string[] {
  const { channels = [] } = body;
  if (!Array.isArray(channels) || channels.length > MAX_CHANNELS)
    throw invalidField(`channels must be a list of at most ${MAX_CHANNELS} ids`);
  if (!channels.every((each): each is string => typeof each === 'string' && isGbid(each)))
    throw invalidField('a channel must be 20 digits');
  return [...new Set(channels)];
}

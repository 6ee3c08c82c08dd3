/**
 * Devices of a namespace as their account manages them. When a device is removed, what was reported online is reported
 * offline, and the streams that its media were end.
 */
import { Fault } from '@millpond/protocol';
import type { Transaction } from '../../platform/db/database.ts';
import { invalidField, type ListQuery, type Page } from '../../platform/web/resources/index.ts';
import type { Feeds, LiveEvents, Namespaces } from '../streams/index.ts';
import type { DeviceFilter, DeviceStore } from './device.store.ts';
import { type DeviceValues, isGbid, type NewDeviceValues, newGbid } from './devices.fields.ts';
import type { DevicePasswords } from './devices.passwords.ts';
import type { ChannelRow, DeviceRow } from './devices.rows.ts';
import type { MediaStore } from './media/device-media.store.ts';

const MAX_DEVICES = 100_000;

type Namespace = Awaited<ReturnType<Namespaces['owned']>>;

export interface DeviceDeps {
  readonly store: DeviceStore;
  readonly media: MediaStore;
  readonly feeds: Pick<Feeds, 'end'>;
  readonly passwords: DevicePasswords;
  readonly namespaces: Namespaces;
  readonly events: LiveEvents;
  /** Our own id; the ids of new devices begin like it. */
  readonly serverId: string;
}

export class Devices {
  readonly #deps: DeviceDeps;

  constructor(deps: DeviceDeps) {
    this.#deps = deps;
  }

  async create(uid: bigint, nsId: string, given: NewDeviceValues): Promise<DeviceRow> {
    const { store, passwords, serverId } = this.#deps;
    const namespace = await this.#deps.namespaces.owned(uid, nsId);
    if (namespace.access_type !== 'gb28181')
      throw invalidField('devices belong in a namespace of type gb28181');
    if (given.password === '') throw invalidField('password is required');
    const gbId = given.gbId === '' ? newGbid(serverId, given.type) : given.gbId;
    const device = { ...given, gbId, username: given.username === '' ? gbId : given.username };
    const sealed = passwords.seal(nsId, gbId, given.password);
    if (!(await store.insert(nsId, device, sealed, MAX_DEVICES)))
      throw new Fault('deviceExists', {
        hint: 'another device of this account has this id here, or this id and user name elsewhere, or there are too many devices',
      });
    return this.#find(nsId, gbId);
  }

  async page(uid: bigint, nsId: string, query: ListQuery, filter: DeviceFilter): Promise<Page<DeviceRow>> {
    await this.#deps.namespaces.owned(uid, nsId);
    return this.#deps.store.page(nsId, query, filter);
  }

  async owned(uid: bigint, nsId: string, gbid: string): Promise<DeviceRow> {
    await this.#deps.namespaces.owned(uid, nsId);
    return this.#find(nsId, gbid);
  }

  /** A current registration stays valid with the old password; the next one needs the new. */
  async change(uid: bigint, nsId: string, gbid: string, change: Partial<DeviceValues>): Promise<DeviceRow> {
    const { store, passwords } = this.#deps;
    const { device_id: id } = await this.owned(uid, nsId, gbid);
    if (change.password === '') throw invalidField('password is required');
    const password = change.password === undefined ? undefined : passwords.seal(nsId, gbid, change.password);
    const username = change.username === '' ? gbid : change.username;
    const values = username === undefined ? change : { ...change, username };
    if (!(await store.update(id, values, password)))
      throw new Fault('deviceExists', { hint: 'another device of this account has this id and user name' });
    return this.#find(nsId, gbid);
  }

  async remove(uid: bigint, nsId: string, gbid: string): Promise<void> {
    const namespace = await this.#deps.namespaces.owned(uid, nsId);
    const { store } = this.#deps;
    await store.transaction(async (transaction) => {
      const id = isGbid(gbid) ? await store.lock(transaction, nsId, gbid) : undefined;
      if (id === undefined) throw new Fault('noSuchDevice');
      const told = await store.delete(transaction, id);
      await this.#deps.feeds.end(transaction, nsId, gbid);
      await this.#tellOffline(transaction, namespace, gbid, told);
    });
  }

  /** Its channels arrive a moment later, when the process that owns its port asks it. */
  async fetchCatalog(uid: bigint, nsId: string, gbid: string): Promise<void> {
    await this.owned(uid, nsId, gbid);
    if (!(await this.#deps.store.askCatalog(nsId, gbid))) throw new Fault('deviceOffline');
  }

  async channels(
    uid: bigint,
    nsId: string,
    gbid: string,
    query: ListQuery,
    prefix: string,
  ): Promise<Page<ChannelRow> & { readonly online: number }> {
    const device = await this.owned(uid, nsId, gbid);
    return this.#deps.store.channels(device.device_id, query, prefix);
  }

  async channel(uid: bigint, nsId: string, gbid: string, channel: string): Promise<ChannelRow> {
    const device = await this.owned(uid, nsId, gbid);
    const row = isGbid(channel) ? await this.#deps.store.channel(device.device_id, channel) : undefined;
    if (row === undefined) throw new Fault('noSuchChannel');
    return row;
  }

  /** The channel comes back if the device lists it again. */
  async removeChannel(uid: bigint, nsId: string, gbid: string, channel: string): Promise<void> {
    const namespace = await this.#deps.namespaces.owned(uid, nsId);
    const { store } = this.#deps;
    await store.transaction(async (transaction) => {
      const id = isGbid(gbid) ? await store.lock(transaction, nsId, gbid) : undefined;
      if (id === undefined) throw new Fault('noSuchDevice');
      const gone = isGbid(channel) ? await store.deleteChannel(transaction, id, channel) : undefined;
      if (gone === undefined) throw new Fault('noSuchChannel');
      await this.#deps.media.cancel(id, [channel], transaction);
      await this.#tellOffline(transaction, namespace, gbid, gone.is_online ? [channel] : []);
    });
  }

  #tellOffline(
    transaction: Transaction,
    namespace: Namespace,
    gbid: string,
    told: readonly string[],
  ): Promise<void> {
    const at = new Date();
    const news = told.map((chGbid) => ({
      namespace,
      at,
      event: { type: 'device', gbid, chGbid, deviceState: 'offline' } as const,
    }));
    return this.#deps.events.enqueueAll(transaction, news);
  }

  async #find(nsId: string, gbid: string): Promise<DeviceRow> {
    const row = isGbid(gbid) ? await this.#deps.store.find(nsId, gbid) : undefined;
    if (row === undefined) throw new Fault('noSuchDevice');
    return row;
  }
}

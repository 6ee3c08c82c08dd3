/** Cameras and platforms of a namespace that register by SIP, and their channels. */
import { type Caller, type CallOptions, queryText } from '../caller.ts';
import { pathOf } from '../paths.ts';
import type { ChannelRecord, DeviceFields, DeviceRecord } from '../records.ts';
import { type FieldChanges, type ListPage, LiveCalls, type PageOptions } from './calls.ts';

export interface DeviceFilter extends CallOptions {
  readonly prefix?: string | undefined;
  readonly state?: DeviceRecord['state'] | undefined;
  readonly type?: 'camera' | 'platform' | undefined;
}

export interface ChannelCounts {
  readonly onlineCount: number;
  readonly offlineCount: number;
  readonly total: number;
}

const TYPES = { camera: 1, platform: 2 } as const;

export class Devices {
  readonly #calls: LiveCalls;
  readonly #path: string;

  constructor(caller: Caller, namespaceId: string) {
    this.#calls = new LiveCalls(caller);
    this.#path = pathOf`/v1/namespaces/${namespaceId}/devices`;
  }

  create(fields: DeviceFields, options?: CallOptions): Promise<DeviceRecord> {
    return this.#calls.post(this.#path, fields, options);
  }

  list({ type, prefix, state, ...options }: DeviceFilter = {}): AsyncGenerator<DeviceRecord, void> {
    const qtype = type === undefined ? undefined : TYPES[type];
    return this.#calls.list(this.#path, { prefix, state, qtype }, options);
  }

  /** A page of the same. */
  page({
    type,
    prefix,
    state,
    ...options
  }: DeviceFilter & PageOptions = {}): Promise<ListPage<DeviceRecord>> {
    const qtype = type === undefined ? undefined : TYPES[type];
    return this.#calls.page(this.#path, { prefix, state, qtype }, options);
  }

  get(gbId: string, options?: CallOptions): Promise<DeviceRecord> {
    return this.#calls.get(this.#of(gbId), options);
  }

  change(gbId: string, fields: FieldChanges<DeviceFields>, options?: CallOptions): Promise<DeviceRecord> {
    return this.#calls.change(this.#of(gbId), fields, options);
  }

  remove(gbId: string, options?: CallOptions): Promise<void> {
    return this.#calls.remove(this.#of(gbId), options);
  }

  /** Asks the device for its channels, which arrive a moment later. */
  fetchCatalog(gbId: string, options?: CallOptions): Promise<void> {
    return this.#calls.postEmpty(`${this.#of(gbId)}/catalog/fetch`, options);
  }

  /**
   * Requests its video from now on: of these channels, or else of the camera itself or of all channels that a
   * platform lists.
   */
  start(gbId: string, options: CallOptions & { channels?: readonly string[] } = {}): Promise<void> {
    const { channels = [], ...rest } = options;
    return this.#calls.postEmpty(`${this.#of(gbId)}/start`, rest, { channels });
  }

  /** Stops these channels, or else all. */
  stop(gbId: string, options: CallOptions & { channels?: readonly string[] } = {}): Promise<void> {
    const { channels = [], ...rest } = options;
    return this.#calls.postEmpty(`${this.#of(gbId)}/stop`, rest, { channels });
  }

  channels(gbId: string, options?: CallOptions & { prefix?: string }): AsyncGenerator<ChannelRecord, void> {
    const { prefix, signal } = options ?? {};
    return this.#calls.list(`${this.#of(gbId)}/channels`, { prefix }, { signal });
  }

  /** A page of the same, and how many of all are on. */
  async channelsPage(
    gbId: string,
    { prefix, ...options }: PageOptions & { prefix?: string | undefined } = {},
  ): Promise<ListPage<ChannelRecord> & ChannelCounts> {
    const page = await this.#calls.page<ChannelRecord>(`${this.#of(gbId)}/channels`, { prefix }, options);
    return page as ListPage<ChannelRecord> & ChannelCounts;
  }

  async channelCounts(gbId: string, options?: CallOptions): Promise<ChannelCounts> {
    const target = `${this.#of(gbId)}/channels${queryText({ line: 1 })}`;
    const { onlineCount, offlineCount, total } = await this.#calls.get<ChannelCounts>(target, options);
    return { onlineCount, offlineCount, total };
  }

  channel(gbId: string, channelId: string, options?: CallOptions): Promise<ChannelRecord> {
    return this.#calls.get(this.#of(gbId) + pathOf`/channels/${channelId}`, options);
  }

  /** Until the device lists it again. */
  removeChannel(gbId: string, channelId: string, options?: CallOptions): Promise<void> {
    return this.#calls.remove(this.#of(gbId) + pathOf`/channels/${channelId}`, options);
  }

  #of(gbId: string): string {
    return this.#path + pathOf`/${gbId}`;
  }
}

/** Streams of a namespace: their keys and addresses, their recordings and snapshots. */
import { type Caller, type CallOptions, queryText } from '../caller.ts';
import { pathOf } from '../paths.ts';
import type {
  PublishRecord,
  RecordingRecord,
  SnapshotRecord,
  StreamFields,
  StreamFigures,
  StreamRecord,
  StreamUrls,
} from '../records.ts';
import {
  type FieldChanges,
  type ListPage,
  LiveCalls,
  type PageOptions,
  type RangePageOptions,
  type TimeRange,
} from './calls.ts';

export interface StreamFilter extends CallOptions {
  readonly prefix?: string | undefined;
  readonly state?: 'online' | 'offline' | undefined;
}

const STATES = { online: 1, offline: 2 } as const;

export class Streams {
  readonly #caller: Caller;
  readonly #calls: LiveCalls;
  readonly #path: string;

  constructor(caller: Caller, namespaceId: string) {
    this.#caller = caller;
    this.#calls = new LiveCalls(caller);
    this.#path = pathOf`/v1/namespaces/${namespaceId}/streams`;
  }

  create(fields: StreamFields, options?: CallOptions): Promise<StreamRecord> {
    return this.#calls.post(this.#path, fields, options);
  }

  list({ state, prefix, ...options }: StreamFilter = {}): AsyncGenerator<StreamRecord, void> {
    return this.#calls.list(
      this.#path,
      { prefix, qtype: state === undefined ? undefined : STATES[state] },
      options,
    );
  }

  /** A page of the same. */
  page({ state, prefix, ...options }: StreamFilter & PageOptions = {}): Promise<ListPage<StreamRecord>> {
    const qtype = state === undefined ? undefined : STATES[state];
    return this.#calls.page(this.#path, { prefix, qtype }, options);
  }

  /** With its key. */
  get(streamId: string, options?: CallOptions): Promise<StreamRecord> {
    return this.#calls.get(this.#of(streamId), options);
  }

  change(
    streamId: string,
    fields: FieldChanges<Omit<StreamFields, 'streamId'>>,
    options?: CallOptions,
  ): Promise<StreamRecord> {
    return this.#calls.change(this.#of(streamId), fields, options);
  }

  remove(streamId: string, options?: CallOptions): Promise<void> {
    return this.#calls.remove(this.#of(streamId), options);
  }

  enable(streamId: string, options?: CallOptions): Promise<void> {
    return this.#calls.postEmpty(`${this.#of(streamId)}/enabled`, options);
  }

  /** Disconnects its publisher and accepts no more. */
  disable(streamId: string, options?: CallOptions): Promise<void> {
    return this.#calls.postEmpty(`${this.#of(streamId)}/disabled`, options);
  }

  /** Disconnects its publisher, which may reconnect. */
  stop(streamId: string, options?: CallOptions): Promise<void> {
    return this.#calls.postEmpty(`${this.#of(streamId)}/stop`, options);
  }

  /** Returns the new key. The old one is no longer valid. */
  async changeKey(streamId: string, options?: CallOptions): Promise<string> {
    return (await this.#calls.post<{ key: string }>(`${this.#of(streamId)}/key`, {}, options)).key;
  }

  /** Where it is published and played; `expires` in seconds, by default an hour. */
  urls(
    streamId: string,
    { expires, ...options }: CallOptions & { expires?: number } = {},
  ): Promise<StreamUrls> {
    const fields = expires === undefined ? {} : { urlExpireSec: expires };
    return this.#calls.post(`${this.#of(streamId)}/urls`, fields, options);
  }

  /** Who published it, newest first. */
  async publishers(streamId: string, options?: CallOptions): Promise<readonly PublishRecord[]> {
    const target = `${this.#of(streamId)}/pubhistories${queryText({ line: 1000 })}`;
    return (await this.#calls.get<{ items: PublishRecord[] }>(target, options)).items;
  }

  /** What comes in from the publisher, now and by minute for an hour. */
  figures(streamId: string, options?: CallOptions): Promise<StreamFigures> {
    return this.#calls.get(`${this.#of(streamId)}/figures`, options);
  }

  startRecording(streamId: string, options?: CallOptions): Promise<void> {
    return this.#calls.postEmpty(`${this.#of(streamId)}/record/start`, options);
  }

  stopRecording(streamId: string, options?: CallOptions): Promise<void> {
    return this.#calls.postEmpty(`${this.#of(streamId)}/record/stop`, options);
  }

  recordings(streamId: string, time: TimeRange = {}): AsyncGenerator<RecordingRecord, void> {
    return this.#calls.range(`${this.#of(streamId)}/recordhistories`, time);
  }

  recordingsPage(
    streamId: string,
    page: RangePageOptions = {},
  ): Promise<{ items: RecordingRecord[]; marker?: string }> {
    return this.#calls.rangePage(`${this.#of(streamId)}/recordhistories`, page);
  }

  removeRecordings(streamId: string, files: readonly string[], options?: CallOptions): Promise<void> {
    return this.#calls.remove(`${this.#of(streamId)}/recordhistories`, { ...options, json: { files } });
  }

  /** A playlist of what was recorded in a time range. */
  async playback(
    streamId: string,
    time: Required<Pick<TimeRange, 'start' | 'end'>> & CallOptions,
  ): Promise<string> {
    const { signal, ...range } = time;
    const target = `${this.#of(streamId)}/records/playback.m3u8${queryText(range)}`;
    return (await this.#caller.open({ role: 'live', method: 'GET', target, signal })).text();
  }

  /** Returns the key it will have; its event tells whether it succeeded. */
  async takeSnapshot(streamId: string, options?: CallOptions): Promise<string> {
    return (await this.#calls.post<{ fname: string }>(`${this.#of(streamId)}/snap`, {}, options)).fname;
  }

  snapshots(streamId: string, time: TimeRange = {}): AsyncGenerator<SnapshotRecord, void> {
    return this.#calls.range(`${this.#of(streamId)}/snapshots`, time);
  }

  snapshotsPage(
    streamId: string,
    page: RangePageOptions = {},
  ): Promise<{ items: SnapshotRecord[]; marker?: string }> {
    return this.#calls.rangePage(`${this.#of(streamId)}/snapshots`, page);
  }

  removeSnapshots(streamId: string, files: readonly string[], options?: CallOptions): Promise<void> {
    return this.#calls.remove(`${this.#of(streamId)}/snapshots`, { ...options, json: { files } });
  }

  #of(streamId: string): string {
    return this.#path + pathOf`/${streamId}`;
  }
}

/**
 * Requests by bucket, counted in memory and flushed to the database every few seconds, so that a request costs only an
 * addition. A killed process loses what it had not flushed: seconds of counts, never objects.
 */
import type { Log } from '@millpond/base';
import { isSqlState } from '../../platform/db/sqlstate.ts';
import type { Bucket } from '../buckets/index.ts';
import type { RequestCount, UsageStore } from './usage.store.ts';

export type RequestKind = 'calls' | 'downloads';

const FLUSH_MS = 5_000;
/** Buckets for which counts are held; beyond this they are flushed at once. */
const MAX_BUFFERED = 10_000;

export class RequestCounter {
  readonly #store: UsageStore;
  readonly #log: Log;
  #held = new Map<bigint, RequestCount>();
  #flushing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: UsageStore, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  count({ id, uid }: Pick<Bucket, 'id' | 'uid'>, kind: RequestKind): void {
    const isCall = kind === 'calls' ? 1 : 0;
    this.#add({ uid, bucketId: id, calls: isCall, downloads: 1 - isCall });
    if (this.#held.size >= MAX_BUFFERED) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  #add({ uid, bucketId, calls, downloads }: RequestCount): void {
    const held = this.#held.get(bucketId) ?? { calls: 0, downloads: 0 };
    this.#held.set(bucketId, {
      uid,
      bucketId,
      calls: held.calls + calls,
      downloads: held.downloads + downloads,
    });
  }

  /** One at a time; counts that arrive during a flush go with the next. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#flushing !== undefined) await this.#flushing;
    if (this.#held.size === 0) return;
    this.#flushing = this.#handOver().finally(() => {
      this.#flushing = undefined;
    });
    await this.#flushing;
  }

  async #handOver(): Promise<void> {
    const counts = this.#held;
    this.#held = new Map();
    try {
      await this.#store.addRequests([...counts.values()]);
    } catch (error) {
      if (isSqlState(error, 'notConnected') && this.#held.size + counts.size <= MAX_BUFFERED) {
        // They were never sent. Those of a longer outage go when their buckets become too many.
        for (const count of counts.values()) this.#add(count);
        this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
        return;
      }
      // It is unknown whether they were added; counting them once too few is better than once too many.
      this.#log.warn({ buckets: counts.size, error: String(error) }, 'request counts lost');
    }
  }
}

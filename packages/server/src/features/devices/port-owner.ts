/**
 * Owns a SIP port, or waits for it: at every moment at most one process speaks at it. An owner that can not renew its lease
 * in time stops before the lease ends, whatever it was doing, and begins to wait again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../platform/log.ts';
import type { OwnedPort, PortStore } from './port-store.ts';

export interface PortOwnerOptions {
  readonly name: string;
  readonly leaseMs?: number;
  /** Begins to work; the promise ends with it, at the latest when the signal says so. */
  readonly serve: (port: OwnedPort, signal: AbortSignal) => Promise<void>;
}

/** A crashed owner's cameras wait so long for another. */
const LEASE_MS = 10_000;
const RENEWALS_PER_LEASE = 5;

export class PortOwner {
  readonly #store: PortStore;
  readonly #log: Log;
  readonly #options: Required<PortOwnerOptions>;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;

  constructor(store: PortStore, log: Log, options: PortOwnerOptions) {
    this.#store = store;
    this.#log = log;
    this.#options = { leaseMs: LEASE_MS, ...options };
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { name, leaseMs } = this.#options;
    const { signal } = this.#stopping;
    const pause = leaseMs / (2 * RENEWALS_PER_LEASE);
    while (!signal.aborted) {
      const asked = performance.now();
      try {
        const port = await this.#store.claim(name, leaseMs);
        if (port !== undefined) await this.#own(port, asked);
      } catch (error) {
        this.#log.warn({ port: name, error: (error as Error).message }, 'SIP port not served');
      }
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  async #own(port: OwnedPort, claimedAt: number): Promise<void> {
    this.#log.info({ port: port.name }, 'SIP port owned');
    const lost = new AbortController();
    const signal = AbortSignal.any([lost.signal, this.#stopping.signal]);
    const renewing = this.#renew(port, claimedAt, lost, signal);
    try {
      await this.#options.serve(port, signal);
    } finally {
      const isLost = lost.signal.aborted;
      lost.abort();
      await renewing;
      if (isLost) this.#log.warn({ port: port.name }, 'SIP port lost');
      else await this.#store.release(port).catch(() => undefined);
    }
  }

  async #renew(port: OwnedPort, claimedAt: number, lost: AbortController, ended: AbortSignal): Promise<void> {
    const { leaseMs } = this.#options;
    const every = leaseMs / RENEWALS_PER_LEASE;
    // As of when it was asked for, so that the lease never ends before we think so.
    let renewedAt = claimedAt;
    const watch = setInterval(() => {
      if (performance.now() - renewedAt > leaseMs - every) lost.abort();
    }, every / 4);
    while (!ended.aborted) {
      await sleep(every, undefined, { signal: ended }).catch(() => undefined);
      if (ended.aborted) break;
      const asked = performance.now();
      try {
        if (await this.#store.renew(port, leaseMs)) renewedAt = asked;
        else lost.abort();
      } catch {
        // The watch ends it when there is no more time to try.
      }
    }
    clearInterval(watch);
  }
}

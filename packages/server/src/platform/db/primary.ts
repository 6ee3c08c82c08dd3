/** If it fails, all hosts are probed until callers time out; nothing was sent, so waiting is safe. */
import { setTimeout as sleep } from 'node:timers/promises';
import { errorReason } from '@millpond/base';
import type { Host } from './db.hosts.ts';
import { isTransient, StandbyError } from './sqlstate.ts';

/** How long one of several hosts may take to answer. */
export const HOST_TIMEOUT_MS = 2_000;
const PAUSE_MS = 100;

/** A connection, as far as its host matters. */
export interface HostConnection {
  /** The position of its host. */
  readonly at: number;
  drop(): void;
}

/** Connects to a host and leaves again; throws if it can't be reached or takes no writes. */
export type ProbeHost = (host: Host) => Promise<void>;

export class Primary {
  readonly hosts: readonly Host[];
  readonly #ask: ProbeHost;
  readonly #hostTimeoutMs: number;
  readonly #connections = new Set<HostConnection>();
  readonly #reasons: unknown[];
  #at: number | undefined = 0;
  #search: Promise<void> | undefined;
  #losses = 0;
  /** When the last of those who wait gives up. */
  #until = 0;

  constructor(hosts: readonly Host[], ask: ProbeHost, hostTimeoutMs = HOST_TIMEOUT_MS) {
    this.hosts = hosts;
    this.#ask = ask;
    this.#hostTimeoutMs = hostTimeoutMs;
    this.#reasons = this.hosts.map(() => undefined);
  }

  /** The position of the host to connect to; undefined while none is known. */
  get at(): number | undefined {
    return this.#at;
  }

  get hasSeveralHosts(): boolean {
    return this.hosts.length > 1;
  }

  /** How often the known host has failed. */
  get losses(): number {
    return this.#losses;
  }

  add(connection: HostConnection): void {
    this.#connections.add(connection);
  }

  remove(connection: HostConnection): void {
    this.#connections.delete(connection);
  }

  /** The host at this position failed: the next who needs a connection looks for one that does not. */
  lost(at: number, reason: unknown): void {
    this.#reasons[at] = reason;
    this.#losses++;
    if (this.#at === at) this.#at = undefined;
  }

  /** Resolves when a host is known. Each is asked at least once before this gives up. */
  async find(until: number): Promise<void> {
    if (this.#at !== undefined) return;
    this.#until = Math.max(this.#until, until);
    this.#search ??= this.#look().finally(() => {
      this.#search = undefined;
    });
    const patience = Math.max(until - performance.now(), this.#hostTimeoutMs + PAUSE_MS);
    const giveUp = new AbortController();
    const tooLate = sleep(patience, undefined, { signal: giveUp.signal }).then(() => {
      throw this.#noPrimary();
    });
    try {
      await Promise.race([this.#search, tooLate]);
    } finally {
      giveUp.abort();
      tooLate.catch(() => undefined);
    }
  }

  /** Ends as a whole: if the questions to one host ended before those to another, nobody would ask it again. */
  #look(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const unasked = new Set(this.hosts);
    const hopeful = new Set(this.hosts);
    let isOver = false;
    const keepAsking = async (host: Host, at: number): Promise<void> => {
      while (!isOver && hopeful.has(host)) {
        const reason = await this.#ask(host).then(
          () => undefined,
          (error: unknown) => error ?? new Error('unknown'),
        );
        if (isOver) return;
        if (reason === undefined) {
          isOver = true;
          this.#found(at);
          return resolve();
        }
        this.#reasons[at] = reason;
        unasked.delete(host);
        if (!isTransient(reason)) hopeful.delete(host);
        if (hopeful.size === 0 || (unasked.size === 0 && performance.now() >= this.#until)) {
          isOver = true;
          return reject(this.#noPrimary() as Error);
        }
        await sleep(PAUSE_MS);
      }
    };
    for (const [at, host] of this.hosts.entries()) void keepAsking(host, at);
    return promise;
  }

  #found(at: number): void {
    if (this.#at !== undefined) return;
    this.#at = at;
    // What is under way there would wait for an answer that may never come.
    for (const connection of Array.from(this.#connections)) if (connection.at !== at) connection.drop();
  }

  #noPrimary(): unknown {
    return this.hasSeveralHosts
      ? noPrimary(this.hosts, this.#reasons)
      : (this.#reasons[0] ?? new Error('the database does not answer'));
  }
}

/** What each host said. */
export function noPrimary(hosts: readonly Host[], reasons: readonly unknown[]): Error {
  const said = hosts.map(({ name }, at) => {
    const reason = reasons[at];
    return reason instanceof StandbyError
      ? reason.message
      : `${name}: ${reason === undefined ? 'no answer' : errorReason(reason)}`;
  });
  return new Error(`no host takes writes (${said.join('; ')})`);
}

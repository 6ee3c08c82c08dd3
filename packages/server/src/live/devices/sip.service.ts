/**
 * Serves one SIP port while this process owns it: first loads its registrations from the database, then answers devices,
 * and does everything that is time-driven once a second.
 */

import type { Log, Rate } from '@millpond/base';
import { openTransport, type Transport } from '@millpond/camera-wire';
import type { MediaEngine } from '@millpond/jail';
import type { AccountStates } from '../../identity/accounts/index.ts';
import type { LeaseStore } from '../../platform/leases/leases.store.ts';
import { type Lease, runWhileLeased } from '../../platform/leases/leases.ts';
import { abortableSleep } from '../../platform/sleep.ts';
import { MISSED_HEARTBEATS } from '../limits.ts';
import type { Feeds, LiveEvents } from '../streams/index.ts';
import { Authentication } from './authentication.ts';
import { CatalogQueries } from './catalog-queries.ts';
import { ChangeWriter } from './change-writer.ts';
import type { DevicePasswords } from './devices.passwords.ts';
import type { MediaStore } from './media/device-media.store.ts';
import { type MediaStats, NO_FIGURES } from './media/media-counts.ts';
import { MediaSessions, type MediaSessionsOptions } from './media/media-sessions.ts';
import { Registrar, type RegistrarCounts } from './registrar.ts';
import type { RegistrationStore } from './registration.store.ts';
import { Registrations } from './registrations.ts';
import { Upkeep } from './upkeep.ts';

export interface SipServiceDeps {
  readonly store: RegistrationStore;
  readonly accounts: AccountStates;
  readonly leases: LeaseStore;
  readonly passwords: DevicePasswords;
  readonly events: LiveEvents;
  readonly log: Log;
  readonly mediaStore: MediaStore;
  readonly feeds: Feeds;
  readonly media: () => Promise<MediaEngine>;
}

export interface SipServiceOptions {
  readonly address: string;
  readonly port: number;
  /** `host:port` at which devices reach us. */
  readonly publicHost: string;
  readonly serverId: string;
  readonly realm: string;
  readonly heartbeatMs: number;
  readonly minExpiresMs: number;
  readonly maxExpiresMs: number;
  readonly messagesPerAddress: Rate;
  readonly maxPending: number;
  readonly maxConnections: number;
  readonly connectionsPerAddress: number;
  readonly messagesPerConnection: Rate;
  readonly leaseMs: number;
  /** Undefined: devices are asked for no media. */
  readonly media: PortMediaOptions | undefined;
}

type PortMediaOptions = Omit<MediaSessionsOptions, 'serverId' | 'realm' | 'host' | 'address'>;

interface PortCounts {
  /** 0 or 1. */
  readonly listening: number;
  readonly registrations: number;
  readonly connections: number;
  readonly unreadable: number;
}

interface Now {
  readonly registrar: Registrar;
  readonly registrations: Registrations;
  readonly transport: Transport;
  readonly media: MediaSessions | undefined;
}

const TICK_MS = 1000;
/** A device's connection carries something at least once per heartbeat. */
const SILENT_HEARTBEATS = MISSED_HEARTBEATS + 1;
/** Time-driven changes and catalogs, in addition to the changes that devices wait for. */
const MAX_WAITING_CHANGES = 200_000;

export class SipService {
  readonly #deps: SipServiceDeps;
  readonly #options: SipServiceOptions;
  #now: Now | undefined;
  readonly #stopped = new AbortController();
  #running: Promise<void> | undefined;
  #unreadable = 0;

  constructor(deps: SipServiceDeps, options: SipServiceOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  /** Zeros if another process owns the port. */
  get counts(): RegistrarCounts & PortCounts {
    const none = { registered: 0, refused: 0, messages: 0, dropped: 0, pending: 0 };
    return {
      ...(this.#now?.registrar.counts ?? none),
      listening: this.#now === undefined ? 0 : 1,
      registrations: this.#now?.registrations.size ?? 0,
      connections: this.#now?.transport.connections ?? 0,
      unreadable: this.#unreadable,
    };
  }

  get mediaFigures(): MediaStats {
    return this.#now?.media?.counts.figures ?? NO_FIGURES;
  }

  /** Listens, or stands by: at most one of all processes with this address listens. */
  start(): void {
    const { leases: store, log } = this.#deps;
    const name = `sip ${this.#options.address}:${this.#options.port}`;
    const serve = (lease: Lease) => this.#serve(lease);
    this.#running ??= runWhileLeased({ store, log }, name, this.#options, this.#stopped.signal, serve);
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  async #serve(lease: Lease): Promise<void> {
    const { log } = this.#deps;
    const options = this.#options;
    const { signal } = lease;
    const registrations = new Registrations(options.heartbeatMs);
    const changes = new ChangeWriter(this.#deps, lease, registrations, MAX_WAITING_CHANGES);
    const catalogs = new CatalogQueries({
      serverId: options.serverId,
      realm: options.realm,
      host: options.publicHost,
    });
    const media =
      options.media &&
      new MediaSessions(
        { ...this.#deps, registrations, transactions: catalogs.transactions },
        { ...options, ...options.media, host: options.publicHost },
        lease,
      );
    const authentication = new Authentication(this.#deps, options.realm, options.maxPending);
    const registrar = new Registrar(
      { authentication, registrations, changes, catalogs, calls: media, log },
      options,
    );
    const upkeep = new Upkeep({ ...this.#deps, registrations, registrar, changes, catalogs }, lease);
    // Before any answer: a registered device must not be told that it isn't.
    await upkeep.load();
    const transport = await openTransport({
      ...options,
      idleMs: SILENT_HEARTBEATS * options.heartbeatMs,
      onMessage: (message, peer) => registrar.handle(message, peer),
      onUnreadable: () => {
        this.#unreadable += 1;
      },
      onDropped: () => registrar.tooMuch(),
      onFailure: (error) => registrar.failed(error),
    });
    upkeep.listening(transport);
    this.#now = { registrar, registrations, transport, media };
    const closed = new Promise<void>((resolve) => {
      // Immediately, whatever else is in progress: from here on another process may own the port.
      const close = () => {
        this.#now = undefined;
        media?.farewell();
        catalogs.transactions.close();
        // The last messages are sent before this turn of the event loop ends.
        setImmediate(() => void Promise.all([transport.close(), media?.close()]).then(() => resolve()));
      };
      if (signal.aborted) close();
      else signal.addEventListener('abort', close, { once: true });
    });
    try {
      while (!signal.aborted) {
        await upkeep.tick();
        await media?.tick();
        await abortableSleep(TICK_MS, signal);
      }
      await closed;
      await upkeep.last();
    } catch (error) {
      catalogs.transactions.close();
      await Promise.all([transport.close().catch(() => undefined), media?.close()]);
      throw error;
    } finally {
      this.#now = undefined;
    }
  }
}

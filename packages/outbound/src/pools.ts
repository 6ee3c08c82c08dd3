/**
 * Keep-alive connections by origin, all bounded: pools, connections in each, and requests that wait for one. Parties take turns at an
 * origin: whoever has many requests to a host that others use too never keeps theirs from it. If a new origin comes and there are too
 * many pools, the one that was idle longest is closed.
 */
import { FairSemaphore, TooManyWaitersError } from '@millpond/base';
import { type Dispatcher, Pool, ProxyAgent } from 'undici';
import type { AddressGuard } from './address.ts';
import { guardedConnector, renameResets } from './connector.ts';
import { OutboundError } from './faults.ts';
import type { Resolver } from './resolver.ts';

/** What connections must have in common to share a pool. */
export interface PoolKey {
  readonly origin: string;
  readonly serverName: string | undefined;
  readonly connectMs: number;
  readonly maxHeaderBytes: number;
}

export interface PoolOptions {
  readonly guard: AddressGuard;
  readonly resolve: Resolver;
  readonly certificateAuthority: string | undefined;
  readonly proxy: string | undefined;
  readonly connectionsPerOrigin: number;
  readonly waitingPerOrigin: number;
  readonly maxOrigins: number;
}

interface PoolEntry {
  readonly dispatcher: Dispatcher;
  readonly gate: FairSemaphore<bigint | undefined>;
  active: number;
}

export interface PoolLease {
  readonly dispatcher: Dispatcher;
  release(): void;
}

export interface Pools {
  /** Rejects with OutboundError 'connect' when everything is taken, 'aborted' after close, or with the signal's own. */
  lease(key: PoolKey, party: bigint | undefined, signal: AbortSignal): Promise<PoolLease>;
  /** Lets requests under way finish. */
  close(): Promise<void>;
}

export function createPools(options: PoolOptions): Pools {
  // A Map keeps insertion order: the most recently used entry is always the last.
  const entries = new Map<string, PoolEntry>();
  const closing = new Set<Promise<void>>();
  let closed = false;

  const dismiss = (name: string, entry: PoolEntry): void => {
    entries.delete(name);
    const ending = entry.dispatcher
      .close()
      .catch(() => undefined)
      .finally(() => closing.delete(ending));
    closing.add(ending);
  };

  const makeRoom = (): void => {
    if (entries.size < options.maxOrigins) return;
    for (const [name, entry] of entries)
      if (entry.active === 0) {
        dismiss(name, entry);
        return;
      }
    throw new OutboundError('connect', 'too many hosts at once');
  };

  return {
    async lease(key, party, signal) {
      if (closed) throw new OutboundError('aborted', 'the client was closed');
      const name = JSON.stringify([key.origin, key.serverName, key.connectMs, key.maxHeaderBytes]);
      let entry = entries.get(name);
      if (entry === undefined) {
        makeRoom();
        entry = { dispatcher: createDispatcher(key, options), gate: newGate(options), active: 0 };
      } else entries.delete(name);
      entries.set(name, entry);
      entry.active += 1;
      const leased = entry;
      try {
        const leave = await leased.gate.enter(party, signal);
        const release = (): void => {
          leased.active -= 1;
          leave();
        };
        return { dispatcher: leased.dispatcher, release };
      } catch (error) {
        leased.active -= 1;
        if (!(error instanceof TooManyWaitersError)) throw error;
        throw new OutboundError('connect', 'too many requests to this host at once');
      }
    },

    async close() {
      closed = true;
      for (const [name, entry] of entries) dismiss(name, entry);
      await Promise.all(closing);
    },
  };
}

/** The last quarter of the connections is always for other parties: a host that hangs must not keep them waiting at all. */
function newGate({ connectionsPerOrigin, waitingPerOrigin }: PoolOptions): FairSemaphore<bigint | undefined> {
  const slotsEach = Math.ceil((3 * connectionsPerOrigin) / 4);
  return new FairSemaphore({
    slots: connectionsPerOrigin,
    slotsEach,
    slotsAlone: slotsEach,
    waiting: waitingPerOrigin,
  });
}

function createDispatcher(key: PoolKey, options: PoolOptions): Dispatcher {
  const { connectMs, maxHeaderBytes, serverName } = key;
  const { guard, resolve, certificateAuthority } = options;
  const common = {
    connections: options.connectionsPerOrigin,
    allowH2: false,
    maxHeaderSize: maxHeaderBytes,
    // The exchange has its own, exact ones.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveMaxTimeout: 60_000,
  };
  if (options.proxy === undefined)
    return new Pool(key.origin, {
      ...common,
      connect: guardedConnector({ guard, resolve, connectMs, serverName, certificateAuthority }),
    });
  return new ProxyAgent({
    ...common,
    uri: options.proxy,
    proxyTunnel: true,
    connectTimeout: connectMs,
    requestTls: {
      allowH2: false,
      timeout: connectMs,
      ...(serverName === undefined ? {} : { servername: serverName }),
      ...(certificateAuthority === undefined ? {} : { ca: certificateAuthority }),
    },
    clientFactory: (origin, settings) => new Pool(origin, { ...settings, headersTimeout: connectMs }),
    factory: (origin, settings: Pool.Options) =>
      new Pool(origin, { ...settings, connect: resetsRenamed(settings.connect) }),
  });
}

function resetsRenamed(connect: Pool.Options['connect']): NonNullable<Pool.Options['connect']> {
  if (typeof connect !== 'function') throw new TypeError('the tunnel has no connector');
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error === null) callback(null, renameResets(socket));
      else callback(error, null);
    });
}

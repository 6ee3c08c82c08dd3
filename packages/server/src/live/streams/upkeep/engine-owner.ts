/**
 * The background work of live. One process in the region owns each engine: it reconciles sessions with the engine, stores
 * recordings and takes snapshots. One process owns the clock of all streams: offline after the delay, snapshots by
 * interval, and the end of what belongs to abandoned engines.
 */
import type { Log } from '@millpond/base';
import type { LeaseStore } from '../../../platform/leases/leases.store.ts';
import { type Lease, LeaseLostError, runWhileLeased } from '../../../platform/leases/leases.ts';
import { abortableSleep } from '../../../platform/sleep.ts';
import { engineName } from '../engine-name.ts';
import { type Engine, OUTDATED_ENGINE } from '../engines/index.ts';
import type { Recordings } from '../recordings/recordings.ts';
import { emitOfflineEvents, type OfflineDeps } from '../sessions/offline.ts';
import { reconcile } from '../sessions/reconcile.ts';
import type { SessionStore } from '../sessions/stream-sessions.store.ts';
import type { Sessions } from '../sessions/stream-sessions.ts';
import type { Snapshots } from '../snapshots/snapshots.ts';
import type { IngestStore } from '../streams/ingest.store.ts';
import { IngestRecorder } from '../streams/ingest.ts';
import { endAbandonedEngines } from './abandoned-engines.ts';
import { engineLease } from './engine-lease.store.ts';

export interface OwnerDeps extends OfflineDeps {
  readonly leases: LeaseStore;
  readonly sessions: Sessions;
  readonly recordings: Recordings;
  readonly snapshots: Snapshots;
  readonly ingests: IngestStore;
  readonly engines: readonly Engine[];
  readonly log: Log;
}

export interface OwnerOptions {
  readonly leaseMs: number;
  readonly reconcileMs: number;
  readonly recordSlots: number;
  readonly snapSlots: number;
}

/** About an engine, since its owner began. */
interface EngineStatus {
  /** In a row. */
  refused: number;
  silent: number;
  isConfigurationKnown: boolean;
  readonly minutes: IngestRecorder;
}

interface SlotWork<Row> {
  /** Never returns a busy one. */
  claim(most: number, busy: readonly string[]): Promise<Row[]>;
  idOf(row: Row): string;
  process(row: Row): Promise<void>;
}

const CLOCK_LEASE = 'streams';
const CLOCK_MS = 50;
const SNAP_CLOCK_MS = 250;
const STARTING_CLOCK_MS = 500;
const ABANDONED_CLOCK_MS = 10_000;
/**
 * How many starting streams are looked at in a round. Chosen by chance, so that those that never start keep nobody else's from
 * being seen.
 */
const MAX_WAITING_FOR_START = 20;
const PLAYLIST = 'index.m3u8';
const WORK_MS = 250;
/** An engine whose address refuses connections is down; a silent one may be cut off by the network. */
const REFUSALS_BEFORE_GONE = 2;
const SILENCES_BEFORE_GONE = 6;

export class LiveOwner {
  readonly #deps: OwnerDeps;
  readonly #options: OwnerOptions;
  readonly #stopped = new AbortController();
  #running: Promise<unknown> | undefined;

  constructor(deps: OwnerDeps, options: OwnerOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  /** Does nothing if no engine is configured, unless the last one was removed from the settings and left streams online. */
  async #run(): Promise<void> {
    const { engines, leases, log, store } = this.#deps;
    const isAnyOnline = () =>
      store.isAnyOnline().catch((error: unknown) => {
        log.warn({ err: error }, 'could not find out whether any stream is online');
        return false;
      });
    if (engines.length === 0 && !(await isAnyOnline())) return;
    const own = (name: string, work: (lease: Lease) => Promise<void>) =>
      runWhileLeased({ store: leases, log }, name, this.#options, this.#stopped.signal, work);
    await Promise.all([
      own(CLOCK_LEASE, (lease) => this.#runClock(lease)),
      ...engines.map((engine) => own(engineLease(engine.id), (lease) => this.#runEngine(engine, lease))),
    ]);
  }

  async #runClock(lease: Lease): Promise<void> {
    const { snapshots } = this.#deps;
    await Promise.all([
      this.#repeat(lease, CLOCK_MS, async () => {
        await emitOfflineEvents(this.#deps, lease);
      }),
      this.#repeat(lease, SNAP_CLOCK_MS, () => snapshots.schedule(lease)),
      this.#repeat(lease, ABANDONED_CLOCK_MS, () => endAbandonedEngines(this.#deps, lease)),
    ]);
  }

  async #runEngine(engine: Engine, lease: Lease): Promise<void> {
    const { recordings, snapshots } = this.#deps;
    const { recordSlots, snapSlots, reconcileMs } = this.#options;
    await recordings.revive(engine.id, lease);
    const minutes = new IngestRecorder(this.#deps.ingests);
    const engineStatus: EngineStatus = { refused: 0, silent: 0, isConfigurationKnown: false, minutes };
    await Promise.all([
      this.#repeat(lease, reconcileMs, () => this.#reconcile(engine, lease, engineStatus)),
      this.#repeat(lease, STARTING_CLOCK_MS, () => noteStarted(this.#deps.store, engine, lease.signal)),
      this.#inSlots(lease, recordSlots, {
        claim: (most, busy) => recordings.claim(engine.id, most, busy, lease),
        idOf: (row) => row.record_id,
        process: (row) => recordings.process(row, lease),
      }),
      this.#inSlots(lease, snapSlots, {
        claim: (most, busy) => snapshots.claim(engine.id, most, busy, lease),
        idOf: (row) => row.snap_id,
        process: (row) => snapshots.process(row, lease),
      }),
    ]);
  }

  async #reconcile(engine: Engine, lease: Lease, engineStatus: EngineStatus): Promise<void> {
    const { store, sessions, recordings } = this.#deps;
    let published: ReadonlySet<string> = new Set();
    try {
      const state = await reconcile({ store, sessions }, engine, lease.signal);
      published = new Set(state.publishers.map(({ name }) => name));
      engineStatus.refused = engineStatus.silent = 0;
      await engineStatus.minutes.add(state);
      await this.#lookAtConfiguration(engine, engineStatus);
    } catch (error) {
      if (!isEngineAway(error)) throw error;
      if (isRefused(error)) engineStatus.refused++;
      else engineStatus.silent++;
      if (engineStatus.refused < REFUSALS_BEFORE_GONE && engineStatus.silent < SILENCES_BEFORE_GONE) return;
      // The engine can no longer report that they are gone.
      for (const session of await store.openOfEngine(engine.id)) await sessions.end(session);
    }
    await recordings.scan(engine.id, (name) => published.has(name));
  }

  async #lookAtConfiguration(engine: Engine, engineStatus: EngineStatus): Promise<void> {
    if (engineStatus.isConfigurationKnown) return;
    const isOutdated = await engine.client.isOutdated();
    engineStatus.isConfigurationKnown = true;
    if (isOutdated) this.#deps.log.warn({ engine: engine.id }, OUTDATED_ENGINE);
  }

  /** Up to `slots` at a time, as long as there are any. */
  async #inSlots<Row>(lease: Lease, slots: number, work: SlotWork<Row>): Promise<void> {
    if (slots === 0) return;
    const busy = new Map<string, Promise<void>>();
    await this.#repeat(lease, WORK_MS, async () => {
      if (busy.size >= slots) return;
      for (const row of await work.claim(slots - busy.size, [...busy.keys()])) {
        const id = work.idOf(row);
        const running = work.process(row).finally(() => busy.delete(id));
        busy.set(id, running);
      }
    });
    await Promise.all(busy.values());
  }

  /** Failed work is repeated at its next interval: a database that is away comes back. */
  async #repeat(lease: Lease, everyMs: number, work: () => Promise<void>): Promise<void> {
    while (!lease.signal.aborted) {
      try {
        await work();
      } catch (error) {
        if (error instanceof LeaseLostError) throw error;
        if (!lease.signal.aborted) this.#deps.log.warn({ err: error, lease: lease.name }, 'live work failed');
        await abortableSleep(1000, lease.signal);
      }
      await abortableSleep(everyMs, lease.signal);
    }
  }
}

/**
 * For streams that are online and have no playlist yet: a publisher's first segment takes seconds, and comes never where it sends
 * nothing. They are told as starting until their engine has a playlist of them.
 */
async function noteStarted(
  store: Pick<SessionStore, 'starting' | 'playable'>,
  { id, client }: Engine,
  signal: AbortSignal,
): Promise<void> {
  const looked = (await store.starting(id, MAX_WAITING_FOR_START)).map(async (stream) => {
    // An engine that is away is noticed elsewhere, and its streams go on starting.
    const playlist = await client.hls(engineName(stream), PLAYLIST, signal).catch(() => undefined);
    return playlist?.includes('#EXTINF') ? [stream] : [];
  });
  const started = (await Promise.all(looked)).flat();
  if (started.length > 0) await store.playable(started);
}

/** `fetch` throws these, with the reason as their cause. */
function isEngineAway(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError');
}

function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}

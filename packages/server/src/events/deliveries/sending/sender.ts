/**
 * Sends what is due, until it is stopped. Several may run on one region, and each may die at any moment: others take over
 * its leased rows when the lease ends. What it holds in memory is bounded in number and in bytes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@millpond/base';
import { Timer } from '@millpond/base';
import type { Tenants } from '../../../identity/accounts/index.ts';
import { ATTEMPT_TIMEOUT_MS } from '../../limits.ts';
import type { EndpointStore } from '../endpoint.store.ts';
import { classifyStatus } from './classify-status.ts';
import { type AttemptDeps, type AttemptResult, attemptOnce } from './delivery-attempts.ts';
import type { ClaimedRow, LoadedRow, QueueStore } from './delivery-queue.store.ts';
import { EndpointUpkeep } from './endpoint-upkeep.ts';
import { InterruptibleSleep } from './interruptible-sleep.ts';
import type { Outcomes } from './outcomes.ts';
import { type Endpoint, minRoom, OriginClaims, SendWindow } from './send-window.ts';
import { Claims } from './sending.claims.ts';
import { Health } from './sending.health.ts';
import type { SettleStore } from './settle.store.ts';
import { expiredSettlement, settlementOf } from './settlements.ts';
import { Settler } from './settler.ts';

export interface SenderOptions {
  /** Events in flight at a time. */
  readonly slots: number;
  readonly perEndpoint: number;
  /** Memory limit of event bodies. */
  readonly memoryBytes: number;
  /** The waits of the rules pass this many times faster. */
  readonly timeFactor: number;
}

export interface SenderDeps {
  readonly queue: QueueStore;
  readonly settle: SettleStore;
  readonly endpoints: EndpointStore;
  readonly outcomes: Outcomes;
  readonly tries: AttemptDeps;
  readonly tenants: Pick<Tenants, 'known' | 'of'>;
  readonly log: Log;
}

/** What a sender holds: a claimed row and its content. */
export interface ClaimedEvent {
  readonly endpointId: bigint;
  readonly size: number;
  readonly row: ClaimedRow;
  readonly event: LoadedRow;
  /** By this process's clock. */
  readonly claimedAt: number;
}

export interface SenderCounts {
  readonly sent: number;
  readonly failed: number;
  readonly suspended: number;
  readonly held: number;
  readonly inFlight: number;
  /** Milliseconds that a claim takes, the median of the last ones. */
  readonly claimMs: number;
}

/** Longer than a try, so that what is claimed ahead gets its turn; a crash delays leased rows by as much. */
const LEASE_MS = 25_000;
/** A try that begins later than this could outlive its lease. */
const START_TIMEOUT_MS = LEASE_MS - ATTEMPT_TIMEOUT_MS - 4_000;
const BATCH = 256;
/** Rows in memory, waiting and in flight. */
const MAX_CLAIMED_EVENTS = 4096;
/** The least that a body counts for: the record around it. */
const MIN_WEIGHT = 1024;
const BUSY_POLL_MS = 8;
const IDLE_POLL_MS = 40;
/** Idle after this long without anything to do. What this process adds wakes it all the same. */
const QUIET_AFTER_MS = 2000;
const QUIET_POLL_MS = 200;
const PAUSE_MS = 500;
const SLOW_MS = 1000;
const STOP_TIMEOUT_MS = ATTEMPT_TIMEOUT_MS + 2000;

export class Sender {
  readonly #deps: SenderDeps;
  readonly #options: SenderOptions;
  readonly #held: SendWindow<ClaimedEvent>;
  readonly #settler: Settler;
  readonly #upkeep: EndpointUpkeep<ClaimedEvent>;
  readonly #health: Health<ClaimedEvent>;
  readonly #begun = new Map<ClaimedEvent, number>();
  readonly #counts = { sent: 0, failed: 0 };
  readonly tries = new Timer({
    name: 'millpond_delivery_seconds',
    help: 'Duration of attempts to send an event, until the answer',
    labels: ['outcome'],
  });
  readonly #claims: Claims;
  readonly #pause = new InterruptibleSleep();
  #running: Promise<void> | undefined;
  #stopping = false;
  #isIdle = false;
  #foundAt = performance.now();
  #slowLookedAt = 0;

  constructor(deps: SenderDeps, options: SenderOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#held = new SendWindow(options);
    this.#claims = new Claims(deps.queue, LEASE_MS);
    this.#settler = new Settler(deps.settle, deps.log, (followers) => {
      if (followers > 0) this.#pause.wake();
    });
    this.#upkeep = new EndpointUpkeep(deps, {
      held: this.#held,
      tenants: deps.tenants,
      timeFactor: options.timeFactor,
      end: (row) => this.#settler.add(expiredSettlement(row)),
    });
    this.#health = new Health(deps.endpoints, deps.log, {
      held: this.#held,
      tenants: deps.tenants,
      timeFactor: options.timeFactor,
      suspend: (id, reason) => this.#upkeep.suspend(id, reason),
      onReturn: () => this.#pause.wake(),
    });
  }

  get counts(): SenderCounts {
    const claimMs = this.#claims.medianMs;
    const { count: held, inFlight } = this.#held;
    return { ...this.#counts, suspended: this.#health.suspended, held, inFlight, claimMs };
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Something was added. On a busy sender it is found soon enough, together with more. */
  wake(): void {
    if (this.#isIdle) this.#pause.wake();
  }

  /** Lets what is in flight finish, and hands the rest back. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#pause.wake();
    await this.#running;
    await this.#handBack(this.#held.drop());
    const end = performance.now() + STOP_TIMEOUT_MS;
    while (this.#held.inFlight > 0 && performance.now() < end) await sleep(20);
    await this.#settler.finish(STOP_TIMEOUT_MS);
    await this.#deps.outcomes.finish();
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      try {
        const found = await this.#turn();
        this.#isIdle = found === 0;
        await this.#pause.sleep(this.#restAfter(found));
      } catch (error) {
        this.#deps.log.warn({ error: (error as Error).message }, 'deliveries can’t be claimed');
        await this.#pause.sleep(PAUSE_MS);
      }
    }
  }

  /** Looking costs the database something, and most installations have nothing to send most of the time. */
  #restAfter(found: number): number {
    const now = performance.now();
    if (found > 0) this.#foundAt = now;
    if (found >= BATCH / 2) return 0;
    if (found > 0) return BUSY_POLL_MS;
    const isQuiet = now - this.#foundAt >= QUIET_AFTER_MS;
    return isQuiet ? Math.max(IDLE_POLL_MS, QUIET_POLL_MS / this.#options.timeFactor) : IDLE_POLL_MS;
  }

  /** Returns how many rows there were to look at. */
  async #turn(): Promise<number> {
    this.#lookForSlow();
    const room = Math.min(BATCH, MAX_CLAIMED_EVENTS - this.#held.count - this.#settler.size);
    const hasMemory = this.#held.bytes < this.#options.memoryBytes;
    if (room <= 0 || !hasMemory) return 0;
    const claimedAt = performance.now();
    const due = await this.#claims.due(room);
    const parked = await this.#upkeep.claim(LEASE_MS);
    const rows = [...due.rows, ...parked];
    await Promise.all([...new Set(rows.map(({ uid }) => uid))].map((uid) => this.#deps.tenants.of(uid)));
    const admitted = await this.#admit(rows);
    if (admitted.length > 0) await this.#hold(admitted, claimedAt);
    return due.lookedAt + parked.length;
  }

  /** Returns those that are kept; the others are handed back. */
  async #admit(rows: readonly ClaimedRow[]): Promise<ClaimedRow[]> {
    const admitted: ClaimedRow[] = [];
    const tooMany: ClaimedRow[] = [];
    const taken = new Map<Endpoint<ClaimedEvent>, number>();
    const ofOrigins = new OriginClaims(this.#held);
    let bytes = this.#held.bytes;
    for (const row of rows) {
      const endpoint = this.#health.fromRow(row);
      const before = taken.get(endpoint) ?? 0;
      const ofOrigin = ofOrigins.besides(endpoint);
      const { state } = endpoint.circuit;
      const goesOut = state === 'closed' || state === 'half-open' || row.is_test;
      // One always fits: a body larger than the whole memory limit must go out too.
      const fits = bytes + row.size <= this.#options.memoryBytes || (admitted.length === 0 && bytes === 0);
      if (goesOut && fits && this.#held.freeCapacity(endpoint, ofOrigin - before) > before) {
        admitted.push(row);
        taken.set(endpoint, before + 1);
        ofOrigins.add(endpoint, 1);
        bytes += Math.max(row.size, MIN_WEIGHT);
      } else {
        tooMany.push(row);
        this.#held.setBacklogged(endpoint, true);
      }
    }
    await this.#handBack(tooMany.map((row) => ({ row })));
    return admitted;
  }

  async #hold(rows: readonly ClaimedRow[], claimedAt: number): Promise<void> {
    const loaded = new Map((await this.#deps.queue.load(rows)).map((event) => [event.delivery_id, event]));
    for (const row of rows) {
      const event = loaded.get(row.delivery_id);
      const endpoint = this.#held.find(row.endpoint_id);
      if (event === undefined || endpoint === undefined) {
        // Its day's partition was dropped, and its content with it.
        this.#settler.add(expiredSettlement(row));
        continue;
      }
      const size = Math.max(row.size, MIN_WEIGHT);
      this.#held.add(endpoint, { endpointId: endpoint.id, size, row, event, claimedAt });
    }
    this.#pump();
  }

  #pump(): void {
    for (let claimedEvent = this.#held.next(); claimedEvent !== undefined; claimedEvent = this.#held.next())
      void this.#send(claimedEvent);
  }

  async #send(claimedEvent: ClaimedEvent): Promise<void> {
    const begun = performance.now();
    if (begun - claimedEvent.claimedAt > START_TIMEOUT_MS) {
      this.#held.finish(claimedEvent);
      await this.#handBack([claimedEvent]);
      return;
    }
    this.#begun.set(claimedEvent, begun);
    const { uid } = claimedEvent.row;
    const url = claimedEvent.row.endpoint_url ?? claimedEvent.event.urls[0] ?? '';
    const attemptResult = await attemptOnce(this.#deps.tries, claimedEvent.event, {
      url,
      uid,
      tenant: this.#deps.tenants.known(uid),
    });
    this.#begun.delete(claimedEvent);
    this.#held.finish(claimedEvent);
    this.#conclude(claimedEvent, attemptResult);
    const endpoint = this.#held.find(claimedEvent.endpointId);
    if (
      endpoint !== undefined &&
      this.#held.isBacklogged(endpoint) &&
      this.#held.freeCapacity(endpoint) > minRoom(endpoint)
    )
      this.#pause.wake();
    if (!this.#stopping) this.#pump();
  }

  #conclude(claimedEvent: ClaimedEvent, attemptResult: AttemptResult): void {
    const { row } = claimedEvent;
    const verdict = classifyStatus(attemptResult.attempt.status);
    const isGood = verdict.kind === 'delivered';
    this.#counts[isGood ? 'sent' : 'failed'] += 1;
    this.#deps.outcomes.note(claimedEvent.endpointId, isGood);
    this.tries.observe({ outcome: verdict.kind }, attemptResult.attempt.durationMs / 1000);
    void this.#handBack(this.#health.recordResult(claimedEvent.endpointId, isGood, verdict.kind === 'gone'));
    const age = row.age + performance.now() - claimedEvent.claimedAt;
    const { timeFactor } = this.#options;
    this.#settler.add(settlementOf(row, attemptResult, verdict, { age, timeFactor }));
  }

  async #handBack(items: readonly Pick<ClaimedEvent, 'row'>[]): Promise<void> {
    if (items.length === 0) return;
    try {
      await this.#deps.queue.park(items.map(({ row }) => row));
    } catch (error) {
      this.#deps.log.warn(
        { error: (error as Error).message },
        'deliveries could not be handed back; they are sent again when their leases expire',
      );
    }
  }

  /** A receiver that makes others wait needs caution, even before it has failed. */
  #lookForSlow(): void {
    const now = performance.now();
    if (now - this.#slowLookedAt < SLOW_MS / 2) return;
    this.#slowLookedAt = now;
    for (const [claimedEvent, begun] of this.#begun) {
      // In order of their start: the rest is younger.
      if (now - begun < SLOW_MS) break;
      const endpoint = this.#held.find(claimedEvent.endpointId);
      if (endpoint === undefined || endpoint.isSlow) continue;
      this.#held.setSlow(endpoint);
      // What was claimed ahead for it frees its memory for others.
      void this.#handBack(this.#held.drop(endpoint));
      // What waited for it at its origin may go out, and nothing else would send it until an attempt ends.
      this.#pump();
    }
  }
}

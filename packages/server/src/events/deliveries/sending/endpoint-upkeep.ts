/**
 * Endpoints that need attention: those with parked events for which there is room, those that are away and may be probed,
 * those that came back, and those whose kept events are too old.
 */
import type { Log } from '@millpond/base';
import type { Tenants } from '../../../identity/accounts/index.ts';
import { SUSPENDED_KEEPS_MS, TRIED_FOR_MS } from '../../limits.ts';
import { newCircuit } from '../circuit.ts';
import type { DueEndpoint, EndpointStore } from '../endpoint.store.ts';
import { DAY } from '../retry-schedule.ts';
import type { ClaimedRow, QueueStore } from './delivery-queue.store.ts';
import { originOf } from './origin-of.ts';
import { type Endpoint, minRoom, OriginClaims, type SendWindow, type WindowItem } from './send-window.ts';

export interface EndpointUpkeepDeps {
  readonly queue: QueueStore;
  readonly endpoints: EndpointStore;
  readonly log: Log;
}

export interface EndpointUpkeepOptions<Item extends WindowItem> {
  readonly held: SendWindow<Item>;
  readonly timeFactor: number;
  readonly tenants: Pick<Tenants, 'of'>;
  /** Ends events that are too old. */
  readonly end: (row: ClaimedRow) => void;
}

const INTERVAL_MS = 40;
const MAX_ENDPOINTS = 256;
const REVIVED_BATCH = 500;
const EXPIRED_BATCH = 500;
/** While an endpoint has a backlog, other senders check it this often. */
const AGAIN_MS = 1000;
const SOON_MS = 100;
const KEPT_LOOK = DAY / 24;

/** How much of what is parked is claimed for each endpoint; those at one origin share its room. */
class Rooms<Item extends WindowItem> {
  readonly byId = new Map<bigint, number>();
  readonly #held: SendWindow<Item>;
  readonly #ofOrigins: OriginClaims<Item>;

  constructor(held: SendWindow<Item>) {
    this.#held = held;
    this.#ofOrigins = new OriginClaims(held);
  }

  /** If there is more than this. */
  give(endpoint: Endpoint<Item>, least: number): void {
    const given = this.#ofOrigins.besides(endpoint);
    const room = this.byId.has(endpoint.id) ? 0 : this.#held.freeCapacity(endpoint, given);
    if (room <= least) return;
    this.byId.set(endpoint.id, room);
    this.#ofOrigins.add(endpoint, room);
    this.#held.hadTurn(endpoint);
  }
}

export class EndpointUpkeep<Item extends WindowItem = WindowItem> {
  readonly #deps: EndpointUpkeepDeps;
  readonly #options: EndpointUpkeepOptions<Item>;
  #lookedAt = 0;

  constructor(deps: EndpointUpkeepDeps, options: EndpointUpkeepOptions<Item>) {
    this.#deps = deps;
    this.#options = options;
  }

  /** Claims parked rows for which there is room now, including probes. */
  async claim(leaseMs: number): Promise<ClaimedRow[]> {
    const probes: ClaimedRow[] = [];
    const rooms = this.#rooms();
    const now = performance.now();
    if (now - this.#lookedAt >= INTERVAL_MS) {
      this.#lookedAt = now;
      const due = await this.#deps.endpoints.due(MAX_ENDPOINTS);
      for (const endpoint of due) probes.push(...(await this.#look(endpoint, rooms, leaseMs)));
      const closed = due.filter(({ state }) => state === 'closed').map((endpoint) => endpoint.endpoint_id);
      if (closed.length > 0) await this.#deps.endpoints.postpone(closed, AGAIN_MS);
    }
    return rooms.byId.size === 0 ? probes : [...probes, ...(await this.#claimParked(rooms.byId, leaseMs))];
  }

  /** Whether this call suspended it. */
  async suspend(id: bigint, reason: string): Promise<boolean> {
    const suspended = await this.#deps.endpoints.suspend(id, reason, KEPT_LOOK / this.#options.timeFactor);
    if (suspended === undefined) return false;
    const { endpoint_id: endpoint, uid, name, url } = suspended;
    this.#deps.log.error(
      { endpoint, uid, name, url, reason },
      'endpoint suspended: its events are kept for 14 days',
    );
    return true;
  }

  /** Endpoints with a backlog whose share in memory is half used up. */
  #rooms(): Rooms<Item> {
    const { held } = this.#options;
    const rooms = new Rooms(held);
    for (const endpoint of held.backlogged())
      if (endpoint.circuit.state === 'closed') rooms.give(endpoint, minRoom(endpoint));
    return rooms;
  }

  async #claimParked(rooms: ReadonlyMap<bigint, number>, leaseMs: number): Promise<ClaimedRow[]> {
    const { queue, endpoints } = this.#deps;
    const { held } = this.#options;
    const rows = await queue.claimParked(rooms, leaseMs);
    const got = new Map<bigint, number>();
    for (const row of rows) got.set(row.endpoint_id, (got.get(row.endpoint_id) ?? 0) + 1);
    const emptied = [...rooms].filter(([id, room]) => (got.get(id) ?? 0) < room).map(([id]) => id);
    if (emptied.length === 0) return rows;
    const resting = new Set(await endpoints.rest(emptied));
    for (const id of resting) {
      const endpoint = held.find(id);
      if (endpoint !== undefined) held.setBacklogged(endpoint, false);
    }
    return rows.map((row) => (resting.has(row.endpoint_id) ? { ...row, is_backlogged: false } : row));
  }

  async #look(endpoint: DueEndpoint, rooms: Rooms<Item>, leaseMs: number): Promise<ClaimedRow[]> {
    const { held } = this.#options;
    const { endpoint_id: id, uid, is_configured: isConfigured, state } = endpoint;
    if (state === 'suspended') {
      const next = (await this.#expire(id, SUSPENDED_KEEPS_MS, leaseMs))
        ? SOON_MS
        : KEPT_LOOK / this.#options.timeFactor;
      await this.#deps.endpoints.postpone([id], next);
      return [];
    }
    if (state !== 'closed') return this.#probe(id, leaseMs);
    if (endpoint.is_reviving) await this.#revive(id);
    const tenant = await this.#options.tenants.of(uid);
    const view = held.endpoint({ id, tenant, origin: originOf(endpoint.address), isConfigured });
    if (view.circuit.state !== 'closed') held.setCircuit(view, newCircuit({ isConfigured }));
    held.setBacklogged(view, true);
    rooms.give(view, 0);
    return [];
  }

  /** One event goes out to see whether the receiver is back; before that, expired ones are ended. */
  async #probe(id: bigint, leaseMs: number): Promise<ClaimedRow[]> {
    const { endpoints, queue } = this.#deps;
    if (await this.#expire(id, TRIED_FOR_MS, leaseMs)) {
      await endpoints.postpone([id], SOON_MS);
      return [];
    }
    if (!(await endpoints.beginProbe(id, leaseMs))) return [];
    const rows = await queue.claimParked(new Map([[id, 1]]), leaseMs);
    if (rows.length === 0) await endpoints.noProbe(id);
    return rows;
  }

  /** Parks what waits for a retry, in batches; it then goes out as there is room. */
  async #revive(id: bigint): Promise<void> {
    const parked = await this.#deps.queue.parkRetries(id, REVIVED_BATCH);
    if (parked < REVIVED_BATCH) await this.#deps.endpoints.revived(id);
  }

  /** Whether any were found. */
  async #expire(id: bigint, age: number, leaseMs: number): Promise<boolean> {
    const olderThan = age / this.#options.timeFactor;
    const rows = await this.#deps.queue.claimExpired(id, olderThan, EXPIRED_BATCH, leaseMs);
    for (const row of rows) this.#options.end(row);
    return rows.length > 0;
  }
}

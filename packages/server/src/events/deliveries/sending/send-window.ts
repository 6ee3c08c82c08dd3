/**
 * What a sender holds in memory, and which of it may go out next. Tenants take turns, and so do the endpoints of one
 * tenant. No endpoint has more in flight than it answers well; nor has an origin, for one tenant: a hundred endpoints there are no reason to
 * send it a hundred times as much, and what one tenant sends there takes nothing from another. Endpoints in doubt (failing or slow)
 * together begin no more than a quarter of the slots and half of what their origin may have, and one tenant leaves the last
 * quarter to the others. What hangs at an origin is in doubt after a moment, and then only counts against the most that any endpoint may have.
 */
import { type Circuit, newCircuit } from '../circuit.ts';

export interface WindowItem {
  readonly endpointId: bigint;
  readonly size: number;
}

/** Where an endpoint is, and whose it is. */
export interface EndpointShare {
  readonly id: bigint;
  readonly tenant: bigint;
  /** Origin of its URL. */
  readonly origin: string;
  readonly isConfigured: boolean;
}

/** An endpoint as this sender sees it. */
export interface Endpoint<Item extends WindowItem> {
  readonly id: bigint;
  readonly tenant: bigint;
  origin: OriginWindow<Item>;
  circuit: Circuit;
  /** The most in flight at a time. */
  limit: number;
  inFlight: number;
  isSlow: boolean;
  readonly waiting: Item[];
}

/** An origin, for one tenant. */
export interface OriginWindow<Item extends WindowItem> {
  readonly name: string;
  /** The most in flight at a time, to all its endpoints that are not in doubt. */
  limit: number;
  inFlight: number;
  /** How many of these go to endpoints in doubt. */
  inDoubt: number;
  /** Waiting here or in flight. */
  held: number;
  /** How many of these are for endpoints in doubt. */
  heldInDoubt: number;
  endpoints: number;
  /** Endpoints that could send, if there were not so much in flight to the others. */
  readonly blocked: Set<Endpoint<Item>>;
}

export interface WindowLimits {
  readonly slots: number;
  readonly perEndpoint: number;
}

interface TenantView<Item extends WindowItem> {
  inFlight: number;
  /** Endpoints that have something to send and may send it. */
  readonly ready: Set<Endpoint<Item>>;
}

const FIRST_LIMIT = 2;
/** How much is claimed ahead for an endpoint, as a multiple of its limit; more for a reliable one. */
const CLAIM_FACTOR = 4;
const AHEAD_IF_SURE = 16;
/** With more than this in memory, every endpoint gets less of it. */
const MUCH = 2048;
/** Endpoints with nothing in flight whose record is kept, so that they need not start from scratch. */
const MAX_IDLE = 20_000;

export class SendWindow<Item extends WindowItem> {
  readonly #limits: WindowLimits;
  readonly #endpoints = new Map<bigint, Endpoint<Item>>();
  readonly #origins = new Map<string, OriginWindow<Item>>();
  readonly #tenants = new Map<bigint, TenantView<Item>>();
  /** More of their events are parked in the database. */
  readonly #backlogged = new Set<Endpoint<Item>>();
  #inFlight = 0;
  #inDoubt = 0;
  #count = 0;
  #bytes = 0;

  constructor(limits: WindowLimits) {
    this.#limits = limits;
  }

  /** Waiting here or in flight. */
  get count(): number {
    return this.#count;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  endpoint(place: EndpointShare): Endpoint<Item> {
    const known = this.#endpoints.get(place.id);
    if (known !== undefined) {
      this.#move(known, place.origin);
      return known;
    }
    const { id, tenant, isConfigured } = place;
    const limit = Math.min(FIRST_LIMIT, this.#limits.perEndpoint);
    const circuit = newCircuit({ isConfigured });
    const origin = this.#windowOf(tenant, place.origin);
    const made = { id, tenant, origin, circuit, limit, inFlight: 0, isSlow: false, waiting: [] };
    origin.endpoints += 1;
    this.#endpoints.set(id, made);
    if (this.#endpoints.size > MAX_IDLE) this.#forgetOne();
    return made;
  }

  find(id: bigint): Endpoint<Item> | undefined {
    return this.#endpoints.get(id);
  }

  /** Those that were given room last come last. */
  backlogged(): Iterable<Endpoint<Item>> {
    return [...this.#backlogged];
  }

  isBacklogged(endpoint: Endpoint<Item>): boolean {
    return this.#backlogged.has(endpoint);
  }

  setBacklogged(endpoint: Endpoint<Item>, isBacklogged: boolean): void {
    if (isBacklogged) this.#backlogged.add(endpoint);
    else this.#backlogged.delete(endpoint);
  }

  /** It comes after the other backlogged ones: it was given room just now. */
  hadTurn(endpoint: Endpoint<Item>): void {
    if (this.#backlogged.delete(endpoint)) this.#backlogged.add(endpoint);
  }

  /**
   * How many more events of this endpoint may be held. `claimed`: of its origin, as much in doubt, and not added yet. What waits to
   * be tried again takes no room from what is not in doubt.
   */
  freeCapacity(endpoint: Endpoint<Item>, claimed = 0): number {
    const { circuit, origin, limit } = endpoint;
    const isInDoubt = this.isInDoubt(endpoint);
    const isSure = !isInDoubt && this.#count <= MUCH;
    const own = limit * (isSure && limit > FIRST_LIMIT ? AHEAD_IF_SURE : CLAIM_FACTOR);
    const most = circuit.state === 'half-open' ? 1 : own;
    const ofOrigin = origin.limit * (isSure && origin.limit > FIRST_LIMIT ? AHEAD_IF_SURE : CLAIM_FACTOR);
    const room = Math.min(
      most - endpoint.waiting.length - endpoint.inFlight,
      ofOrigin - (isInDoubt ? origin.heldInDoubt : origin.held - origin.heldInDoubt) - claimed,
    );
    return Math.max(0, room);
  }

  add(endpoint: Endpoint<Item>, item: Item): void {
    endpoint.waiting.push(item);
    endpoint.origin.held += 1;
    if (this.isInDoubt(endpoint)) endpoint.origin.heldInDoubt += 1;
    this.#count += 1;
    this.#bytes += item.size;
    this.#refresh(endpoint);
  }

  /** Takes the next event that may go out, and counts it as in flight. */
  next(): Item | undefined {
    if (this.#inFlight >= this.#limits.slots) return undefined;
    for (const [tenant, view] of this.#tenants) {
      if (view.ready.size === 0 || !this.#mayStart(view)) continue;
      for (const endpoint of view.ready) {
        if (this.#isBlocked(endpoint)) {
          view.ready.delete(endpoint);
          endpoint.origin.blocked.add(endpoint);
          continue;
        }
        if (this.isInDoubt(endpoint) && this.#inDoubt >= this.#limits.slots / 4) continue;
        // Both go to the end of the line.
        this.#tenants.delete(tenant);
        this.#tenants.set(tenant, view);
        view.ready.delete(endpoint);
        return this.#start(endpoint, view);
      }
      if (view.ready.size === 0 && view.inFlight === 0) this.#tenants.delete(tenant);
    }
    return undefined;
  }

  /** An item is no longer in flight. */
  finish(item: Item): void {
    const endpoint = this.#endpoints.get(item.endpointId);
    const view = endpoint && this.#tenants.get(endpoint.tenant);
    if (endpoint === undefined || view === undefined) return;
    const inDoubt = this.isInDoubt(endpoint) ? 1 : 0;
    this.#doubt(endpoint, -inDoubt);
    endpoint.origin.heldInDoubt -= inDoubt;
    endpoint.inFlight -= 1;
    endpoint.origin.inFlight -= 1;
    endpoint.origin.held -= 1;
    view.inFlight -= 1;
    this.#inFlight -= 1;
    this.#count -= 1;
    this.#bytes -= item.size;
    this.#refresh(endpoint);
    this.#unblock(endpoint.origin);
  }

  /** What was learnt about an endpoint; `ok`: from its last try. */
  recordResult(endpoint: Endpoint<Item>, circuit: Circuit, ok: boolean): void {
    const wasLimited = endpoint.inFlight + 1 >= endpoint.limit;
    const most = this.#limits.perEndpoint;
    const { origin } = endpoint;
    // One that is known to fail, or to hang, says nothing about the others.
    if (!ok && !this.isInDoubt(endpoint)) origin.limit = Math.max(1, Math.floor(origin.limit / 2));
    if (ok && origin.inFlight + 1 >= origin.limit) origin.limit = Math.min(most, origin.limit + 1);
    if (!ok) endpoint.limit = Math.max(1, Math.floor(endpoint.limit / 2));
    else if (circuit.failingSince === undefined && endpoint.circuit.failingSince !== undefined)
      endpoint.limit = Math.min(FIRST_LIMIT, most);
    else if (wasLimited) endpoint.limit = Math.min(most, endpoint.limit + 1);
    this.#regard(endpoint, () => {
      endpoint.circuit = circuit;
      if (ok) endpoint.isSlow = false;
    });
    this.#unblock(origin);
  }

  setCircuit(endpoint: Endpoint<Item>, circuit: Circuit): void {
    this.#regard(endpoint, () => {
      endpoint.circuit = circuit;
    });
  }

  setSlow(endpoint: Endpoint<Item>): void {
    this.#regard(endpoint, () => {
      endpoint.isSlow = true;
    });
    // What hangs no longer keeps the others there waiting.
    this.#unblock(endpoint.origin);
  }

  /** Returns everything that waits, of one endpoint or of all. */
  drop(endpoint?: Endpoint<Item>): Item[] {
    if (endpoint === undefined) return [...this.#endpoints.values()].flatMap((each) => this.drop(each));
    const dropped = endpoint.waiting.splice(0);
    endpoint.origin.held -= dropped.length;
    if (this.isInDoubt(endpoint)) endpoint.origin.heldInDoubt -= dropped.length;
    this.#count -= dropped.length;
    for (const item of dropped) this.#bytes -= item.size;
    this.#refresh(endpoint);
    return dropped;
  }

  #windowOf(tenant: bigint, name: string): OriginWindow<Item> {
    const key = `${tenant} ${name}`;
    const known = this.#origins.get(key);
    if (known !== undefined) return known;
    const limit = Math.min(FIRST_LIMIT, this.#limits.perEndpoint);
    const made = {
      name: key,
      limit,
      inFlight: 0,
      inDoubt: 0,
      held: 0,
      heldInDoubt: 0,
      endpoints: 0,
      blocked: new Set<Endpoint<Item>>(),
    };
    this.#origins.set(key, made);
    return made;
  }

  /** Its URL may have been changed. What is under way counts where it began, so it moves when nothing is. */
  #move(endpoint: Endpoint<Item>, name: string): void {
    if (endpoint.origin.name === `${endpoint.tenant} ${name}`) return;
    if (endpoint.inFlight > 0 || endpoint.waiting.length > 0) return;
    this.#leaveOrigin(endpoint);
    endpoint.origin = this.#windowOf(endpoint.tenant, name);
    endpoint.origin.endpoints += 1;
  }

  #leaveOrigin({ origin }: Endpoint<Item>): void {
    origin.endpoints -= 1;
    if (origin.endpoints === 0) this.#origins.delete(origin.name);
  }

  /** As many as there is room for may send again. */
  #unblock(origin: OriginWindow<Item>): void {
    let free = this.#freeAt(origin, true) + this.#freeAt(origin, false);
    for (const endpoint of Array.from(origin.blocked)) {
      if (free <= 0) return;
      this.#refresh(endpoint);
      if (!origin.blocked.has(endpoint)) free -= 1;
    }
  }

  #start(endpoint: Endpoint<Item>, view: TenantView<Item>): Item | undefined {
    const item = endpoint.waiting.shift();
    endpoint.inFlight += 1;
    endpoint.origin.inFlight += 1;
    view.inFlight += 1;
    this.#inFlight += 1;
    this.#doubt(endpoint, this.isInDoubt(endpoint) ? 1 : 0);
    this.#refresh(endpoint);
    return item;
  }

  /** Any tenant may take a quarter; beyond that it leaves the last quarter free. */
  #mayStart(view: TenantView<Item>): boolean {
    const { slots } = this.#limits;
    return view.inFlight < slots / 4 || this.#inFlight < (slots * 3) / 4;
  }

  isInDoubt({ circuit, isSlow }: Endpoint<Item>): boolean {
    return isSlow || circuit.failingSince !== undefined || circuit.state !== 'closed';
  }

  /** Whether so much is in flight to its origin that it has to wait. */
  #isBlocked(endpoint: Endpoint<Item>): boolean {
    return this.#freeAt(endpoint.origin, this.isInDoubt(endpoint)) <= 0;
  }

  /** How many more may be in flight to endpoints there that are in doubt, or that are not. One that hangs takes nothing from the others. */
  #freeAt({ inFlight, inDoubt, limit }: OriginWindow<Item>, areInDoubt: boolean): number {
    const own = areInDoubt ? Math.ceil(limit / 2) - inDoubt : limit - (inFlight - inDoubt);
    return Math.max(0, Math.min(own, this.#limits.perEndpoint - inFlight));
  }

  #doubt({ origin }: Endpoint<Item>, change: number): void {
    this.#inDoubt += change;
    origin.inDoubt += change;
  }

  /** Changes an endpoint and updates the count of those in doubt. */
  #regard(endpoint: Endpoint<Item>, change: () => void): void {
    const was = this.isInDoubt(endpoint) ? 1 : 0;
    change();
    const turned = (this.isInDoubt(endpoint) ? 1 : 0) - was;
    this.#doubt(endpoint, turned * endpoint.inFlight);
    endpoint.origin.heldInDoubt += turned * (endpoint.inFlight + endpoint.waiting.length);
    this.#refresh(endpoint);
  }

  #refresh(endpoint: Endpoint<Item>): void {
    const wantsToSend = endpoint.waiting.length > 0 && endpoint.inFlight < endpoint.limit;
    const isReady = wantsToSend && !this.#isBlocked(endpoint);
    if (wantsToSend && !isReady) endpoint.origin.blocked.add(endpoint);
    else endpoint.origin.blocked.delete(endpoint);
    let view = this.#tenants.get(endpoint.tenant);
    if (view === undefined) {
      if (!isReady) return;
      view = { inFlight: 0, ready: new Set() };
      this.#tenants.set(endpoint.tenant, view);
    }
    if (isReady) view.ready.add(endpoint);
    else view.ready.delete(endpoint);
    if (view.ready.size === 0 && view.inFlight === 0) this.#tenants.delete(endpoint.tenant);
  }

  #forgetOne(): void {
    for (const [id, endpoint] of this.#endpoints) {
      if (endpoint.inFlight > 0 || endpoint.waiting.length > 0 || this.#backlogged.has(endpoint)) continue;
      this.#endpoints.delete(id);
      this.#leaveOrigin(endpoint);
      return;
    }
  }
}

/** With no more room than this, nothing is claimed for it: its share of the memory is not half used up. */
export function minRoom({ limit, origin }: Endpoint<WindowItem>): number {
  return Math.min(limit, origin.limit);
}

/** How much is being claimed for each origin, apart for endpoints in doubt. */
export class OriginClaims<Item extends WindowItem> {
  readonly #window: SendWindow<Item>;
  readonly #inDoubt = new Map<OriginWindow<Item>, number>();
  readonly #others = new Map<OriginWindow<Item>, number>();

  constructor(window: SendWindow<Item>) {
    this.#window = window;
  }

  besides(endpoint: Endpoint<Item>): number {
    return this.#of(endpoint).get(endpoint.origin) ?? 0;
  }

  add(endpoint: Endpoint<Item>, count: number): void {
    this.#of(endpoint).set(endpoint.origin, this.besides(endpoint) + count);
  }

  #of(endpoint: Endpoint<Item>): Map<OriginWindow<Item>, number> {
    return this.#window.isInDoubt(endpoint) ? this.#inDoubt : this.#others;
  }
}

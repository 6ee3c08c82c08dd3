/**
 * What a sender holds in memory, and which of it may go out next. Accounts take turns, and so do the endpoints of one
 * account. No endpoint has more in flight than it answers well. Endpoints in doubt (failing or slow) together never take
 * more than a quarter of the slots, and one account leaves the last quarter to the others.
 */
import { type Circuit, newCircuit } from '../circuit.ts';

export interface WindowItem {
  readonly endpointId: bigint;
  readonly uid: bigint;
  readonly size: number;
}

/** An endpoint as this sender sees it. */
export interface Endpoint<Item extends WindowItem> {
  readonly id: bigint;
  readonly uid: bigint;
  circuit: Circuit;
  /** The most in flight at a time. */
  limit: number;
  inFlight: number;
  isSlow: boolean;
  readonly waiting: Item[];
}

export interface WindowLimits {
  readonly slots: number;
  readonly perEndpoint: number;
}

interface AccountView<Item extends WindowItem> {
  inFlight: number;
  /** Endpoints that have something to send and may send it. */
  readonly ready: Set<Endpoint<Item>>;
}

const FIRST_LIMIT = 2;
/** How much is claimed ahead for an endpoint, as a multiple of its limit; more for a reliable one. */
const AHEAD = 4;
const AHEAD_IF_SURE = 16;
/** With more than this in memory, every endpoint gets less of it. */
const MUCH = 2048;
/** Endpoints with nothing in flight whose record is kept, so that they need not start from scratch. */
const MOST_IDLE = 20_000;

export class SendWindow<Item extends WindowItem> {
  readonly #limits: WindowLimits;
  readonly #endpoints = new Map<bigint, Endpoint<Item>>();
  readonly #accounts = new Map<bigint, AccountView<Item>>();
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

  endpoint(id: bigint, uid: bigint, isConfigured: boolean): Endpoint<Item> {
    const known = this.#endpoints.get(id);
    if (known !== undefined) return known;
    const limit = Math.min(FIRST_LIMIT, this.#limits.perEndpoint);
    const circuit = newCircuit({ isConfigured });
    const made = { id, uid, circuit, limit, inFlight: 0, isSlow: false, waiting: [] };
    this.#endpoints.set(id, made);
    if (this.#endpoints.size > MOST_IDLE) this.#forgetOne();
    return made;
  }

  find(id: bigint): Endpoint<Item> | undefined {
    return this.#endpoints.get(id);
  }

  backlogged(): Iterable<Endpoint<Item>> {
    return this.#backlogged;
  }

  isBacklogged(endpoint: Endpoint<Item>): boolean {
    return this.#backlogged.has(endpoint);
  }

  setBacklogged(endpoint: Endpoint<Item>, isBacklogged: boolean): void {
    if (isBacklogged) this.#backlogged.add(endpoint);
    else this.#backlogged.delete(endpoint);
  }

  /** How many more events of this endpoint may be held. */
  room(endpoint: Endpoint<Item>): number {
    const isSure = endpoint.limit > FIRST_LIMIT && !this.#isInDoubt(endpoint) && this.#count <= MUCH;
    const ahead = isSure ? AHEAD_IF_SURE : AHEAD;
    const most = endpoint.circuit.state === 'half-open' ? 1 : ahead * endpoint.limit;
    return Math.max(0, most - endpoint.waiting.length - endpoint.inFlight);
  }

  add(endpoint: Endpoint<Item>, item: Item): void {
    endpoint.waiting.push(item);
    this.#count += 1;
    this.#bytes += item.size;
    this.#refresh(endpoint);
  }

  /** Takes the next event that may go out, and counts it as in flight. */
  next(): Item | undefined {
    if (this.#inFlight >= this.#limits.slots) return undefined;
    for (const [uid, account] of this.#accounts) {
      if (account.ready.size === 0 || !this.#mayStart(account)) continue;
      for (const endpoint of account.ready) {
        if (this.#isInDoubt(endpoint) && this.#inDoubt >= this.#limits.slots / 4) continue;
        // Both go to the end of the line.
        this.#accounts.delete(uid);
        this.#accounts.set(uid, account);
        account.ready.delete(endpoint);
        return this.#start(endpoint, account);
      }
    }
    return undefined;
  }

  /** An item is no longer in flight. */
  finish(item: Item): void {
    const endpoint = this.#endpoints.get(item.endpointId);
    const account = this.#accounts.get(item.uid);
    if (endpoint === undefined || account === undefined) return;
    if (this.#isInDoubt(endpoint)) this.#inDoubt -= 1;
    endpoint.inFlight -= 1;
    account.inFlight -= 1;
    this.#inFlight -= 1;
    this.#count -= 1;
    this.#bytes -= item.size;
    this.#refresh(endpoint);
  }

  /** What was learnt about an endpoint; `ok`: from its last try. */
  learn(endpoint: Endpoint<Item>, circuit: Circuit, ok: boolean): void {
    const wasLimited = endpoint.inFlight + 1 >= endpoint.limit;
    const most = this.#limits.perEndpoint;
    if (!ok) endpoint.limit = Math.max(1, Math.floor(endpoint.limit / 2));
    else if (circuit.failingSince === undefined && endpoint.circuit.failingSince !== undefined)
      endpoint.limit = Math.min(FIRST_LIMIT, most);
    else if (wasLimited) endpoint.limit = Math.min(most, endpoint.limit + 1);
    this.#regard(endpoint, () => {
      endpoint.circuit = circuit;
      if (ok) endpoint.isSlow = false;
    });
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
  }

  /** Returns everything that waits, of one endpoint or of all. */
  drop(endpoint?: Endpoint<Item>): Item[] {
    if (endpoint === undefined) return [...this.#endpoints.values()].flatMap((each) => this.drop(each));
    const dropped = endpoint.waiting.splice(0);
    this.#count -= dropped.length;
    for (const item of dropped) this.#bytes -= item.size;
    this.#refresh(endpoint);
    return dropped;
  }

  #start(endpoint: Endpoint<Item>, account: AccountView<Item>): Item | undefined {
    const item = endpoint.waiting.shift();
    endpoint.inFlight += 1;
    account.inFlight += 1;
    this.#inFlight += 1;
    if (this.#isInDoubt(endpoint)) this.#inDoubt += 1;
    this.#refresh(endpoint);
    return item;
  }

  /** Any account may take a quarter; beyond that it leaves the last quarter free. */
  #mayStart(account: AccountView<Item>): boolean {
    const { slots } = this.#limits;
    return account.inFlight < slots / 4 || this.#inFlight < (slots * 3) / 4;
  }

  #isInDoubt({ circuit, isSlow }: Endpoint<Item>): boolean {
    return isSlow || circuit.failingSince !== undefined || circuit.state !== 'closed';
  }

  /** Changes an endpoint and updates the count of those in doubt. */
  #regard(endpoint: Endpoint<Item>, change: () => void): void {
    const before = this.#isInDoubt(endpoint) ? endpoint.inFlight : 0;
    change();
    this.#inDoubt += (this.#isInDoubt(endpoint) ? endpoint.inFlight : 0) - before;
    this.#refresh(endpoint);
  }

  #refresh(endpoint: Endpoint<Item>): void {
    const isReady = endpoint.waiting.length > 0 && endpoint.inFlight < endpoint.limit;
    let account = this.#accounts.get(endpoint.uid);
    if (account === undefined) {
      if (!isReady) return;
      account = { inFlight: 0, ready: new Set() };
      this.#accounts.set(endpoint.uid, account);
    }
    if (isReady) account.ready.add(endpoint);
    else account.ready.delete(endpoint);
    if (account.ready.size === 0 && account.inFlight === 0) this.#accounts.delete(endpoint.uid);
  }

  #forgetOne(): void {
    for (const [id, endpoint] of this.#endpoints) {
      if (endpoint.inFlight > 0 || endpoint.waiting.length > 0 || this.#backlogged.has(endpoint)) continue;
      this.#endpoints.delete(id);
      return;
    }
  }
}

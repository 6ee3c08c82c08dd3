/**
 * Work that waits at the same time, done together: a round trip for each would cost more than the work itself.
 *
 * Whoever finds its group idle is not made to wait for company. While as many batches of the group are under way as may be,
 * further items wait for the first of them to end and then go together, those that have waited longest first. Groups don't
 * wait for each other.
 *
 * To its caller each item stands alone: it has its own result, its caller may leave, and its own fault fails nobody else.
 */
import { TooManyWaiting } from './gate.ts';

export interface CoalescerOptions<Item, Result> {
  /** In one batch. */
  readonly most: number;
  /** Batches of one group under way at the same time. */
  readonly atOnce: number;
  /** Items of one group; whoever comes beyond that is turned away. As many as come, unless it is said. */
  readonly mostWaiting?: number;
  /** Whether an idle group's first batch waits for what else comes in this turn of the event loop. */
  readonly takesWholeTurn?: boolean;
  /** Only what has the same is in one batch. */
  readonly group?: (item: Item) => unknown;
  /** Items of a group that have the same are never under way at the same time, and keep their order. */
  readonly key?: (item: Item) => unknown;
  /** One result for each item, in their order. The signal: nobody waits for any of them any more. */
  readonly work: (items: readonly Item[], cancel: AbortSignal) => Promise<readonly Result[]>;
  /**
   * Whether a failure can be that of a single item, and nothing of the batch was done: then each is tried by itself. Any
   * other failure is that of the whole batch, and nothing of it is tried again.
   */
  readonly isOfOne: (error: unknown) => boolean;
}

interface Group<Item, Result> {
  readonly waiting: Set<Member<Item, Result>>;
  underWay: number;
  readonly keysUnderWay: Set<unknown>;
}

export class Coalescer<Item, Result> {
  readonly #options: CoalescerOptions<Item, Result>;
  readonly #groups = new Map<unknown, Group<Item, Result>>();
  #toldWhenIdle: (() => void)[] = [];

  constructor(options: CoalescerOptions<Item, Result>) {
    this.#options = options;
  }

  /** Whoever cancels has the signal's reason at once. What is under way ends early only if nobody else waits for it. */
  add(item: Item, cancel?: AbortSignal): Promise<Result> {
    if (cancel?.aborted) return Promise.reject(cancel.reason);
    const { mostWaiting = Number.POSITIVE_INFINITY, takesWholeTurn } = this.#options;
    const name = this.#options.group?.(item);
    const group = this.#groups.get(name) ?? { waiting: new Set(), underWay: 0, keysUnderWay: new Set() };
    if (group.waiting.size >= mostWaiting) return Promise.reject(new TooManyWaiting());
    this.#groups.set(name, group);
    const member = new Member<Item, Result>(item, cancel);
    member.onLeave = () => group.waiting.delete(member);
    group.waiting.add(member);
    if (takesWholeTurn) setImmediate(() => this.#start(name));
    else this.#start(name);
    return member.promise;
  }

  /** When everything that was added is done. */
  async idle(): Promise<void> {
    if (this.#groups.size > 0) await new Promise<void>((resolve) => this.#toldWhenIdle.push(resolve));
  }

  /** As many batches as may be under way. */
  #start(name: unknown): void {
    const group = this.#groups.get(name);
    if (group === undefined) return;
    while (group.underWay < this.#options.atOnce) {
      const batch = this.#take(group);
      if (batch.length === 0) break;
      group.underWay++;
      void this.#settle(batch).then(() => {
        group.underWay--;
        for (const { item } of batch) group.keysUnderWay.delete(this.#options.key?.(item));
        this.#start(name);
      });
    }
    if (group.underWay > 0 || group.waiting.size > 0) return;
    this.#groups.delete(name);
    if (this.#groups.size === 0) for (const tell of this.#toldWhenIdle.splice(0)) tell();
  }

  /** Those that have waited longest; whose key is under way waits on. */
  #take({ waiting, keysUnderWay }: Group<Item, Result>): Member<Item, Result>[] {
    const { most, key } = this.#options;
    const batch: Member<Item, Result>[] = [];
    for (const member of waiting) {
      if (batch.length === most) break;
      if (key !== undefined) {
        const name = key(member.item);
        if (keysUnderWay.has(name)) continue;
        keysUnderWay.add(name);
      }
      waiting.delete(member);
      batch.push(member);
    }
    return batch;
  }

  /** Settles all of `members`, which are the batch or one of it, and never rejects. */
  async #settle(members: readonly Member<Item, Result>[], batch = members): Promise<void> {
    const stop = new AbortController();
    let wanted = members.length;
    for (const member of members) {
      member.onLeave = (reason) => {
        if (--wanted === 0) stop.abort(reason);
      };
    }
    try {
      const items = members.map(({ item }) => item);
      const results = await this.#options.work(items, stop.signal);
      for (const [at, member] of members.entries()) member.resolve(results[at] as Result);
    } catch (error) {
      const isOfOne = stop.signal.aborted || this.#options.isOfOne(error);
      if (!isOfOne || members.length === 1) {
        for (const member of isOfOne ? members : batch) member.reject(error);
        return;
      }
      // One after the other: no more is under way than may be, and a fault of all spares those that are left the attempt.
      for (const member of members) if (!member.isSettled) await this.#settle([member], members);
    }
  }
}

class Member<Item, Result> {
  readonly item: Item;
  readonly promise: Promise<Result>;
  isSettled = false;
  /** Told when the caller wants this no more. */
  onLeave: ((reason: unknown) => void) | undefined;
  readonly #outcome = Promise.withResolvers<Result>();
  readonly #cancel: AbortSignal | undefined;

  constructor(item: Item, cancel: AbortSignal | undefined) {
    this.item = item;
    this.promise = this.#outcome.promise;
    this.#cancel = cancel;
    cancel?.addEventListener('abort', this.#onAbort, { once: true });
  }

  resolve(result: Result): void {
    if (this.#settle()) this.#outcome.resolve(result);
  }

  reject(reason: unknown): void {
    if (this.#settle()) this.#outcome.reject(reason);
  }

  readonly #onAbort = (): void => {
    const reason: unknown = this.#cancel?.reason;
    this.reject(reason);
    this.onLeave?.(reason);
  };

  /** Whether it was still open. */
  #settle(): boolean {
    if (this.isSettled) return false;
    this.isSettled = true;
    this.#cancel?.removeEventListener('abort', this.#onAbort);
    return true;
  }
}

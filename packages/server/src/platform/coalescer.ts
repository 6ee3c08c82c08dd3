/**
 * Batches work that is waiting at the same time: a round trip for each item would cost more than the work itself.
 *
 * What comes within one turn of the event loop goes together: under load a turn brings many, and without load it ends at once.
 * While the group has its maximum of batches under way, further items wait for the first of them to end and then go together,
 * longest waiting first. Groups do not wait for each other.
 *
 * Each item stands alone to its caller: it has its own result, its caller may leave, and its own fault fails no other item.
 */
import { TooManyWaitersError } from '@millpond/base';

export interface CoalescerOptions<Item, Result> {
  /** Items in one batch. */
  readonly most: number;
  /** Batches of one group under way at the same time. */
  readonly atOnce: number;
  /** Waiting items of one group; further ones are rejected. Unlimited by default. */
  readonly maxWaiting?: number;
  /** Only items with the same group share a batch. */
  readonly group?: (item: Item) => unknown;
  /** Items of a group that have the same key are never under way at the same time, and keep their order. */
  readonly key?: (item: Item) => unknown;
  /** One result for each item, in their order. The signal fires when nobody waits for any of them any more. */
  readonly work: (items: readonly Item[], cancel: AbortSignal) => Promise<readonly Result[]>;
  /**
   * Whether a failure may come from a single item, with nothing of the batch done: then each item is tried by itself. Any other
   * failure is that of the whole batch, and nothing is retried.
   */
  readonly isOfOne: (error: unknown) => boolean;
}

interface Group<Item, Result> {
  readonly waiting: Set<Member<Item, Result>>;
  underWay: number;
  /** A batch starts at the end of this turn. */
  isDue: boolean;
  readonly keysUnderWay: Set<unknown>;
}

export class Coalescer<Item, Result> {
  readonly #options: CoalescerOptions<Item, Result>;
  readonly #groups = new Map<unknown, Group<Item, Result>>();
  #toldWhenIdle: (() => void)[] = [];

  constructor(options: CoalescerOptions<Item, Result>) {
    this.#options = options;
  }

  /** A caller that cancels gets the signal's reason at once. Work under way ends early only if nobody else waits for it. */
  add(item: Item, cancel?: AbortSignal): Promise<Result> {
    if (cancel?.aborted) return Promise.reject(cancel.reason);
    const { maxWaiting = Number.POSITIVE_INFINITY } = this.#options;
    const name = this.#options.group?.(item);
    const group = this.#groups.get(name) ?? newGroup<Item, Result>();
    if (group.waiting.size >= maxWaiting) return Promise.reject(new TooManyWaitersError());
    this.#groups.set(name, group);
    const member = new Member<Item, Result>(item, cancel);
    member.onLeave = () => group.waiting.delete(member);
    group.waiting.add(member);
    if (!group.isDue && group.underWay < this.#options.atOnce) {
      group.isDue = true;
      setImmediate(() => {
        group.isDue = false;
        this.#start(name);
      });
    }
    return member.promise;
  }

  /** Resolves when everything that was added is done. */
  async idle(): Promise<void> {
    if (this.#groups.size > 0) await new Promise<void>((resolve) => this.#toldWhenIdle.push(resolve));
  }

  /** Starts as many batches as are allowed. */
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

  /** The longest waiting items; an item whose key is under way keeps waiting. */
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

  /** Settles all `members`, which are the batch or one item of it, and never rejects. */
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
      // One after the other: this stays within the limit of work under way, and after a failure of all the rest are spared the
      // attempt.
      for (const member of members) if (!member.isSettled) await this.#settle([member], members);
    }
  }
}

function newGroup<Item, Result>(): Group<Item, Result> {
  return { waiting: new Set(), underWay: 0, isDue: false, keysUnderWay: new Set() };
}

class Member<Item, Result> {
  readonly item: Item;
  readonly promise: Promise<Result>;
  isSettled = false;
  /** Called when the caller no longer wants this. */
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

  /** Returns whether it was still open. */
  #settle(): boolean {
    if (this.isSettled) return false;
    this.isSettled = true;
    this.#cancel?.removeEventListener('abort', this.#onAbort);
    return true;
  }
}

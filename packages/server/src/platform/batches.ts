/**
 * Work that waits at the same time, done together: one batch at a time, and what comes meanwhile is the next one. Items with
 * the same key are never in one batch, and keep their order. So many may wait; whoever comes beyond that is turned away.
 */
import { Fault } from '@millpond/protocol';
import { TooManyWaiting } from './gate.ts';

export interface BatchOptions<Item, Result> {
  /** In one batch. */
  readonly most: number;
  readonly mostWaiting: number;
  readonly key: (item: Item) => unknown;
  /** One result for each item, in their order. */
  readonly work: (items: readonly Item[]) => Promise<readonly Result[]>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/** What a single item can cause in a database: a value that it refuses. The others of its batch are not to suffer. */
const FAULT_OF_AN_ITEM = /^2[23]/;

export class Batches<Item, Result> {
  readonly #options: BatchOptions<Item, Result>;
  #waiting: Waiting<Item, Result>[] = [];
  #running: Promise<void> | undefined;

  constructor(options: BatchOptions<Item, Result>) {
    this.#options = options;
  }

  add(item: Item): Promise<Result> {
    if (this.#waiting.length >= this.#options.mostWaiting) return Promise.reject(new TooManyWaiting());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** When everything that was added is done. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    // Whatever is added in this turn of the event loop belongs to the first batch already.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) await this.#settle(this.#take());
    this.#running = undefined;
  }

  #take(): Waiting<Item, Result>[] {
    const { most, key } = this.#options;
    const keys = new Set<unknown>();
    const taken: Waiting<Item, Result>[] = [];
    this.#waiting = this.#waiting.filter((each) => {
      const name = key(each.item);
      if (taken.length >= most || keys.has(name)) return true;
      keys.add(name);
      taken.push(each);
      return false;
    });
    return taken;
  }

  async #settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#options.work(batch.map(({ item }) => item));
      for (const [at, { resolve }] of batch.entries()) resolve(results[at] as Result);
    } catch (error) {
      if (batch.length > 1 && isFaultOfAnItem(error)) for (const each of batch) await this.#settle([each]);
      else for (const { reject } of batch) reject(error);
    }
  }
}

function isFaultOfAnItem(error: unknown): boolean {
  const cause = error instanceof Fault ? error.cause : undefined;
  return FAULT_OF_AN_ITEM.test((cause as { code?: string } | undefined)?.code ?? '');
}

/**
 * Point reads that wait at the same time, made one statement: a round trip for each costs more than the read itself.
 * A read that finds its group (a bucket) idle is sent at once. While some statements of the group are under way,
 * further reads wait for the first of them to end and then go together. Groups don't wait for each other.
 *
 * To its caller each read stands alone: it sees what was committed before it was asked for, it can be cancelled, and
 * a fault of one key is not that of another.
 */
import { isFaultOfAKey, type Queryable, type Statement } from './database.ts';

/** Statements of one group under way at the same time: enough that a slow one does not hold up all. */
const AT_ONCE = 3;
const MOST_KEYS = 100;

interface Group<Row> {
  underWay: number;
  waiting: Read<Row>[];
}

export class JoinedReads<Row extends { readonly key: string }> {
  readonly #database: Queryable;
  readonly #statement: Statement;
  readonly #groups = new Map<bigint, Group<Row>>();

  /** The statement's values are a group and an array of keys; it gives at most one row per key. */
  constructor(database: Queryable, statement: Statement) {
    this.#database = database;
    this.#statement = statement;
  }

  find(id: bigint, key: string, cancel?: AbortSignal): Promise<Row | undefined> {
    if (cancel?.aborted) return Promise.reject(cancel.reason);
    return new Promise((resolve, reject) => {
      const read = new Read<Row>(key, resolve, reject, cancel);
      let group = this.#groups.get(id);
      if (group === undefined) {
        group = { underWay: 0, waiting: [] };
        this.#groups.set(id, group);
      }
      group.waiting.push(read);
      if (group.underWay < AT_ONCE) void this.#work(id, group);
    });
  }

  async #work(id: bigint, group: Group<Row>): Promise<void> {
    group.underWay++;
    while (group.waiting.length > 0) {
      const reads = group.waiting.splice(0, MOST_KEYS).filter((read) => !read.settled);
      if (reads.length > 0) await this.#read(id, reads);
    }
    group.underWay--;
    if (group.underWay === 0) this.#groups.delete(id);
  }

  /** Settles all of them, and never rejects. */
  async #read(id: bigint, reads: readonly Read<Row>[]): Promise<void> {
    const stop = new AbortController();
    let wanted = reads.length;
    for (const read of reads) {
      read.onCancel = (reason) => {
        if (--wanted === 0) stop.abort(reason);
      };
    }
    try {
      const keys = reads.map((read) => read.key);
      const rows = await this.#database.query<Row>(this.#statement, [id, keys], stop.signal);
      const byKey = new Map(rows.map((row) => [row.key, row]));
      for (const read of reads) read.resolve(byKey.get(read.key));
    } catch (error) {
      if (reads.length > 1 && isFaultOfAKey(error)) for (const read of reads) await this.#read(id, [read]);
      else for (const read of reads) read.reject(error);
    }
  }
}

class Read<Row> {
  readonly key: string;
  settled = false;
  /** Told when the caller wants this no more. */
  onCancel: ((reason: unknown) => void) | undefined;
  readonly #resolve: (row: Row | undefined) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #cancel: AbortSignal | undefined;

  constructor(
    key: string,
    resolve: (row: Row | undefined) => void,
    reject: (reason: unknown) => void,
    cancel: AbortSignal | undefined,
  ) {
    this.key = key;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#cancel = cancel;
    cancel?.addEventListener('abort', this.#onAbort, { once: true });
  }

  resolve(row: Row | undefined): void {
    if (this.#settle()) this.#resolve(row);
  }

  reject(reason: unknown): void {
    if (this.#settle()) this.#reject(reason);
  }

  readonly #onAbort = (): void => {
    const reason = this.#cancel?.reason;
    this.reject(reason);
    this.onCancel?.(reason);
  };

  /** Whether it was still open. */
  #settle(): boolean {
    if (this.settled) return false;
    this.settled = true;
    this.#cancel?.removeEventListener('abort', this.#onAbort);
    return true;
  }
}

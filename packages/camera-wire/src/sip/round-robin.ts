/**
 * Work of many that share a process: each in turn does one thing, and after a few of them the event loop continues with other
 * events. A worker with much to do waits behind its own work.
 */

export interface RoundRobinTask {
  /** Does one thing; returns whether there is more to do at once. */
  work(): boolean;
}

const MAX_CONCURRENT = 16;

export class RoundRobin {
  /** In order of arrival. */
  readonly #waiting = new Set<RoundRobinTask>();
  #next: NodeJS.Immediate | undefined;

  /** Asking twice counts once. */
  schedule(worker: RoundRobinTask): void {
    this.#waiting.add(worker);
    this.#next ??= setImmediate(() => this.#go());
  }

  close(): void {
    clearImmediate(this.#next);
    this.#waiting.clear();
  }

  #go(): void {
    this.#next = undefined;
    let left = MAX_CONCURRENT;
    for (const worker of this.#waiting) {
      if (left-- === 0) break;
      // Removed and, if there is more, added again behind the others: the loop reaches it there.
      this.#waiting.delete(worker);
      if (worker.work()) this.#waiting.add(worker);
    }
    if (this.#waiting.size > 0) this.#next ??= setImmediate(() => this.#go());
  }
}

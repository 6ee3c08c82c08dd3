/**
 * Work of many that share a process: each in turn does one thing, and after a few of them the event loop continues with other
 * events. A worker with much to do waits behind its own work.
 */

export interface Worker {
  /** Does one thing; returns whether there is more to do at once. */
  work(): boolean;
}

const AT_ONCE = 16;

export class Turns {
  /** In order of arrival. */
  readonly #waiting = new Set<Worker>();
  #next: NodeJS.Immediate | undefined;

  /** Asking twice counts once. */
  want(worker: Worker): void {
    this.#waiting.add(worker);
    this.#next ??= setImmediate(() => this.#go());
  }

  close(): void {
    clearImmediate(this.#next);
    this.#waiting.clear();
  }

  #go(): void {
    this.#next = undefined;
    let left = AT_ONCE;
    for (const worker of this.#waiting) {
      if (left-- === 0) break;
      // Removed and, if there is more, added again behind the others: the loop reaches it there.
      this.#waiting.delete(worker);
      if (worker.work()) this.#waiting.add(worker);
    }
    if (this.#waiting.size > 0) this.#next ??= setImmediate(() => this.#go());
  }
}

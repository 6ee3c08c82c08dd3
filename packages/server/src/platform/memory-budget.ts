/** Memory that many share and nobody has paid for yet: whoever comes when it is used up is asked to come again. */
import { Fault } from '@millpond/protocol';

export class MemoryBudget {
  readonly #bytes: number;
  readonly #hint: string;
  #held = 0;

  constructor(bytes: number, hint: string) {
    this.#bytes = bytes;
    this.#hint = hint;
  }

  get heldBytes(): number {
    return this.#held;
  }

  take(bytes: number): void {
    if (this.#held + bytes > this.#bytes)
      throw new Fault('tooManyRequests', { hint: this.#hint, retryAfterSeconds: 1 });
    this.#held += bytes;
  }

  giveBack(bytes: number): void {
    this.#held -= bytes;
  }
}

/**
 * What one of them holds. The first bytes are free: there are no more of them than there are connections, and so nobody who
 * sends little is refused because others hold much.
 */
export class MemoryShare {
  readonly #budget: MemoryBudget;
  #wanted = 0;
  #taken = 0;

  constructor(budget: MemoryBudget) {
    this.#budget = budget;
  }

  take(bytes: number): void {
    const more = Math.max(0, this.#wanted + bytes - FREE_BYTES) - this.#taken;
    if (more > 0) this.#budget.take(more);
    this.#wanted += bytes;
    this.#taken += Math.max(0, more);
  }

  giveBack(): void {
    this.#budget.giveBack(this.#taken);
    this.#wanted = 0;
    this.#taken = 0;
  }
}

export const FREE_BYTES = 16 * 1024;

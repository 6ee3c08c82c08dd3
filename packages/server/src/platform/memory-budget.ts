/**
 * Memory that many share and nobody has paid for yet: whoever comes when it is used up is asked to come again. No holder
 * gets more than it leaves for the others: alone it has half, one of three greedy ones a quarter, and as much is always
 * left for whoever comes next.
 */
import { Fault } from '@millpond/protocol';

export class MemoryBudget {
  readonly #bytes: number;
  readonly #hint: string;
  #held = 0;
  readonly #holders = new Map<string, number>();

  constructor(bytes: number, hint: string) {
    this.#bytes = bytes;
    this.#hint = hint;
  }

  get heldBytes(): number {
    return this.#held;
  }

  /** An account, an address: of each it is asked that it leave enough. */
  take(bytes: number, holders: readonly string[]): void {
    const left = this.#bytes - this.#held - bytes;
    if (left < 0 || holders.some((holder) => this.#of(holder) + bytes > left)) throw this.#refusal();
    this.#held += bytes;
    for (const holder of holders) this.#holders.set(holder, this.#of(holder) + bytes);
  }

  /** What is taken already counts for somebody else too. */
  charge(bytes: number, holder: string): void {
    const held = this.#of(holder) + bytes;
    if (held > this.#bytes - this.#held) throw this.#refusal();
    this.#holders.set(holder, held);
  }

  giveBack(bytes: number, holders: readonly string[]): void {
    this.#held -= bytes;
    for (const holder of holders) {
      const left = this.#of(holder) - bytes;
      if (left > 0) this.#holders.set(holder, left);
      else this.#holders.delete(holder);
    }
  }

  #of(holder: string): number {
    return this.#holders.get(holder) ?? 0;
  }

  #refusal(): Fault {
    return new Fault('tooManyRequests', { hint: this.#hint, retryAfterSeconds: 1 });
  }
}

/**
 * What one of them holds. The first bytes are free: there are no more of them than there are connections, and so nobody who
 * sends little is refused because others hold much.
 */
export class MemoryShare {
  readonly #budget: MemoryBudget;
  readonly #holders: string[];
  readonly #free: number;
  #wanted = 0;
  #taken = 0;

  constructor(budget: MemoryBudget, holders: readonly string[], free = FREE_BYTES) {
    this.#budget = budget;
    this.#holders = [...holders];
    this.#free = free;
  }

  take(bytes: number): void {
    const more = Math.max(0, this.#wanted + bytes - this.#free) - this.#taken;
    if (more > 0) this.#budget.take(more, this.#holders);
    this.#wanted += bytes;
    this.#taken += Math.max(0, more);
  }

  /** Once it is known whose it is. */
  charge(holder: string): void {
    if (this.#taken > 0) this.#budget.charge(this.#taken, holder);
    this.#holders.push(holder);
  }

  giveBack(): void {
    this.#budget.giveBack(this.#taken, this.#holders);
    this.#wanted = 0;
    this.#taken = 0;
  }
}

export const FREE_BYTES = 16 * 1024;

/**
 * Memory that many share before they are authenticated: when it is used up, new ones are asked to retry. No holder gets more
 * than it leaves for the others: alone it gets half, one of three greedy ones a quarter, and the same amount is always left for
 * the next one.
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

  /** Holders are accounts or addresses: each must leave enough for the others. */
  acquire(bytes: number, holders: readonly string[]): void {
    if (!this.tryTake(bytes, holders)) throw this.refusal();
  }

  /** The same for callers that cannot answer with a fault: returns whether there was room. */
  tryTake(bytes: number, holders: readonly string[]): boolean {
    const left = this.#bytes - this.#held - bytes;
    if (left < 0 || holders.some((holder) => this.#of(holder) + bytes > left)) return false;
    this.#held += bytes;
    for (const holder of holders) this.#holders.set(holder, this.#of(holder) + bytes);
    return true;
  }

  /** Charges bytes that are already taken to another holder as well. */
  charge(bytes: number, holder: string): void {
    const held = this.#of(holder) + bytes;
    if (held > this.#bytes - this.#held) throw this.refusal();
    this.#holders.set(holder, held);
  }

  release(bytes: number, holders: readonly string[]): void {
    this.#held -= bytes;
    for (const holder of holders) {
      const left = this.#of(holder) - bytes;
      if (left > 0) this.#holders.set(holder, left);
      else this.#holders.delete(holder);
    }
  }

  refusal(): Fault {
    return new Fault('tooManyRequests', { hint: this.#hint, retryAfterSeconds: 1 });
  }

  #of(holder: string): number {
    return this.#holders.get(holder) ?? 0;
  }
}

/**
 * What one holder has. The first bytes are free: there are no more of them than connections, so a client that sends little is
 * never refused because others hold much.
 */
export class MemoryReservation {
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

  acquire(bytes: number): void {
    if (!this.tryReserve(this.#wanted + bytes)) throw this.#budget.refusal();
  }

  /** Sets the total, more or less than before. False: there is no room for more, and the total is unchanged. */
  tryReserve(bytes: number): boolean {
    const more = Math.max(0, bytes - this.#free) - this.#taken;
    if (more > 0 && !this.#budget.tryTake(more, this.#holders)) return false;
    if (more < 0) this.#budget.release(-more, this.#holders);
    this.#wanted = bytes;
    this.#taken += more;
    return true;
  }

  /** Call this once the owner is known. */
  charge(holder: string): void {
    if (this.#taken > 0) this.#budget.charge(this.#taken, holder);
    this.#holders.push(holder);
  }

  release(): void {
    this.tryReserve(0);
  }
}

export const FREE_BYTES = 16 * 1024;

/**
 * Completions that name thousands of parts take the processor for a tenth of a second each, to read them and to look them up. Few
 * of them are read at a time, tenants take turns, and between two of them everybody else is served.
 */
import { setImmediate as othersServed } from 'node:timers/promises';
import { FairSemaphore, TooManyWaitersError } from '@millpond/base';
import { Fault } from '@millpond/protocol';

/** Some hundreds of parts: below that, a completion costs no more than any other call. */
const LARGE_BYTES = 64 * 1024;
/** Each of them holds its body. */
const MAX_WAITING = 64;

export interface CompletionBody {
  readonly tenant: bigint;
  readonly bytes: number;
  readonly cancel: AbortSignal;
}

export class LargeCompletions {
  readonly #gate = new FairSemaphore<bigint>({ slots: 2, slotsEach: 1, waiting: MAX_WAITING });

  /** `read` must not wait for a client or for another server: others wait for it. */
  async inTurn<T>({ tenant, bytes, cancel }: CompletionBody, read: () => Promise<T>): Promise<T> {
    if (bytes < LARGE_BYTES) return read();
    const leave = await this.#enter(tenant, cancel);
    try {
      await othersServed();
      return await read();
    } finally {
      leave();
    }
  }

  async #enter(tenant: bigint, cancel: AbortSignal): Promise<() => void> {
    try {
      return await this.#gate.enter(tenant, cancel);
    } catch (error) {
      if (!(error instanceof TooManyWaitersError)) throw error;
      throw new Fault('tooManyRequests', { hint: 'too many large uploads are being completed; try again' });
    }
  }
}

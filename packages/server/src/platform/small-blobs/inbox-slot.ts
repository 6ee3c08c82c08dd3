/**
 * Which slot of the inbox is open, as this process last heard. It is asked again in the background while it is used, so no
 * upload waits for it; what went to a slot that has been closed since is packed all the same.
 */
import type { InboxState } from './small-blobs.store.ts';

const QUERY_INTERVAL_MS = 1_000;
/** How long an old reader that has left may come back: while it restarts or looks for the database, it is not connected. */
const RETURN_MS = 60_000;

export interface InboxSlotOptions {
  readonly ask: () => Promise<InboxState>;
  /** When the inbox holds this much, nothing more goes into it before some of it is packed. */
  readonly maxBytes: number;
  readonly now?: () => number;
}

export class InboxSlot {
  readonly #options: InboxSlotOptions;
  readonly #now: () => number;
  #known: InboxState | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  /** During an upgrade, others still have to find every object in the engine. */
  #closedUntil = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;

  constructor(options: InboxSlotOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Undefined if nothing may go into the inbox now. */
  slot(): number | undefined {
    if (this.#now() - this.#askedAt >= QUERY_INTERVAL_MS) void this.refresh();
    if (this.#known === undefined) return undefined;
    const { slot, bytes } = this.#known;
    return bytes >= this.#options.maxBytes || this.#now() < this.#closedUntil ? undefined : slot;
  }

  /** Never rejects: while the database does not answer, the last answer holds, and no commit succeeds anyway. */
  refresh(): Promise<void> {
    // One question at a time: a database that hangs would otherwise get one connection after the other.
    this.#asking ??= this.#refresh().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #refresh(): Promise<void> {
    this.#askedAt = this.#now();
    try {
      this.#known = await this.#options.ask();
      if (this.#known.has_old_reader) this.#closedUntil = Number.POSITIVE_INFINITY;
      else if (this.#closedUntil === Number.POSITIVE_INFINITY) this.#closedUntil = this.#now() + RETURN_MS;
    } catch {
      // Asked again by the next upload.
    }
  }
}

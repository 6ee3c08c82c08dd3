/**
 * When each access key was last used, and from where: noted in memory and written once a minute, all keys in one statement, so that
 * a request costs no more than a look into a map. A killed process loses a minute of it.
 */
import { copyString } from '@millpond/base';
import type { KeyStore } from './key.store.ts';

export interface KeyLastUse {
  /** Milliseconds of the unix epoch. */
  at: number;
  address: string;
}

const FLUSH_MS = 60_000;
/** As many as the keyring remembers. Beyond them, a use goes unnoted until the next minute. */
const MAX_BUFFERED_KEYS = 50_000;

export class KeyUseRecorder {
  readonly #store: KeyStore;
  #held = new Map<string, KeyLastUse>();
  #flushing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: KeyStore) {
    this.#store = store;
  }

  note(accessKey: string, address: string): void {
    const use = this.#held.get(accessKey);
    if (use !== undefined) {
      use.at = Date.now();
      if (use.address !== address) use.address = copyString(address);
    } else if (this.#held.size < MAX_BUFFERED_KEYS) {
      this.#held.set(copyString(accessKey), { at: Date.now(), address: copyString(address) });
      this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
    }
  }

  /** What is not written yet. */
  of(accessKey: string): Readonly<KeyLastUse> | undefined {
    return this.#held.get(accessKey);
  }

  /** One at a time; uses during a flush go with the next. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#flushing !== undefined) await this.#flushing;
    if (this.#held.size === 0) return;
    this.#flushing = this.#handOver().finally(() => {
      this.#flushing = undefined;
    });
    await this.#flushing;
  }

  async #handOver(): Promise<void> {
    const uses = this.#held;
    this.#held = new Map();
    try {
      await this.#store.setUses(uses);
    } catch {
      // Written twice does no harm. Whoever needs the database now reports that it is away.
      for (const [accessKey, use] of this.#held) uses.set(accessKey, use);
      this.#held = uses;
      this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
    }
  }
}

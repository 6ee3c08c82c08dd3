/** Gateways as a load balancer sees them: each is asked every second whether it is ready, and gets requests only if it was. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@millpond/testing';

const ASK_EVERY_MS = 1_000;

export interface Gateway {
  readonly url: string;
  readonly adminUrl: string;
}

export class Gateways {
  readonly #all: readonly Gateway[];
  #ready: readonly string[];

  constructor(all: readonly Gateway[]) {
    this.#all = all;
    this.#ready = all.map(({ url }) => url);
  }

  get ready(): readonly string[] {
    return this.#ready;
  }

  /** Where the next request goes; `failed`: where the one before did, if this is its repetition. */
  pick(random: Random, failed?: string): string {
    const others = (urls: readonly string[]) => urls.filter((url) => url !== failed);
    const found = [others(this.#ready), this.#ready, this.#all.map(({ url }) => url)];
    return random.pick(found.find((urls) => urls.length > 0) ?? []);
  }

  async watch(stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      const areReady = await Promise.all(this.#all.map(({ adminUrl }) => isReady(adminUrl)));
      this.#ready = this.#all.filter((_, number) => areReady[number]).map(({ url }) => url);
      await sleep(ASK_EVERY_MS);
    }
  }
}

async function isReady(adminUrl: string): Promise<boolean> {
  try {
    return (await fetch(`${adminUrl}/readyz`, { signal: AbortSignal.timeout(ASK_EVERY_MS) })).ok;
  } catch {
    return false;
  }
}

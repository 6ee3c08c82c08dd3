/** Gateways as a load balancer sees them: each is asked every second, by itself, whether it is ready, and gets requests only if it was. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@millpond/testing';

const QUERY_INTERVAL_MS = 1_000;

export interface Gateway {
  readonly url: string;
  readonly adminUrl: string;
}

export class Gateways {
  readonly #all: readonly Gateway[];
  readonly #patienceMs: number;
  readonly #ready: Set<string>;

  /** Without an answer within `patienceMs`, a gateway is not ready. */
  constructor(all: readonly Gateway[], patienceMs = QUERY_INTERVAL_MS) {
    this.#all = all;
    this.#patienceMs = patienceMs;
    this.#ready = new Set(all.map(({ url }) => url));
  }

  get ready(): readonly string[] {
    return this.#all.map(({ url }) => url).filter((url) => this.#ready.has(url));
  }

  /** Where the next request goes; `failed`: where the one before did, if this is its repetition. */
  pick(random: Random, failed?: string): string {
    const others = (urls: readonly string[]) => urls.filter((url) => url !== failed);
    const found = [others(this.ready), this.ready, this.#all.map(({ url }) => url)];
    return random.pick(found.find((urls) => urls.length > 0) ?? []);
  }

  async watch(stopped: AbortSignal): Promise<void> {
    const watchOne = async ({ url, adminUrl }: Gateway) => {
      while (!stopped.aborted) {
        if (await isReady(adminUrl, this.#patienceMs)) this.#ready.add(url);
        else this.#ready.delete(url);
        await sleep(QUERY_INTERVAL_MS);
      }
    };
    await Promise.all(this.#all.map(watchOne));
  }
}

async function isReady(adminUrl: string, patienceMs: number): Promise<boolean> {
  try {
    return (await fetch(`${adminUrl}/readyz`, { signal: AbortSignal.timeout(patienceMs) })).ok;
  } catch {
    return false;
  }
}

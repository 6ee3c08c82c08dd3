/** Whether a request could be served now. Asked by whoever sends requests here: load balancers, supervisors and people. */
import type { SmallBlobs } from '../platform/small-blobs/index.ts';
import type { ArchiveTierCheck } from './archive-tier-check.ts';

export interface ReadinessDeps {
  readonly region: { ping(): Promise<void> };
  readonly blobs: Pick<SmallBlobs, 'ping'>;
  readonly coldWatch: Pick<ArchiveTierCheck, 'fault'>;
}

const PING_MS = 2_000;
/** At most one probe of strangers reaches the engines in this time. */
const FRESH_MS = 1_000;

export class Readiness {
  readonly #deps: ReadinessDeps;
  #notYet: string | undefined = 'starting';
  #recent: { readonly until: number; readonly isReady: Promise<boolean> } | undefined;

  constructor(deps: ReadinessDeps) {
    this.#deps = deps;
  }

  get draining(): boolean {
    return this.#notYet === DRAINING;
  }

  /** Why nothing is served yet, or any more. */
  notYet(reason: string): void {
    this.#notYet = reason;
  }

  started(): void {
    this.#notYet = undefined;
  }

  drain(): void {
    this.#notYet = DRAINING;
  }

  /** Resolves when a request could be served now, with the parts that are degraded; rejects with the reason. */
  async check(): Promise<readonly string[]> {
    const { region, blobs, coldWatch } = this.#deps;
    if (this.#notYet !== undefined) throw new Error(this.#notYet);
    await Promise.all([region.ping(), blobs.ping(AbortSignal.timeout(PING_MS))]);
    return coldWatch.fault === undefined ? [] : [`archive classes: ${coldWatch.fault}`];
  }

  /** The same without a reason, for those who need not be known: as of a second ago. */
  isReady(): Promise<boolean> {
    const now = performance.now();
    if (this.#recent === undefined || now >= this.#recent.until) {
      const isReady = this.check().then(
        () => true,
        () => false,
      );
      this.#recent = { until: now + FRESH_MS, isReady };
    }
    return this.#recent.isReady;
  }
}

const DRAINING = 'shutting down';

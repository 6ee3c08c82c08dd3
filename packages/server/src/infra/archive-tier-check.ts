/**
 * Checks now and then whether the engine accepts cold bytes: without a storage class for them everything works except the
 * archive classes, and that would be noticed only when the first object is to be moved.
 */
import type { Log } from '@millpond/base';
import type { BlobStore } from '@millpond/blobs';

export interface ArchiveTierCheckDeps {
  readonly blobs: Pick<BlobStore, 'probeColdClass'>;
  readonly log: Pick<Log, 'warn' | 'info'>;
}

export interface ArchiveTierCheck {
  /** What the last check found; undefined: nothing, or no check has run yet. */
  readonly fault: string | undefined;
  start(): void;
  close(): Promise<void>;
}

/** Rarely, because the check writes; more often while something needs fixing. */
const INTERVAL_MS = { good: 600_000, bad: 30_000 };
const RESPONSE_TIMEOUT_MS = 20_000;

export function openArchiveTierCheck(
  { blobs, log }: ArchiveTierCheckDeps,
  everyMs: typeof INTERVAL_MS = INTERVAL_MS,
): ArchiveTierCheck {
  let fault: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  const closed = new AbortController();

  async function look(): Promise<void> {
    try {
      const signal = AbortSignal.any([closed.signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]);
      const found = await blobs.probeColdClass(signal);
      if (found !== undefined && found !== fault) log.warn({ fault: found }, 'archive classes are off');
      if (found === undefined && fault !== undefined) log.info('archive classes are on again');
      fault = found;
    } catch {
      // An engine that does not answer is reported elsewhere; the previous finding still counts.
    }
    if (!closed.signal.aborted) again(fault === undefined ? everyMs.good : everyMs.bad);
  }

  function again(afterMs: number): void {
    timer = setTimeout(() => {
      looking = look();
    }, afterMs).unref();
  }

  return {
    get fault() {
      return fault;
    },
    start() {
      looking = look();
    },
    async close() {
      closed.abort();
      clearTimeout(timer);
      await looking;
    },
  };
}

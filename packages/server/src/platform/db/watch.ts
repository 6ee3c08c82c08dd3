/**
 * Notices a primary that has gone without a word (its machine lost power, or hangs) while statements wait for its answer:
 * they would wait until their own time-out. It only asks; connections are ended when another host has become the primary.
 */
import type { Primary } from './primary.ts';

const INTERVAL_MS = 1_000;
/** How long one look for another primary lasts; the next begins at once. */
const CHECK_TIMEOUT_MS = 3_000;

export interface Watched {
  readonly primary: Primary;
  /** Whether anybody waits for an answer. */
  readonly isBusy: () => boolean;
  /** Throws if the primary does not answer in time. */
  readonly ask: () => Promise<unknown>;
}

/** Ends with `stop`. */
export function watchPrimary({ primary, isBusy, ask }: Watched): { stop(): void } {
  let isAsking = false;
  const look = async (): Promise<void> => {
    const { at } = primary;
    try {
      if (at !== undefined) await ask();
      else await primary.find(performance.now() + CHECK_TIMEOUT_MS);
    } catch (error) {
      if (at !== undefined) primary.lost(at, error);
    }
  };
  const timer = setInterval(() => {
    if (isAsking || !isBusy()) return;
    isAsking = true;
    void look().finally(() => {
      isAsking = false;
    });
  }, INTERVAL_MS).unref();
  return { stop: () => clearInterval(timer) };
}

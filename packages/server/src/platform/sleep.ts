/** Waiting: for some time, or for work that may take too long. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Sleeps this long, or until the signal fires: the caller checks the signal next. */
export async function abortableSleep(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

/** Waits for all of the work, but no longer than the given time. */
export async function settledWithin(milliseconds: number, work: Iterable<Promise<void>>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([Promise.allSettled(work), timeUp]);
  clearTimeout(timer);
}

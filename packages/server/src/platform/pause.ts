import { setTimeout as sleep } from 'node:timers/promises';

/** Sleeps this long, or until the signal fires: the caller checks the signal next. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

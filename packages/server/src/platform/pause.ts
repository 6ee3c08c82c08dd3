import { setTimeout as sleep } from 'node:timers/promises';

/** Sleeps so long, or until the signal: whoever calls it looks at the signal next. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

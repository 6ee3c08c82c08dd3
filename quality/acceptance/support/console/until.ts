import { setTimeout as sleep } from 'node:timers/promises';

/** What is found there sooner or later; outside of a test there is no `expect.poll`. */
export async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(50);
  }
}

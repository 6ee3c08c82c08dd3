/** Tokens that end while a test looks: good for what comes first, however long a busy machine takes for it, and over soon. */
import { setTimeout as sleep } from 'node:timers/promises';

const now = () => Math.floor(Date.now() / 1000);

/** Does something by a deadline. What fails when that has passed is done again, with more time. */
export async function beforeDeadline<T>(
  work: (deadline: number) => Promise<T>,
): Promise<{ readonly result: T; readonly deadline: number }> {
  let failure: unknown;
  for (const seconds of [3, 15, 75]) {
    const deadline = now() + seconds;
    try {
      return { result: await work(deadline), deadline };
    } catch (error) {
      if (now() < deadline) throw error;
      failure = error;
    }
  }
  throw failure;
}

/** The clock is the one of the server and its database. */
export async function untilPast(deadline: number): Promise<void> {
  while (Date.now() < deadline * 1000 + 100) await sleep(deadline * 1000 + 100 - Date.now());
}

/**
 * A commit whose answer was lost with its connection: the object may be there or not. If it is, its blob says so, and the
 * upload is answered as if nothing had happened. If it is not there yet, that proves nothing: the old connection's commit may
 * still be under way, such as waiting for a standby. So the answer is then that the outcome is unknown.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '@millpond/protocol';
import { isOutcomeUnknown } from '../../platform/db/sqlstate.ts';
import { abortableSleep } from '../../platform/sleep.ts';

const ASK_FOR_MS = 4_000;
const FIRST_PAUSE_MS = 100;

/** What `find` gives within a few seconds after `error`; otherwise throws, and says if the outcome is unknown. */
export async function recoverLostCommit<T>(error: unknown, find: () => Promise<T | undefined>): Promise<T> {
  if (!(error instanceof Fault && error.cause !== undefined && isOutcomeUnknown(error.cause))) throw error;
  const timeUp = new AbortController();
  const found = await Promise.race([
    findPatiently(find, timeUp.signal),
    sleep(ASK_FOR_MS, undefined, { signal: timeUp.signal }).catch(() => undefined),
  ]);
  timeUp.abort();
  if (found !== undefined) return found;
  throw new Fault('serverFailure', {
    hint: 'it is unknown whether this was stored: send it again',
    detail: error.message,
    cause: error.cause,
  });
}

async function findPatiently<T>(
  find: () => Promise<T | undefined>,
  timeUp: AbortSignal,
): Promise<T | undefined> {
  for (let ms = FIRST_PAUSE_MS; !timeUp.aborted; ms *= 2) {
    // A database that can't be asked either leaves the outcome unknown.
    const found = await find().catch(() => undefined);
    if (found !== undefined) return found;
    await abortableSleep(ms, timeUp);
  }
  return undefined;
}

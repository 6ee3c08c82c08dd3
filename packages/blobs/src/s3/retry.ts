/** Retries: only failures that may be transient, a few times, with growing pauses, within a deadline. */
import { setTimeout as sleep } from 'node:timers/promises';
import { BlobStoreUnavailableError } from '../errors.ts';
import type { S3Limits } from './options.ts';

export type RetryLimits = Pick<S3Limits, 'tries' | 'retryFor' | 'retryDelay'>;

/** Counts the failures of one call. `next` resolves when it is time for another try, or throws what it was given. */
export function createRetries(limits: RetryLimits, signal: AbortSignal | undefined) {
  const started = performance.now();
  let failures = 0;
  return {
    async next(error: unknown): Promise<void> {
      signal?.throwIfAborted();
      if (!(error instanceof BlobStoreUnavailableError) || !error.retryable) throw error;
      failures++;
      const pause = pauseBefore(failures, error, limits);
      if (failures >= limits.tries || performance.now() - started + pause > limits.retryFor) throw error;
      if (pause > 0) {
        try {
          await sleep(pause, undefined, signal ? { signal } : {});
        } catch {
          throw signal?.reason;
        }
      }
    },
  };
}

function pauseBefore(failures: number, error: BlobStoreUnavailableError, limits: RetryLimits): number {
  // If the engine closed a keep-alive connection just as we used it, that says nothing about the engine's state.
  if (failures === 1 && error.detail.startsWith(CONNECTION_LOST)) return 0;
  return limits.retryDelay * 3 ** (failures - 1) * (0.5 + Math.random());
}

export const CONNECTION_LOST = 'connection to the engine lost';

export async function withRetries<T>(
  limits: RetryLimits,
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  const retries = createRetries(limits, signal);
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      await retries.next(error);
    }
  }
}

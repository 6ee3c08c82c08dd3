/**
 * How long a transfer waits for a server that is away. The time counts from the first failure since something succeeded, for all
 * files together: thousands of them would wait for hours otherwise, each for itself.
 */
import type { RetryOptions } from '@millpond/client';

/** A server that is back is noticed within so long. */
const LONGEST_PAUSE_MS = 5000;
/** Many files fail together: once in a while is enough. */
const TOLD_EVERY_MS = 10_000;
/** Even who doesn't want to wait is not told of a failure for the sake of an instant. */
const LEAST_MS = 10_000;

export interface PatienceOptions {
  readonly seconds: number;
  readonly tell: (error: unknown) => void;
  readonly now?: () => number;
}

export function patienceFor({ seconds, tell, now = () => performance.now() }: PatienceOptions): RetryOptions {
  let awaySince: number | undefined;
  let told = Number.NEGATIVE_INFINITY;
  const awayMs = () => (awaySince === undefined ? 0 : now() - awaySince);
  return {
    longestPause: LONGEST_PAUSE_MS,
    get atLeast() {
      return Math.max(0, seconds * 1000 - awayMs());
    },
    /** Of what begins after all that time, one: it would be the first to find the server back. */
    get tries() {
      return awayMs() > Math.max(seconds * 1000, LEAST_MS) ? 1 : 6;
    },
    onSuccess() {
      awaySince = undefined;
    },
    onRetry(error) {
      awaySince ??= now();
      if (now() - told < TOLD_EVERY_MS) return;
      told = now();
      tell(error);
    },
  };
}

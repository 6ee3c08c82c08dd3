/**
 * How long a transfer waits for an unreachable server. The time counts from the first failure since the last success,
 * for all files together: otherwise thousands of them would wait for hours, each on its own.
 */
import type { RetryOptions } from '@millpond/client';

/** A server that is back is noticed within this time. */
const MAX_PAUSE_MS = 5000;
/** Many files fail together: one message now and then is enough. */
const REPORT_INTERVAL_MS = 10_000;
/** Even a user who doesn't want to wait should not see a failure over a momentary outage. */
const MIN_OUTAGE_MS = 10_000;

export interface OutageOptions {
  readonly seconds: number;
  readonly tell: (error: unknown) => void;
  readonly now?: () => number;
}

export function outageRetries({ seconds, tell, now = () => performance.now() }: OutageOptions): RetryOptions {
  let awaySince: number | undefined;
  let told = Number.NEGATIVE_INFINITY;
  const awayMs = () => (awaySince === undefined ? 0 : now() - awaySince);
  return {
    longestPause: MAX_PAUSE_MS,
    get atLeast() {
      return Math.max(0, seconds * 1000 - awayMs());
    },
    /** After all that time, whatever begins gets one try: it would be the first to find the server back. */
    get tries() {
      return awayMs() > Math.max(seconds * 1000, MIN_OUTAGE_MS) ? 1 : 6;
    },
    onSuccess() {
      awaySince = undefined;
    },
    onRetry(error) {
      awaySince ??= now();
      if (now() - told < REPORT_INTERVAL_MS) return;
      told = now();
      tell(error);
    },
  };
}

/**
 * What may be retried, and when. Refusals are final; faults of the server or the connection are retried with growing
 * pauses, but a call that is not repeatable only if it can't have been carried out at all.
 */
import { MillpondError } from './error.ts';

export interface RetryOptions {
  /** Tries in all; default 6. */
  readonly tries?: number;
  /** Pause before the second try, in milliseconds; doubles each time. Default 200. */
  readonly firstPause?: number;
  /** Default 10 s. */
  readonly longestPause?: number;
  /**
   * Milliseconds: while a server is unreachable, retries go on for this long, however many they are. Default 0: `tries`
   * alone decides.
   */
  readonly atLeast?: number;
  /** Called for each failure that is retried. */
  readonly onRetry?: (error: unknown) => void;
  readonly onSuccess?: () => void;
}

export interface Retried {
  readonly signal?: AbortSignal | undefined;
  /** Whether the call may be carried out twice without harm. */
  readonly repeatable: boolean;
}

const DEFAULTS = { tries: 6, firstPause: 200, longestPause: 10_000, atLeast: 0 };
const MAX_DOUBLINGS = 20;
/** No wait is longer than this, whatever a server asks for. */
const MAX_WAIT_MS = 60_000;
/** Answers of servers, and of proxies in front of them, that say nothing about the request, or that it arrived damaged. */
const TRANSIENT_STATUSES = new Set([406, 408, 425, 429, 500, 502, 503, 504, 573, 599]);
/** Among these, those after which the request certainly had no effect. */
const REFUSED_UNSEEN = new Set([425, 429, 503, 573]);
/** Answers of a proxy whose server is unreachable, or of a server that can't work now. */
const AWAY = new Set([429, 502, 503, 504, 573, 599]);

export function mayRetry(error: unknown, repeatable: boolean): boolean {
  if (!(error instanceof MillpondError) || error.final) return false;
  if (error.unsent) return true;
  if (error.status === 417 && error.retryAfter !== undefined) return true;
  if (error.status === 0)
    return repeatable && (error.code === 'network' || error.code === 'timeout' || error.code === 'integrity');
  return repeatable ? TRANSIENT_STATUSES.has(error.status) : REFUSED_UNSEEN.has(error.status);
}

/** A problem of the server or the connection, not of the request. */
function isAway(error: unknown): boolean {
  if (!(error instanceof MillpondError)) return false;
  if (error.status === 0) return error.code === 'network' || error.code === 'timeout';
  return AWAY.has(error.status);
}

export async function withRetries<T>(
  attempt: (tries: number) => Promise<T>,
  options: RetryOptions | undefined,
  { signal, repeatable }: Retried,
): Promise<T> {
  const { tries, firstPause, longestPause, atLeast, onRetry, onSuccess } = { ...DEFAULTS, ...options };
  const begun = performance.now();
  for (let done = 1; ; done++) {
    try {
      throwIfCancelled(signal);
      const result = await attempt(done);
      onSuccess?.();
      return result;
    } catch (error) {
      const isOver = done >= tries && !(isAway(error) && performance.now() - begun < atLeast);
      if (isOver || signal?.aborted || !mayRetry(error, repeatable)) throw error;
      onRetry?.(error);
      const backOff = Math.min(longestPause, firstPause * 2 ** Math.min(done - 1, MAX_DOUBLINGS));
      const asked = error instanceof MillpondError ? (error.retryAfter ?? 0) : 0;
      // Random jitter, so that clients that failed together don't come back together.
      await pause(Math.min(MAX_WAIT_MS, Math.max(asked, backOff * (0.5 + Math.random() / 2))), signal);
    }
  }
}

export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted)
    throw new MillpondError('cancelled', 'the call was cancelled', { cause: signal.reason });
}

export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new MillpondError('cancelled', 'the call was cancelled', { cause: signal?.reason }));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

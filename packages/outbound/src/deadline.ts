/** The time limit of one call: the total deadline and the caller's signal as one signal, whose reason is the fault. */
import { OutboundFault } from './faults.ts';

export interface Deadline {
  readonly signal: AbortSignal;
  /** The call is over; cleans up everything. */
  clear(): void;
}

export function startDeadline(totalMs: number, signal: AbortSignal | undefined): Deadline {
  const end = new AbortController();
  const onAbort = (): void =>
    end.abort(new OutboundFault('aborted', 'the request was cancelled', { cause: signal?.reason }));
  const timer = setTimeout(
    () => end.abort(new OutboundFault('timeout', 'the whole exchange took too long')),
    totalMs,
  );
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: end.signal,
    clear() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}

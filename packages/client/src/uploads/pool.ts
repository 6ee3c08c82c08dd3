/** Runs numbered jobs, a fixed number at a time; the first failure stops the rest and is thrown once all have ended. */
import { throwIfCancelled } from '../core/retry.ts';

export async function runPool(
  count: number,
  concurrency: number,
  signal: AbortSignal | undefined,
  work: (index: number, cancel: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const cancel = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  let next = 0;
  const lane = async () => {
    while (next < count && !cancel.aborted) {
      const index = next++;
      try {
        await work(index, cancel);
      } catch (error) {
        stop.abort(error);
        throw error;
      }
    }
  };
  const lanes = Array.from({ length: Math.max(1, Math.min(concurrency, count)) }, lane);
  const ended = await Promise.allSettled(lanes);
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw stop.signal.aborted ? stop.signal.reason : failed.reason;
  throwIfCancelled(signal);
}

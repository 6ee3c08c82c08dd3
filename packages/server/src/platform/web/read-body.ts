/**
 * Reads the body of a request, chunk by chunk, no faster than it is taken. Uses events: iteration costs promises for each
 * chunk, which most chunks do not need.
 *
 * The stream survives a refusal, paused: its answer goes out on the same connection.
 */
import type { IncomingMessage } from 'node:http';
import { currentTrace, withTrace } from '@millpond/base';

/** A promise means: wait before the next chunk. */
export type TakeChunk = (chunk: Buffer) => Promise<void> | undefined;

/**
 * Resolves when the whole body has been taken; rejects with what `take` threw, when the request ends early, or with the reason
 * of `cancel`.
 */
export function readBody(request: IncomingMessage, take: TakeChunk, cancel?: AbortSignal): Promise<void> {
  // A chunk comes in the context of its connection, not of the request.
  const trace = currentTrace();
  return new Promise((resolve, reject) => {
    let waiting = false;
    let ended = false;
    const letGo = () => {
      request.off('data', onData).off('end', onEnd).off('error', fail).off('close', onClose);
      cancel?.removeEventListener('abort', onCancel);
    };
    const fail = (error: unknown) => {
      letGo();
      request.pause();
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      try {
        const taken = withTrace(trace, () => take(chunk));
        if (taken === undefined) return;
        waiting = true;
        request.pause();
        taken.then(goOn, fail);
      } catch (error) {
        fail(error);
      }
    };
    const goOn = () => {
      waiting = false;
      if (ended) resolve();
      else request.resume();
    };
    // May come while the last chunk is being taken: a pause does not delay it.
    const onEnd = () => {
      letGo();
      ended = true;
      if (!waiting) resolve();
    };
    const onClose = () => fail(request.errored ?? new Error('the request was closed'));
    const onCancel = () => fail(cancel?.reason);
    if (cancel?.aborted) {
      onCancel();
      return;
    }
    cancel?.addEventListener('abort', onCancel, { once: true });
    if (request.destroyed) onClose();
    else request.on('data', onData).on('end', onEnd).on('error', fail).on('close', onClose);
  });
}

/** Whether bytes of the body have arrived that were not taken yet: then it is not the client that is slow. */
export function hasUnreadBytes(request: IncomingMessage): boolean {
  return request.isPaused() || request.readableLength > 0;
}

/** Sends a list as a stream: pieces of whole lines, no faster than the client takes them, the next page meanwhile. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

export async function sendLines(
  response: ServerResponse,
  first: IteratorResult<string>,
  rest: AsyncGenerator<string, void>,
  cancel: AbortSignal,
): Promise<void> {
  let piece = first;
  while (!piece.done) {
    const next = rest.next();
    // It is waited for below; until then its failure must not look like nobody's.
    next.catch(() => undefined);
    if (!response.write(piece.value)) await drained(response, cancel);
    piece = await next;
  }
  response.end();
}

/** A client that leaves meanwhile is no failure of ours: what is thrown then is the cancel's own reason. */
async function drained(response: ServerResponse, cancel: AbortSignal): Promise<void> {
  try {
    await once(response, 'drain', { signal: cancel });
  } catch (error) {
    cancel.throwIfAborted();
    throw error;
  }
}

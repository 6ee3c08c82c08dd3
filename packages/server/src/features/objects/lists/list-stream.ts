/** Sends a list as a stream: pieces of whole lines, no faster than the client takes them, the next page meanwhile. */
import type { ServerResponse } from 'node:http';
import { drained } from '../../../platform/web/index.ts';

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

/** For answers that are written no faster than the client takes them. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** A client that leaves meanwhile is no failure of ours: what is thrown then is the cancel's own reason. */
export async function drained(response: ServerResponse, cancel: AbortSignal): Promise<void> {
  try {
    await once(response, 'drain', { signal: cancel });
  } catch (error) {
    cancel.throwIfAborted();
    throw error;
  }
}

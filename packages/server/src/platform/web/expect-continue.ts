/**
 * `Expect: 100-continue`: the client waits with its body until it is wanted. If refused before 100 Continue, the
 * connection closes: the client may or may not send the body.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

const waiting = new WeakSet<IncomingMessage>();

/** Called when such a request arrives, if its handler is to decide. */
export function deferContinue(request: IncomingMessage): void {
  waiting.add(request);
}

/** Whether the client still waits. */
export function awaitsContinue(request: IncomingMessage): boolean {
  return waiting.has(request);
}

/** The body is wanted. */
export function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  if (waiting.delete(request)) response.writeContinue();
}

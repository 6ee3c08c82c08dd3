/**
 * Closes a connection that is silent for too long, unless the client is waiting for us: a handler may take longer (a fetch
 * waits for another server), and its client has nothing to send in that time; or the handler is not reading the body because
 * the engine is slow, and the client cannot continue.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isHeldUp } from '../platform/web/index.ts';

export function keepWhileAtWork(request: IncomingMessage, response: ServerResponse): void {
  // With a listener, Node leaves closing to us. The next byte in either direction restarts the clock.
  response.on('timeout', () => {
    if (response.headersSent || !(request.complete || isHeldUp(request))) request.socket.destroy();
  });
}

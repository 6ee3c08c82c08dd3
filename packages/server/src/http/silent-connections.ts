/**
 * A connection that is silent too long is closed, unless it is we who keep the other side waiting: a handler may be at
 * work for longer (a fetch waits for somebody else's server), and its client has nothing to say meanwhile; or it does not
 * take the body that is there, because the engine is slow, and then the client can't go on.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isHeldUp } from '../platform/web/index.ts';

export function keepWhileAtWork(request: IncomingMessage, response: ServerResponse): void {
  // With a listener, Node leaves the connection to us. The next byte in either direction starts the clock again.
  response.on('timeout', () => {
    if (response.headersSent || !(request.complete || isHeldUp(request))) request.socket.destroy();
  });
}

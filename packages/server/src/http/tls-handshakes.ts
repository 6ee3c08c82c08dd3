/**
 * TLS handshakes that never end. Node reports them as broken requests to be answered, although nothing can be written; and it
 * leaves them out when a closing server closes its connections.
 */
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Drops a connection that has not finished the handshake in time; when the app closes, all of them. */
export function limitTlsHandshakes(app: FastifyInstance, maxMs: number): void {
  const unfinished = new Map<string, Socket>();
  let isClosing = false;
  app.server.prependListener('connection', (socket: Socket) => {
    if (isClosing) socket.destroy();
    if (socket.destroyed) return;
    const name = nameOf(socket);
    unfinished.set(name, socket);
    const timer = setTimeout(() => {
      if (unfinished.get(name) === socket) socket.destroy();
    }, maxMs);
    socket.once('close', () => {
      clearTimeout(timer);
      if (unfinished.get(name) === socket) unfinished.delete(name);
    });
  });
  app.server.on('secureConnection', (socket: Socket) => unfinished.delete(nameOf(socket)));
  app.server.prependListener('tlsClientError', (_error: Error, socket: Socket) => socket.destroy());
  app.addHook('preClose', (done) => {
    isClosing = true;
    for (const socket of unfinished.values()) socket.destroy();
    done();
  });
}

/** The same before and after the handshake, which wraps the connection in another socket. */
function nameOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return [remoteAddress, remotePort, localAddress, localPort].join(' ');
}

/**
 * Handshakes of TLS that do not end. Node tells of them as of broken requests, to be answered, where nothing can be written;
 * and leaves them out when a server that closes closes its connections.
 */
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Whoever has not finished the handshake in time is let go; when the app closes, all are. */
export function limitHandshakes(app: FastifyInstance, longestMs: number): void {
  const unfinished = new Map<string, Socket>();
  let isClosing = false;
  app.server.prependListener('connection', (socket: Socket) => {
    if (isClosing) socket.destroy();
    if (socket.destroyed) return;
    const name = nameOf(socket);
    unfinished.set(name, socket);
    const timer = setTimeout(() => {
      if (unfinished.get(name) === socket) socket.destroy();
    }, longestMs);
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

/** The same before and after the handshake, which makes another socket of it. */
function nameOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return [remoteAddress, remotePort, localAddress, localPort].join(' ');
}

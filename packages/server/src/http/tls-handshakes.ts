/**
 * TLS handshakes that never end. Node reports them as broken requests to be answered, although nothing can be written; and it
 * leaves them out when a closing server closes its connections.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Drops a connection that has not finished the handshake in time, and at the end all of them. */
export function limitTlsHandshakes(server: Server, maxMs: number): { end(): void } {
  const unfinished = new Map<string, Socket>();
  let isClosing = false;
  server.prependListener('connection', (socket: Socket) => {
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
  server.on('secureConnection', (socket: Socket) => unfinished.delete(nameOf(socket)));
  server.prependListener('tlsClientError', (_error: Error, socket: Socket) => socket.destroy());
  return {
    end() {
      isClosing = true;
      for (const socket of unfinished.values()) socket.destroy();
    },
  };
}

/** The same before and after the handshake, which wraps the connection in another socket. */
function nameOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return [remoteAddress, remotePort, localAddress, localPort].join(' ');
}

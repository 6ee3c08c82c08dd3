/** Listeners on addresses that nobody may be led to; they count who comes. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

export interface Canaries {
  readonly port: number;
  /** Connections since the last `reset`. */
  readonly connections: number;
  reset(): void;
}

const ADDRESSES = ['127.0.0.1', '127.0.0.2', '::1'];

/** To be called at the top of a file; they listen while its tests run, all on one port. */
export function useCanaries(): Canaries {
  const servers: Server[] = [];
  let [port, connections] = [0, 0];
  beforeAll(async () => {
    for (const address of ADDRESSES) {
      const server = createServer((socket) => {
        connections += 1;
        socket.on('error', () => undefined).destroy();
      });
      server.listen(port, address);
      await once(server, 'listening');
      port = (server.address() as { port: number }).port;
      servers.push(server);
    }
  });
  afterAll(() => {
    for (const server of servers) server.close();
  });
  return {
    get port() {
      return port;
    },
    get connections() {
      return connections;
    },
    reset() {
      connections = 0;
    },
  };
}

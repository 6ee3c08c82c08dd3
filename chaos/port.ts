/** Ports for what is killed and comes back at the same address. */
import { once } from 'node:events';
import { createServer } from 'node:net';

const LOWEST = 20_000;
const HIGHEST = 32_000;

/**
 * A free port below those that the system gives to outgoing connections. Above, a client that knocks at the dead
 * server's port can be given that very port, be connected to itself, and keep the server from coming back.
 */
export async function lowPort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    const server = createServer().listen(port, '127.0.0.1');
    const free = await new Promise<boolean>((resolve) => {
      server.once('listening', () => resolve(true)).once('error', () => resolve(false));
    });
    if (!free) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

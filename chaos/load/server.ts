/** A server that is killed and comes back at the same address. */

import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Deployment, ServerProcess } from '@millpond/testing';

export class KillableServer {
  readonly url: string;
  readonly #start: () => Promise<ServerProcess>;
  #process: ServerProcess;

  private constructor(start: () => Promise<ServerProcess>, process: ServerProcess) {
    this.#start = start;
    this.#process = process;
    this.url = process.url;
  }

  static async start(
    deployment: Deployment,
    settings: Readonly<Record<string, string>>,
    args: readonly string[] = ['serve'],
  ): Promise<KillableServer> {
    const [port, adminPort] = [await lowPort(), await lowPort()];
    const listen = {
      MILLPOND_LISTEN: `http://127.0.0.1:${port}`,
      MILLPOND_ADMIN_LISTEN: `http://127.0.0.1:${adminPort}`,
    };
    const start = () => deployment.start({ args, settings: { ...settings, ...listen } });
    return new KillableServer(start, await start());
  }

  /** kill -9, and a new process at once. Resolves when it is ready. */
  async killAndRestart(): Promise<void> {
    await this.#process.kill('SIGKILL');
    this.#process = await this.#start();
  }

  async stop(): Promise<void> {
    await this.#process.kill('SIGTERM');
  }
}

const LOWEST = 20_000;
const HIGHEST = 32_000;

/**
 * A free port below those that the system gives to outgoing connections. Above, a client that knocks at the dead
 * server's port can be given that very port, be connected to itself, and keep the server from coming back.
 */
async function lowPort(): Promise<number> {
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

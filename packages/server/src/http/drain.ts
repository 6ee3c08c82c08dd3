/**
 * How a listener ends without losing a request. Its socket closes first, so that new connections go elsewhere; those that are open
 * stay, because a client may be using one at this very moment: each further answer asks it to close (see `closeIfDraining`), and idle ones
 * are closed only once every client has been told, by its last answer's keep-alive time, that it has to open another.
 */
import type { Server, ServerResponse } from 'node:http';
import { Server as SocketServer } from 'node:net';

const CHECK_INTERVAL_MS = 100;

export class Drain {
  readonly #state: { readonly draining: boolean };
  readonly #announcedMs: number;
  /** When the last answer ended whose client may send another request on its connection. */
  #lastKeptAt = 0;

  /** `announcedMs`: for how long answers let clients keep an idle connection. */
  constructor(state: { readonly draining: boolean }, announcedMs: number) {
    this.#state = state;
    this.#announcedMs = announcedMs;
  }

  /** For each answer that has ended. The head of one that takes long was maybe sent before the drain, and asked for nothing. */
  ended(response: ServerResponse): void {
    if (this.#state.draining && response.shouldKeepAlive) this.#lastKeptAt = performance.now();
  }

  /** Resolves when all connections are closed, or after `timeoutMs`. Those that are open then are the caller's to cut. */
  async run(server: Server, timeoutMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const begin = performance.now();
    this.#lastKeptAt = begin;
    // That of HTTP would close idle connections too.
    SocketServer.prototype.close.call(server, () => resolve());
    const look = setInterval(() => {
      const now = performance.now();
      if (now - this.#lastKeptAt > this.#announcedMs) server.closeIdleConnections();
      if (now - begin > timeoutMs) resolve();
    }, CHECK_INTERVAL_MS);
    await promise;
    clearInterval(look);
  }
}

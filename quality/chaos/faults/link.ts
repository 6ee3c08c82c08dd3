/** A way to a server, such as a gateway's to its database, that can break in the ways that networks do. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * slow: everything comes later. refuse: open connections are reset, new ones too. blackHole: nothing passes, and nobody is
 * told. deaf: what is sent arrives, and what is answered does not. halfOpen: the far side has closed without the near side
 * noticing.
 */
export type LinkState = 'open' | 'slow' | 'refuse' | 'blackHole' | 'deaf' | 'halfOpen';
export const BROKEN_STATES = ['slow', 'refuse', 'blackHole', 'deaf', 'halfOpen'] as const;

const SLOW_MS = 60;

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
}

export class Link {
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  /** Those of which something was lost. */
  readonly #holed = new WeakSet<Pair>();
  #state: LinkState = 'open';

  private constructor(to: { host: string; port: number }) {
    this.#server = createServer((near) => {
      if (this.#state === 'refuse') near.resetAndDestroy();
      else this.#join({ near, far: connect(to) });
    });
  }

  /** To the server at this URL. */
  static async open(url: string): Promise<Link> {
    const { hostname, port } = new URL(url);
    const link = new Link({ host: hostname, port: Number(port) });
    link.#server.listen(0, '127.0.0.1');
    await once(link.#server, 'listening');
    return link;
  }

  /** The URL, by way of this link. */
  through(url: string): string {
    const changed = new URL(url);
    changed.hostname = '127.0.0.1';
    changed.port = String((this.#server.address() as AddressInfo).port);
    // A URL without a path is one in settings too.
    return url.endsWith('/') ? changed.href : changed.href.replace(/\/$/, '');
  }

  set(state: LinkState): void {
    this.#state = state;
    for (const { near, far } of this.#pairs) {
      if (state === 'refuse') for (const socket of [near, far]) socket.resetAndDestroy();
      if (state === 'halfOpen') far.destroy();
    }
    // What was held back meanwhile is gone, as are those who waited for it: a broken stream can't be mended.
    if (state === 'open') this.#cutBroken();
  }

  async close(): Promise<void> {
    for (const { near, far } of this.#pairs) for (const socket of [near, far]) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(pair: Pair): void {
    const { near, far } = pair;
    this.#pairs.add(pair);
    this.#carry(pair, near, far);
    this.#carry(pair, far, near);
    // Behind what was said last, which may be on its way.
    const later = (end: Socket) => setTimeout(() => end.destroy(), SLOW_MS + 1);
    near.on('close', () => {
      later(far);
      this.#pairs.delete(pair);
    });
    far.on('close', () => {
      if (this.#state === 'halfOpen') this.#holed.add(pair);
      else later(near);
    });
  }

  #carry(pair: Pair, from: Socket, to: Socket): void {
    const pass = (data: Buffer | string) => {
      if (to.destroyed || to.write(data)) return;
      if (from.isPaused()) return;
      from.pause();
      to.once('drain', () => from.resume());
    };
    let delayed = 0;
    /** What comes after something slow stays behind it, also when the link is whole again: streams keep their order. */
    const inOrder = (step: () => void) => {
      if (this.#state !== 'slow' && delayed === 0) return step();
      delayed++;
      setTimeout(() => {
        delayed--;
        step();
      }, SLOW_MS);
    };
    from.on('error', () => undefined);
    from.on('end', () => inOrder(() => to.end()));
    from.on('data', (data) => {
      const isLost = this.#state === 'blackHole' || (this.#state === 'deaf' && from === pair.far);
      if (isLost) this.#holed.add(pair);
      else if (!this.#holed.has(pair)) inOrder(() => pass(data));
    });
  }

  #cutBroken(): void {
    for (const pair of this.#pairs) if (this.#holed.has(pair)) pair.near.destroy();
  }
}

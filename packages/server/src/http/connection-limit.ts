/**
 * How many connections one address (for IPv6, one /64) may have to this process, so that nobody takes them all. A trusted proxy
 * may have any number: the requests it forwards count for its clients, one for each request that is not answered yet. And how
 * many requests one connection may have that are not answered yet: a packet may hold a hundred, and all of them begin at once.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clientNetwork, KeyedCounter, unmapIpv4 } from '@millpond/base';
import { Fault } from '@millpond/protocol';
import { type ProxyTrust, peerOf } from '../platform/web/index.ts';

/** Clients that send requests before they have the answers are rare, and send a few. */
const MAX_UNANSWERED = 32;

export class ConnectionLimit {
  readonly #most: number;
  readonly #trust: ProxyTrust;
  readonly #open = new KeyedCounter();
  readonly #unanswered = new WeakMap<Socket, number>();
  #refused = 0;

  constructor(most: number, trust: ProxyTrust) {
    this.#most = most;
    this.#trust = trust;
  }

  get refused(): number {
    return this.#refused;
  }

  guard(server: Server): void {
    // Before any other work on the connection: a TLS handshake is expensive.
    server.prependListener('connection', (socket: Socket) => {
      const address = unmapIpv4(socket.remoteAddress ?? '');
      if (!this.#trust.trusts(address) && !this.#add(address, socket)) socket.destroy();
    });
  }

  /** For each request: throws if its connection, or the client that a proxy forwards it for, has too many of them. */
  admit(request: IncomingMessage, response: ServerResponse): void {
    this.#admitOnConnection(request.socket, response);
    const nearest = unmapIpv4(request.socket.remoteAddress ?? '');
    if (!this.#trust.trusts(nearest)) return;
    const { address } = peerOf(request, this.#trust);
    // Requests that a proxy makes for itself are not counted.
    if (!this.#trust.trusts(address) && !this.#add(address, response))
      throw new Fault('tooManyRequests', {
        hint: 'too many requests at once from your address',
        retryAfterSeconds: 1,
      });
  }

  #admitOnConnection(socket: Socket, response: ServerResponse): void {
    const unanswered = (this.#unanswered.get(socket) ?? 0) + 1;
    this.#unanswered.set(socket, unanswered);
    response.once('close', () => this.#unanswered.set(socket, (this.#unanswered.get(socket) ?? 1) - 1));
    if (unanswered <= MAX_UNANSWERED) return;
    this.#refused++;
    // Refusals are answers too, and wait for those before them.
    if (unanswered > 2 * MAX_UNANSWERED) socket.destroy();
    response.shouldKeepAlive = false;
    throw new Fault('tooManyRequests', {
      hint: `a connection may have at most ${MAX_UNANSWERED} requests that are not answered yet`,
      retryAfterSeconds: 1,
    });
  }

  #add(address: string, held: Socket | ServerResponse): boolean {
    const network = clientNetwork(address);
    if (this.#open.of(network) >= this.#most) {
      this.#refused++;
      return false;
    }
    this.#open.add(network);
    held.once('close', () => this.#open.remove(network));
    return true;
  }
}

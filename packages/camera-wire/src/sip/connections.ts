/**
 * The TCP connections of a SIP port. Anybody may open one, so everything that one can make us do is bounded: how many there
 * are, per network and in total; how often each sends, and all of one network together; how much memory unproven connections
 * take, per network and in total, and how long they may stay unproven. Their messages are taken in turns.
 */
import net from 'node:net';
import type { RateLimiter } from '@millpond/base';
import { clientNetwork, KeyedCounter, MemoryBudget, unmapIpv4 } from '@millpond/base';
import { Connection, type ConnectionContext, type ConnectionLimits, type Listeners } from './connection.ts';
import { RoundRobin } from './round-robin.ts';

/**
 * Memory of all connections not yet proven to be a device's, beyond a little for each: incomplete messages, and answers that
 * they do not read.
 */
const MAX_UNAUTHENTICATED_BYTES = 32 * 2 ** 20;

export class Connections implements ConnectionContext {
  /** The caller makes it listen. A peer that has ended its side is still answered. */
  readonly server = net.createServer({ allowHalfOpen: true });
  readonly roundRobin = new RoundRobin();
  readonly limits: ConnectionLimits;
  readonly listeners: Listeners;
  readonly messages: RateLimiter;
  /** Shared between networks: none keeps the devices of others out. */
  readonly unproven: MemoryBudget;
  readonly #open = new Set<net.Socket>();
  readonly #ofNetwork = new KeyedCounter();

  /** `messages`: all messages of a network, by whatever transport. */
  constructor(
    limits: ConnectionLimits,
    listeners: Listeners,
    messages: RateLimiter,
    maxUnauthenticatedBytes = MAX_UNAUTHENTICATED_BYTES,
  ) {
    this.limits = limits;
    this.listeners = listeners;
    this.messages = messages;
    this.unproven = new MemoryBudget(maxUnauthenticatedBytes, 'register first');
    this.server.on('connection', (socket) => this.#accept(socket));
  }

  get size(): number {
    return this.#open.size;
  }

  close(): void {
    this.roundRobin.close();
    for (const socket of this.#open) socket.destroy();
    this.server.close();
  }

  #accept(socket: net.Socket): void {
    const address = unmapIpv4(socket.remoteAddress ?? '');
    const network = clientNetwork(address);
    const { maxConnections, connectionsPerAddress } = this.limits;
    if (this.#open.size >= maxConnections || this.#ofNetwork.of(network) >= connectionsPerAddress) {
      socket.destroy();
      return;
    }
    this.#open.add(socket);
    this.#ofNetwork.add(network);
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#ofNetwork.remove(network);
    });
    new Connection(socket, { address, network }, this).open();
  }
}

/**
 * The TCP connections of a SIP port. Anybody may open one, so all that one can make us do is bounded: how many there are, of
 * one network and in all; how often each sends, and all of one network together; how much memory those take that have not
 * proven to be a device's, of one network and in all, and how long they may stay so. Their messages are taken in turns.
 */

import net from 'node:net';
import { networkOf, plainAddress } from '../addresses.ts';
import { Counts } from '../counts.ts';
import { MemoryBudget } from '../memory-budget.ts';
import type { RateLimit } from '../rate-limit.ts';
import { Connection, type ConnectionLimits, type Listeners, type SharedByConnections } from './connection.ts';
import { Turns } from './turns.ts';

/** What those take together that have not proven to be a device's, beyond a little of each: messages that are not whole, and answers that they don't read. */
const MOST_UNPROVEN_BYTES = 32 * 2 ** 20;

export class Connections implements SharedByConnections {
  /** To be told where to listen. A peer that has ended its side is still answered. */
  readonly server = net.createServer({ allowHalfOpen: true });
  readonly turns = new Turns();
  readonly limits: ConnectionLimits;
  readonly listeners: Listeners;
  readonly messages: RateLimit;
  /** Shared by networks: none keeps the devices of others out. */
  readonly unproven: MemoryBudget;
  readonly #open = new Set<net.Socket>();
  readonly #ofNetwork = new Counts();

  /** `messages`: of all of a network, whatever way they come. */
  constructor(
    limits: ConnectionLimits,
    listeners: Listeners,
    messages: RateLimit,
    mostUnprovenBytes = MOST_UNPROVEN_BYTES,
  ) {
    this.limits = limits;
    this.listeners = listeners;
    this.messages = messages;
    this.unproven = new MemoryBudget(mostUnprovenBytes, 'register first');
    this.server.on('connection', (socket) => this.#accept(socket));
  }

  get size(): number {
    return this.#open.size;
  }

  close(): void {
    this.turns.close();
    for (const socket of this.#open) socket.destroy();
    this.server.close();
  }

  #accept(socket: net.Socket): void {
    const address = plainAddress(socket.remoteAddress ?? '');
    const network = networkOf(address);
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

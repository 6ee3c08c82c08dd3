/**
 * One TCP connection at a SIP port. While one of its messages is waiting to be taken, nothing more is read. A connection that
 * exceeds its message rate is read more slowly if it has proven to be a device's, otherwise closed; one that sends unreadable
 * input is closed.
 */
import type net from 'node:net';
import {
  type MemoryBudget,
  MemoryReservation,
  type Rate,
  type RateLimiter,
  TokenBucket,
} from '@millpond/base';
import { SipParseError } from './fault.ts';
import { parseMessage, type SipMessage } from './message.ts';
import { MessageFramer } from './message-framer.ts';
import type { Peer } from './peer.ts';
import type { RoundRobin, RoundRobinTask } from './round-robin.ts';

/** How long a new connection has to register. */
const AUTHENTICATION_TIMEOUT_MS = 30_000;
/** Bytes of answers that the peer has not read. */
const MAX_UNREAD_BYTES = 256 * 1024;
/** A REGISTER is smaller: whatever others hold, there is room for it. */
const FREE_BYTES = 2 * 1024;

export interface ConnectionLimits {
  readonly maxConnections: number;
  readonly connectionsPerAddress: number;
  readonly messagesPerConnection: Rate;
  /** A device's connection that is silent for longer is closed. */
  readonly idleMs: number;
}

export interface Listeners {
  readonly onMessage: (message: SipMessage, peer: Peer) => void;
  readonly onUnreadable: () => void;
  /** A message was dropped unread: its sender sends too much. */
  readonly onDropped: () => void;
  /** Handling the input failed. Nothing above a socket's listener catches errors, so they are caught there. */
  readonly onFailure: (error: unknown) => void;
}

/** What all connections of a port share. */
export interface ConnectionContext {
  readonly roundRobin: RoundRobin;
  readonly limits: ConnectionLimits;
  readonly listeners: Listeners;
  readonly messages: RateLimiter;
  readonly unproven: MemoryBudget;
}

export class Connection implements RoundRobinTask {
  readonly #socket: net.Socket;
  readonly #network: string;
  readonly #shared: ConnectionContext;
  readonly #peer: Peer;
  readonly #frames = new MessageFramer();
  readonly #allowance: TokenBucket;
  /** A message that came too early. */
  #early: Buffer | undefined;
  #wait: NodeJS.Timeout | undefined;
  #proof: NodeJS.Timeout | undefined;
  /** No more input will come. */
  #isEnded = false;
  /** Its share of the memory for unproven connections; undefined: this one is proven. */
  #unproven: MemoryReservation | undefined;

  constructor(
    socket: net.Socket,
    { address, network }: { readonly address: string; readonly network: string },
    shared: ConnectionContext,
  ) {
    this.#socket = socket;
    this.#network = network;
    this.#shared = shared;
    this.#unproven = new MemoryReservation(shared.unproven, [network], FREE_BYTES);
    this.#allowance = new TokenBucket(shared.limits.messagesPerConnection, performance.now());
    this.#peer = {
      transport: 'tcp',
      address,
      port: socket.remotePort ?? 0,
      send: (bytes) => this.#send(bytes),
      keep: () => this.#prove(),
    };
  }

  open(): void {
    const socket = this.#socket;
    this.#proof = setTimeout(() => socket.destroy(), AUTHENTICATION_TIMEOUT_MS);
    socket.setNoDelay(true);
    socket.setTimeout(this.#shared.limits.idleMs, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#closed());
    socket.on('data', (chunk: Buffer) => {
      socket.pause();
      this.#frames.add(chunk);
      this.#checkMemory();
      this.#shared.roundRobin.schedule(this);
    });
    socket.once('end', () => {
      this.#isEnded = true;
      this.#shared.roundRobin.schedule(this);
    });
  }

  work(): boolean {
    if (this.#socket.destroyed) return false;
    const { listeners } = this.#shared;
    try {
      const bytes = this.#early ?? this.#frames.next();
      this.#early = undefined;
      if (bytes === undefined) this.#goOn();
      else if (this.#isEarly(bytes)) return false;
      else if (bytes.length > 0) listeners.onMessage(parseMessage(bytes, { stream: true }), this.#peer);
      this.#checkMemory();
      return bytes !== undefined;
    } catch (error) {
      if (error instanceof SipParseError) listeners.onUnreadable();
      else listeners.onFailure(error);
      this.#socket.destroy();
      return false;
    }
  }

  /** Whether the message is too early: then it waits, or the connection is closed. */
  #isEarly(bytes: Buffer): boolean {
    const wait = this.#allowance.take(performance.now()) || this.#shared.messages.tryTake(this.#network);
    if (wait === 0) return false;
    if (this.#unproven !== undefined) {
      this.#shared.listeners.onDropped();
      this.#socket.destroy();
      return true;
    }
    this.#early = bytes;
    this.#wait = setTimeout(() => this.#shared.roundRobin.schedule(this), Math.ceil(wait));
    return true;
  }

  #goOn(): void {
    if (this.#isEnded) this.#socket.end();
    else this.#socket.resume();
  }

  #send(bytes: Buffer): void {
    if (!this.#socket.writable) return;
    this.#socket.write(bytes);
    if (this.#socket.writableLength > MAX_UNREAD_BYTES) this.#socket.destroy();
  }

  #prove(): void {
    clearTimeout(this.#proof);
    this.#unproven?.release();
    this.#unproven = undefined;
  }

  #checkMemory(): void {
    if (this.#unproven === undefined) return;
    const { readableLength, writableLength } = this.#socket;
    const bytes = this.#frames.memoryBytes + readableLength + writableLength;
    if (this.#unproven.tryReserve(bytes)) return;
    this.#shared.listeners.onDropped();
    this.#socket.destroy();
  }

  #closed(): void {
    clearTimeout(this.#wait);
    this.#prove();
  }
}

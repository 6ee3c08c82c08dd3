/**
 * One TCP connection at a SIP port. While there is a message of it to be taken, nothing more is read from it. One that sends more often than
 * it may is read more slowly if a device has proven to be there, and closed if not; one that sends what can't be read is closed.
 */
import type net from 'node:net';
import { type MemoryBudget, MemoryShare } from '../memory-budget.ts';
import { Allowance, type Rate, type RateLimit } from '../rate-limit.ts';
import { SipFault } from './fault.ts';
import { Frames } from './frames.ts';
import { parseMessage, type SipMessage } from './message.ts';
import type { Peer } from './peer.ts';
import type { Turns, Worker } from './turns.ts';

/** Whoever opens a connection has so long to register. */
const PROVE_WITHIN_MS = 30_000;
/** Answers that a connection does not read. */
const MOST_UNREAD = 256 * 1024;
/** A REGISTER has less: whatever others hold, there is room for it. */
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
  /** Not looked at: whoever sent it sends too much. */
  readonly onDropped: () => void;
  /** Something went wrong with what came. Nothing above a socket's listener catches anything, so it is caught there. */
  readonly onFailure: (error: unknown) => void;
}

/** What all connections of a port share. */
export interface SharedByConnections {
  readonly turns: Turns;
  readonly limits: ConnectionLimits;
  readonly listeners: Listeners;
  readonly messages: RateLimit;
  readonly unproven: MemoryBudget;
}

export class Connection implements Worker {
  readonly #socket: net.Socket;
  readonly #network: string;
  readonly #shared: SharedByConnections;
  readonly #peer: Peer;
  readonly #frames = new Frames();
  readonly #allowance: Allowance;
  /** A message that it was not yet time for. */
  #early: Buffer | undefined;
  #wait: NodeJS.Timeout | undefined;
  #proof: NodeJS.Timeout | undefined;
  /** Nothing more comes. */
  #isEnded = false;
  /** Of the memory of those that have proven nothing; undefined: this one has. */
  #unproven: MemoryShare | undefined;

  constructor(
    socket: net.Socket,
    { address, network }: { readonly address: string; readonly network: string },
    shared: SharedByConnections,
  ) {
    this.#socket = socket;
    this.#network = network;
    this.#shared = shared;
    this.#unproven = new MemoryShare(shared.unproven, [network], FREE_BYTES);
    this.#allowance = new Allowance(shared.limits.messagesPerConnection, performance.now());
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
    this.#proof = setTimeout(() => socket.destroy(), PROVE_WITHIN_MS);
    socket.setNoDelay(true);
    socket.setTimeout(this.#shared.limits.idleMs, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#closed());
    socket.on('data', (chunk: Buffer) => {
      socket.pause();
      this.#frames.add(chunk);
      this.#checkMemory();
      this.#shared.turns.want(this);
    });
    socket.once('end', () => {
      this.#isEnded = true;
      this.#shared.turns.want(this);
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
      if (error instanceof SipFault) listeners.onUnreadable();
      else listeners.onFailure(error);
      this.#socket.destroy();
      return false;
    }
  }

  /** Whether its time has not come: then it waits, or all is over. */
  #isEarly(bytes: Buffer): boolean {
    const wait = this.#allowance.take(performance.now()) || this.#shared.messages.tryTake(this.#network);
    if (wait === 0) return false;
    if (this.#unproven !== undefined) {
      this.#shared.listeners.onDropped();
      this.#socket.destroy();
      return true;
    }
    this.#early = bytes;
    this.#wait = setTimeout(() => this.#shared.turns.want(this), Math.ceil(wait));
    return true;
  }

  #goOn(): void {
    if (this.#isEnded) this.#socket.end();
    else this.#socket.resume();
  }

  #send(bytes: Buffer): void {
    if (!this.#socket.writable) return;
    this.#socket.write(bytes);
    if (this.#socket.writableLength > MOST_UNREAD) this.#socket.destroy();
  }

  #prove(): void {
    clearTimeout(this.#proof);
    this.#unproven?.giveBack();
    this.#unproven = undefined;
  }

  #checkMemory(): void {
    if (this.#unproven === undefined) return;
    const { readableLength, writableLength } = this.#socket;
    const bytes = this.#frames.memoryBytes + readableLength + writableLength;
    if (this.#unproven.tryHold(bytes)) return;
    this.#shared.listeners.onDropped();
    this.#socket.destroy();
  }

  #closed(): void {
    clearTimeout(this.#wait);
    this.#prove();
  }
}

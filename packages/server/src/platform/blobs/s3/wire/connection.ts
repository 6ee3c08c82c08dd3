/**
 * One kept connection to the engine, for one request at a time. The bytes of an answer go from the kernel into a slab
 * and from there to the receiver, with no stream in between; those of a request go to the kernel from where they lie.
 * Large bodies cost a quarter of the CPU that undici needs.
 *
 * A connection is used again only if its request was sent whole and its answer ended exactly where it said it would.
 * Whatever else happens (a byte too much, a time-out, an abort) it is destroyed, and reads no more of the request.
 */
import { connect, type Socket } from 'node:net';
import type { S3Limits } from '../options.ts';
import type { Method, Receiver } from '../transport.ts';
import { ChunkedBody } from './chunks.ts';
import { WireFault } from './faults.ts';
import { HeadReader } from './head-reader.ts';
import { writeRequest } from './request.ts';
import type { ResponseHead } from './response-head.ts';
import type { Slabs } from './slabs.ts';

/** One request on its way through the pool. */
export interface Errand {
  readonly method: Method;
  readonly text: string;
  readonly body: readonly Uint8Array[] | undefined;
  readonly receiver: Receiver;
  /** Which connection works on it; undefined before and after. */
  connection: Connection | undefined;
}

export type ConnectionLimits = Pick<
  S3Limits,
  'connectTimeout' | 'headersTimeout' | 'bodyTimeout' | 'idleTimeout'
>;

export interface ConnectionOwner {
  readonly limits: ConnectionLimits;
  readonly slabs: Slabs;
  /** The answer is whole and the next errand may begin. */
  onFree(connection: Connection): void;
  /** The connection is destroyed. `unanswered` got no byte of an answer and deserves a new connection. */
  onGone(connection: Connection, unanswered: Errand | undefined): void;
}

/** A copy of this much is cheaper than keeping track of who holds the slab. */
const COPY_UP_TO = 16 * 1024;
const NOTHING = new Uint8Array(0);
const WAITING_FOR_HEAD = -1;
const CHUNKED = -2;

export class Connection {
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  /** Where the kernel puts the next bytes; undefined while a receiver looks at it, and at the end. */
  #slab: Buffer | undefined;
  #errand: Errand | undefined;
  #gone = false;
  #connected = false;
  #answers = 0;
  #unreferenced = false;
  /** Since when we wait for what must happen next; performance.now(). */
  #since = performance.now();
  #paused = false;
  #keepAlive = true;
  /** Bytes of the body to come; Infinity: until the engine closes; or WAITING_FOR_HEAD or CHUNKED. */
  #left = WAITING_FOR_HEAD;
  readonly #heads = new HeadReader();
  #chunks: ChunkedBody | undefined;

  constructor(owner: ConnectionOwner, host: string, port: number) {
    this.#owner = owner;
    this.#slab = owner.slabs.take();
    this.#socket = connect({
      host,
      port,
      noDelay: true,
      onread: { buffer: () => this.#slab ?? NOTHING, callback: (count) => this.#onRead(count) },
    });
    this.#socket.on('connect', () => {
      this.#connected = true;
      this.#since = performance.now();
    });
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('end', () => this.#onEnd());
    this.#socket.on('close', () => this.#onEnd());
  }

  start(errand: Errand): void {
    errand.connection = this;
    this.#errand = errand;
    this.#since = performance.now();
    this.#left = WAITING_FOR_HEAD;
    if (this.#unreferenced) this.#socket.ref();
    this.#unreferenced = false;
    writeRequest(this.#socket, errand.text, errand.body);
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#since = performance.now();
    this.#socket.resume();
  }

  /** Whether an idle connection is young enough for another errand. */
  fresh(now: number): boolean {
    return now - this.#since < this.#owner.limits.idleTimeout;
  }

  /** Looks for what is overdue. */
  check(now: number): void {
    const { connectTimeout, headersTimeout, bodyTimeout, idleTimeout } = this.#owner.limits;
    const waited = now - this.#since;
    if (!this.#errand) {
      if (waited >= idleTimeout) this.destroy();
      else this.#unreference();
    } else if (!this.#connected) {
      if (waited >= connectTimeout) this.#fail(new WireFault('WIRE_SLOW', 'no connection in time'));
    } else if (this.#left === WAITING_FOR_HEAD) {
      if (waited >= headersTimeout) this.#fail(new WireFault('WIRE_SLOW', 'no head in time'));
    } else if (!this.#paused && waited >= bodyTimeout) {
      this.#fail(new WireFault('WIRE_SLOW', 'the body stopped'));
    }
  }

  /** An idle connection keeps no process alive. Not done at once: a busy one would pay for it with each read. */
  #unreference(): void {
    if (!this.#unreferenced) this.#socket.unref();
    this.#unreferenced = true;
  }

  destroy(): void {
    this.#end(undefined);
  }

  #end(unanswered: Errand | undefined): void {
    if (this.#gone) return;
    this.#gone = true;
    if (this.#errand) this.#errand.connection = undefined;
    this.#errand = undefined;
    this.#socket.destroy();
    if (this.#slab) this.#owner.slabs.give(this.#slab);
    this.#slab = undefined;
    this.#owner.onGone(this, unanswered);
  }

  #fail(error: Error): void {
    const errand = this.#errand;
    // An engine may close a kept connection just as it is used again; that says nothing about the engine. What changes
    // something in it is not repeated here: its caller knows what a second time would do.
    const reads = errand?.method === 'GET' || errand?.method === 'HEAD';
    const unanswered = reads && this.#answers > 0 && this.#left === WAITING_FOR_HEAD && !this.#heads.begun;
    const retry = unanswered && !(error instanceof WireFault && error.code !== 'WIRE_ENDED');
    this.#end(retry ? errand : undefined);
    if (errand && !retry) errand.receiver.onError(error);
  }

  #onEnd(): void {
    const errand = this.#errand;
    if (errand && this.#left === Number.POSITIVE_INFINITY) this.#finish(errand, false);
    else this.#fail(new WireFault('WIRE_ENDED', 'the engine closed the connection'));
  }

  /** Takes what the kernel put into the slab; false: stop reading. */
  #onRead(count: number): boolean {
    const errand = this.#errand;
    const slab = this.#slab;
    if (!errand || !slab) {
      this.destroy();
      return true;
    }
    try {
      let from = 0;
      if (this.#left === WAITING_FOR_HEAD) {
        const head = this.#heads.read(slab, count);
        if (!head) return true;
        this.#begin(errand, head);
        from = this.#heads.end;
      }
      this.#since = performance.now();
      if (this.#errand === errand) this.#onBody(errand, slab, from, count);
    } catch (error) {
      this.#fail(error as Error);
    }
    return !this.#paused;
  }

  #begin(errand: Errand, head: ResponseHead): void {
    this.#keepAlive = head.keepAlive && !head.chunked;
    if (errand.method === 'HEAD' || head.status === 204 || head.status === 304) this.#left = 0;
    else if (head.chunked) this.#left = CHUNKED;
    else this.#left = head.length ?? Number.POSITIVE_INFINITY;
    errand.receiver.onHead(head);
  }

  #onBody(errand: Errand, slab: Buffer, from: number, count: number): void {
    if (this.#left === CHUNKED) {
      this.#onChunks(errand, slab.subarray(from, count));
      return;
    }
    const size = Math.min(count - from, this.#left);
    if (size > 0) {
      this.#left -= size;
      const goOn = this.#pass(errand.receiver, slab, from, size);
      if (this.#errand !== errand) return;
      this.#paused = !goOn && this.#left > 0;
    }
    if (this.#left === 0) this.#finish(errand, this.#keepAlive && from + size === count);
  }

  #pass(receiver: Receiver, slab: Buffer, from: number, size: number): boolean {
    if (size <= COPY_UP_TO || receiver.holding === undefined) {
      const copy = Buffer.allocUnsafe(size);
      slab.copy(copy, 0, from, from + size);
      return receiver.onBody(copy);
    }
    // The receiver may end this connection from inside the call, which must not free a slab that it holds.
    this.#slab = undefined;
    const goOn = receiver.onBody(slab.subarray(from, from + size));
    const { slabs } = this.#owner;
    const held = receiver.holding !== false;
    if (held) slabs.lend(slab, receiver);
    if (!this.#gone) this.#slab = held ? slabs.take() : slab;
    return goOn;
  }

  #onChunks(errand: Errand, bytes: Buffer): void {
    this.#chunks ??= new ChunkedBody();
    for (const piece of this.#chunks.read(bytes)) {
      // A copy: the memory of the piece is used again.
      errand.receiver.onBody(Buffer.from(piece));
      if (this.#errand !== errand) return;
    }
    if (this.#chunks.ended) this.#finish(errand, false);
  }

  #finish(errand: Errand, reusable: boolean): void {
    if (reusable && this.#socket.writableLength === 0) {
      errand.connection = undefined;
      this.#errand = undefined;
      this.#answers++;
      this.#owner.onFree(this);
    } else {
      this.destroy();
    }
    errand.receiver.onEnd();
  }
}

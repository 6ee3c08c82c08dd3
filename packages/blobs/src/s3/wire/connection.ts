/**
 * One keep-alive connection to the engine, for one request at a time. The bytes of an answer go from the kernel into a slab and
 * from there to the receiver, with no stream in between; those of a request go to the kernel from where they lie. Large bodies
 * cost a quarter of the CPU time that undici needs.
 *
 * A connection is reused only if its request was sent completely and its answer ended exactly where it said it would. In any
 * other case (a byte too many, a time-out, an abort) it is destroyed, and reads no more of the request.
 */
import type { Socket } from 'node:net';
import type { S3Limits } from '../options.ts';
import type { Method, ResponseHandler } from '../transport.ts';
import { ChunkedBody } from './chunks.ts';
import { type Dial, isUntrusted, readyEvent } from './dial.ts';
import { WireError } from './faults.ts';
import { HeadReader } from './head-reader.ts';
import { ReadBuffer } from './read-buffer.ts';
import { writeRequest } from './request.ts';
import type { ResponseHead } from './response-head.ts';
import type { SlabPool } from './slab-pool.ts';

/** One request on its way through the pool. */
export interface PooledRequest {
  readonly method: Method;
  readonly text: string;
  readonly body: readonly Uint8Array[] | undefined;
  readonly handler: ResponseHandler;
  /** The connection that works on it; undefined before and after. */
  connection: Connection | undefined;
}

export type ConnectionLimits = Pick<
  S3Limits,
  'connectTimeout' | 'headersTimeout' | 'bodyTimeout' | 'idleTimeout'
>;

export interface ConnectionOwner {
  readonly limits: ConnectionLimits;
  readonly slabPool: SlabPool;
  /** The answer is complete and the next errand may begin. */
  onFree(connection: Connection): void;
  /** Destroyed. `unanswered` received no response byte: retry it on a new connection. */
  onGone(connection: Connection, unanswered: PooledRequest | undefined): void;
}

const WAITING_FOR_HEAD = -1;
const CHUNKED = -2;

export class Connection {
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  readonly #buffer: ReadBuffer;
  #errand: PooledRequest | undefined;
  #gone = false;
  #ready = false;
  #sent = true;
  #answers = 0;
  #unreferenced = false;
  /** Since when we have been waiting for the next event; performance.now(). */
  #since = performance.now();
  #paused = false;
  #keepAlive = true;
  /** Bytes of the body to come; Infinity: until the engine closes; or WAITING_FOR_HEAD or CHUNKED. */
  #left = WAITING_FOR_HEAD;
  readonly #heads = new HeadReader();
  /** Bytes that arrived despite the pause: TLS passes on all it has read, though that is only a record or two. */
  readonly #late: Buffer[] = [];
  #ended = false;
  #chunks: ChunkedBody | undefined;

  constructor(owner: ConnectionOwner, dial: Dial) {
    this.#owner = owner;
    this.#buffer = new ReadBuffer(owner.slabPool);
    this.#socket = dial({
      buffer: () => this.#buffer.writableSlice(),
      callback: (count) => this.#onRead(count),
    });
    this.#socket.on(readyEvent(this.#socket), () => {
      this.#ready = true;
      this.#since = performance.now();
      if (this.#errand) this.#write(this.#errand);
    });
    this.#socket.on('error', (error) =>
      this.#fail(isUntrusted(this.#socket) ? new WireError('WIRE_UNTRUSTED', error.message) : error),
    );
    this.#socket.on('end', () => this.#onEnd());
    this.#socket.on('close', () => this.#onEnd());
  }

  start(pooledRequest: PooledRequest): void {
    pooledRequest.connection = this;
    this.#errand = pooledRequest;
    this.#since = performance.now();
    this.#left = WAITING_FOR_HEAD;
    if (this.#unreferenced) this.#socket.ref();
    this.#unreferenced = false;
    if (this.#ready) this.#write(pooledRequest);
  }

  #write({ text, body }: PooledRequest): void {
    this.#sent = false;
    writeRequest(this.#socket, text, body, () => {
      this.#sent = true;
    });
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#since = performance.now();
    for (let late = this.#late.shift(); late; late = this.#late.shift()) {
      this.#take(late, late.length, true);
      if (this.#paused || this.#gone) return;
    }
    if (this.#ended) this.#onEnd();
    else this.#socket.resume();
  }

  /** Whether an idle connection is recent enough for another errand. */
  fresh(now: number): boolean {
    return now - this.#since < this.#owner.limits.idleTimeout;
  }

  /** Checks for time-outs. */
  check(now: number): void {
    const { connectTimeout, headersTimeout, bodyTimeout, idleTimeout } = this.#owner.limits;
    const waited = now - this.#since;
    if (!this.#errand) {
      if (waited >= idleTimeout) this.destroy();
      else this.#unreference();
    } else if (!this.#ready) {
      if (waited >= connectTimeout) this.#fail(new WireError('WIRE_SLOW', 'no connection in time'));
    } else if (this.#left === WAITING_FOR_HEAD) {
      if (waited >= headersTimeout) this.#fail(new WireError('WIRE_SLOW', 'no head in time'));
    } else if (!this.#paused && waited >= bodyTimeout) {
      this.#fail(new WireError('WIRE_SLOW', 'the body stopped'));
    }
  }

  /** Keeps an idle connection from holding the process open. Not done at once: a busy one would pay for it with each read. */
  #unreference(): void {
    if (!this.#unreferenced) this.#socket.unref();
    this.#unreferenced = true;
  }

  destroy(): void {
    this.#end(undefined);
  }

  #end(unanswered: PooledRequest | undefined): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#buffer.close(this.#errand?.handler);
    if (this.#errand) this.#errand.connection = undefined;
    this.#errand = undefined;
    this.#socket.destroy();
    this.#owner.onGone(this, unanswered);
  }

  #fail(error: Error): void {
    const pooledRequest = this.#errand;
    // An engine may close a keep-alive connection just as it is reused; that says nothing about the engine. Requests that
    // change something are not repeated here: their caller knows what a second time would do.
    const reads = pooledRequest?.method === 'GET' || pooledRequest?.method === 'HEAD';
    const unanswered = reads && this.#answers > 0 && this.#left === WAITING_FOR_HEAD && !this.#heads.begun;
    const retry = unanswered && !(error instanceof WireError && error.code !== 'WIRE_ENDED');
    this.#end(retry ? pooledRequest : undefined);
    if (pooledRequest && !retry) pooledRequest.handler.onError(error);
  }

  #onEnd(): void {
    const pooledRequest = this.#errand;
    this.#ended = true;
    if (this.#late.length > 0) return;
    if (pooledRequest && this.#left === Number.POSITIVE_INFINITY) this.#finish(pooledRequest, false);
    else this.#fail(new WireError('WIRE_ENDED', 'the engine closed the connection'));
  }

  /** Takes what was put into the buffer; false: stop reading. */
  #onRead(count: number): boolean {
    if (this.#gone) return true;
    const bytes = this.#buffer.writableSlice();
    if (this.#paused) this.#late.push(Buffer.from(bytes.subarray(0, count)));
    else this.#take(bytes, count, false);
    return !this.#paused;
  }

  #take(bytes: Buffer, count: number, late: boolean): void {
    const pooledRequest = this.#errand;
    if (!pooledRequest) {
      this.destroy();
      return;
    }
    try {
      let from = 0;
      if (this.#left === WAITING_FOR_HEAD) {
        const head = this.#heads.read(bytes, count);
        if (!head) return;
        this.#begin(pooledRequest, head);
        from = this.#heads.end;
      }
      this.#since = performance.now();
      if (this.#errand === pooledRequest) this.#onBody(pooledRequest, bytes, from, count, late);
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  #begin(pooledRequest: PooledRequest, head: ResponseHead): void {
    this.#keepAlive = head.keepAlive && !head.chunked;
    if (pooledRequest.method === 'HEAD' || head.status === 204 || head.status === 304) this.#left = 0;
    else if (head.chunked) this.#left = CHUNKED;
    else this.#left = head.length ?? Number.POSITIVE_INFINITY;
    pooledRequest.handler.onHead(head);
  }

  #onBody(pooledRequest: PooledRequest, bytes: Buffer, from: number, count: number, late: boolean): void {
    if (this.#left === CHUNKED) {
      this.#onChunks(pooledRequest, bytes.subarray(from, count));
      return;
    }
    const size = Math.min(count - from, this.#left);
    if (size > 0) {
      this.#left -= size;
      // Late bytes have their own memory.
      const goOn = late
        ? pooledRequest.handler.onBody(bytes.subarray(from, from + size))
        : this.#buffer.pass(pooledRequest.handler, from, size);
      if (this.#errand !== pooledRequest) return;
      this.#paused = !goOn && this.#left > 0;
    }
    if (this.#left === 0) this.#finish(pooledRequest, this.#keepAlive && from + size === count);
  }

  #onChunks(pooledRequest: PooledRequest, bytes: Buffer): void {
    this.#chunks ??= new ChunkedBody();
    for (const piece of this.#chunks.read(bytes)) {
      // A copy: the memory of the piece is reused.
      pooledRequest.handler.onBody(Buffer.from(piece));
      if (this.#errand !== pooledRequest) return;
    }
    if (this.#chunks.ended) this.#finish(pooledRequest, false);
  }

  #finish(pooledRequest: PooledRequest, reusable: boolean): void {
    if (reusable && this.#sent && !this.#ended && this.#socket.writableLength === 0) {
      pooledRequest.connection = undefined;
      this.#errand = undefined;
      this.#answers++;
      this.#buffer.lendTo(pooledRequest.handler);
      this.#owner.onFree(this);
    } else {
      this.destroy();
    }
    pooledRequest.handler.onEnd();
  }
}

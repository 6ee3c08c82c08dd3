/**
 * Bodies that are arriving, whoever reads them: a call, an upload, or nobody because the request is already answered. Until a
 * token has been accepted, a body must be complete within a time limit; from then on it must keep a minimum rate. Otherwise a
 * client that sends a byte now and then would hold connections for as long as the longest upload may take.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Fault } from '@millpond/protocol';
import { hasUnreadBytes } from './read-body.ts';

export interface BodyPace {
  /** How long a body may take before a token has been accepted. */
  readonly unprovenMs: number;
  /** The minimum number of bytes in each period, once a token has been accepted. */
  readonly least: { readonly bytes: number; readonly ms: number };
}

const CHECK_INTERVAL_MS = 1_000;

export class BodyPaceMonitor {
  readonly #pace: BodyPace;
  readonly #bodies = new Map<IncomingMessage, ArrivingBody>();
  #timer: NodeJS.Timeout | undefined;
  #givenUp = 0;

  constructor(pace: BodyPace) {
    this.#pace = pace;
  }

  /** Bodies that came too slowly. */
  get givenUp(): number {
    return this.#givenUp;
  }

  watch(request: IncomingMessage, response: ServerResponse): void {
    const { headers } = request;
    if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return;
    this.#bodies.set(request, new ArrivingBody(request, response, this.#pace));
    this.#timer ??= setInterval(() => this.checkPace(), CHECK_INTERVAL_MS).unref();
    // It may have been answered before it was complete, and is then still watched.
    response.once('close', () => this.#forgetEnded(request));
  }

  of(request: IncomingMessage): ArrivingBody | undefined {
    return this.#bodies.get(request);
  }

  /** Runs every second. Time is counted by these checks: if it is we who are slow, nobody else is late. */
  checkPace(): void {
    for (const [request, body] of this.#bodies) {
      if (!this.#forgetEnded(request) && body.checkPace(CHECK_INTERVAL_MS)) this.#givenUp++;
    }
    if (this.#bodies.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #forgetEnded(request: IncomingMessage): boolean {
    return (request.complete || request.socket.destroyed) && this.#bodies.delete(request);
  }
}

export class ArrivingBody {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #pace: BodyPace;
  readonly #tooSlow = new AbortController();
  #isAccepted = false;
  /**
   * Since `#from`, without the time in which arrived bytes were not taken. The first check counts for nothing: it may come at
   * once.
   */
  #waitedMs = -CHECK_INTERVAL_MS;
  #from: number;

  constructor(request: IncomingMessage, response: ServerResponse, pace: BodyPace) {
    this.#request = request;
    this.#response = response;
    this.#pace = pace;
    this.#from = request.socket.bytesRead;
  }

  /** For the reader of the body. */
  get slowSignal(): AbortSignal {
    return this.#tooSlow.signal;
  }

  /** A token has been accepted: the body may take any time at the minimum rate. */
  accept(): void {
    if (this.#isAccepted) return;
    this.#isAccepted = true;
    this.#beginAgain();
  }

  /** Called when this much time has passed; returns whether it is given up just now. */
  checkPace(passedMs: number): boolean {
    if (this.#tooSlow.signal.aborted) {
      this.#close();
      return false;
    }
    if (hasUnreadBytes(this.#request)) return false;
    this.#waitedMs += passedMs;
    const fault = this.#isAccepted ? this.#tooFew() : this.#tooLate();
    if (fault === undefined) return false;
    // Whatever the answer is, there is no further wait for this client.
    this.#response.shouldKeepAlive = false;
    this.#tooSlow.abort(fault);
    this.#close();
    return true;
  }

  #tooLate(): Fault | undefined {
    const { unprovenMs } = this.#pace;
    if (this.#waitedMs < unprovenMs) return undefined;
    return new Fault('requestTimeout', {
      hint: `within ${seconds(unprovenMs)} a request must be complete, or its upload token accepted`,
    });
  }

  #tooFew(): Fault | undefined {
    const { bytes, ms } = this.#pace.least;
    if (this.#waitedMs < ms) return undefined;
    if (this.#request.socket.bytesRead - this.#from < bytes)
      return new Fault('requestTimeout', { hint: `send at least ${bytes} bytes in ${seconds(ms)}` });
    this.#beginAgain();
    return undefined;
  }

  #beginAgain(): void {
    this.#waitedMs = 0;
    this.#from = this.#request.socket.bytesRead;
  }

  /** Nobody waits for the rest of a body that has been answered. */
  #close(): void {
    if (this.#response.writableFinished) this.#request.socket.destroy();
  }
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}

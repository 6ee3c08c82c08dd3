/**
 * Bodies that are on their way, whoever reads them: a call, an upload, or nobody because the request is answered already.
 * Until somebody has shown a token one has a time in which it must be whole; from then on it has to come at a least rate. Else
 * whoever sends a byte now and then would hold connections for as long as the longest upload may take.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Fault } from '@millpond/protocol';
import { isHeldUp } from './read-body.ts';

export interface BodyPace {
  /** How long a body may take that nobody has been believed for. */
  readonly unprovenMs: number;
  /** So many bytes in each such time, once somebody was. */
  readonly least: { readonly bytes: number; readonly ms: number };
}

const LOOK_MS = 1_000;

export class ArrivingBodies {
  readonly #pace: BodyPace;
  readonly #bodies = new Map<IncomingMessage, ArrivingBody>();
  #timer: NodeJS.Timeout | undefined;
  #givenUp = 0;

  constructor(pace: BodyPace) {
    this.#pace = pace;
  }

  /** Those that came too slowly. */
  get givenUp(): number {
    return this.#givenUp;
  }

  watch(request: IncomingMessage, response: ServerResponse): void {
    const { headers } = request;
    if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return;
    this.#bodies.set(request, new ArrivingBody(request, response, this.#pace));
    this.#timer ??= setInterval(() => this.look(), LOOK_MS).unref();
    // It may have been answered before it was whole, and is then looked at on.
    response.once('close', () => this.#forgetEnded(request));
  }

  of(request: IncomingMessage): ArrivingBody | undefined {
    return this.#bodies.get(request);
  }

  /** Every second. Time counts by looks: when it is we who are slow, nobody else is late. */
  look(): void {
    for (const [request, body] of this.#bodies) {
      if (!this.#forgetEnded(request) && body.look(LOOK_MS)) this.#givenUp++;
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
  /** Since `#from`, without the time in which what came was not taken. The first look counts for nothing: it may come at once. */
  #waitedMs = -LOOK_MS;
  #from: number;

  constructor(request: IncomingMessage, response: ServerResponse, pace: BodyPace) {
    this.#request = request;
    this.#response = response;
    this.#pace = pace;
    this.#from = request.socket.bytesRead;
  }

  /** For whoever reads it. */
  get tooSlow(): AbortSignal {
    return this.#tooSlow.signal;
  }

  /** Somebody has been believed: it may take as long as it comes at the least rate. */
  accept(): void {
    if (this.#isAccepted) return;
    this.#isAccepted = true;
    this.#beginAgain();
  }

  /** So much later; whether it is given up just now. */
  look(passedMs: number): boolean {
    if (this.#tooSlow.signal.aborted) {
      this.#close();
      return false;
    }
    if (isHeldUp(this.#request)) return false;
    this.#waitedMs += passedMs;
    const fault = this.#isAccepted ? this.#tooFew() : this.#tooLate();
    if (fault === undefined) return false;
    // Whatever it is answered with, it is not waited for again.
    this.#response.shouldKeepAlive = false;
    this.#tooSlow.abort(fault);
    this.#close();
    return true;
  }

  #tooLate(): Fault | undefined {
    const { unprovenMs } = this.#pace;
    if (this.#waitedMs < unprovenMs) return undefined;
    return new Fault('requestTimeout', {
      hint: `within ${seconds(unprovenMs)} a request is whole, or its upload token is accepted`,
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

  /** Nobody waits for what is left of a body that is answered. */
  #close(): void {
    if (this.#response.writableFinished) this.#request.socket.destroy();
  }
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}

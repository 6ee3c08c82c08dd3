/**
 * One request and its answer, over a connection from the pool. Enforces the deadlines and sizes, and never reports an
 * incomplete answer as an answer. Timers are our own: undici's are off by up to a second.
 */
import { PieceDebt } from '@millpond/base';
import type { Dispatcher } from 'undici';
import { IncomingBody } from './body.ts';
import { exchangeFault, OutboundError } from './faults.ts';

export type OutboundHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface ExchangeLimits {
  /** From when the request is written until the head of the answer has arrived. */
  readonly headersMs: number;
  /** Between two pieces of the body; does not run while the reader holds it back. */
  readonly idleMs: number;
  readonly maxBodyBytes: number;
}

export interface Exchange {
  readonly origin: string;
  readonly method: string;
  readonly path: string;
  /** Name, value, name, value… */
  readonly headers: string[];
  readonly body: Uint8Array | undefined;
  readonly limits: ExchangeLimits;
  /** Whether a body may end with its connection: then nobody can tell if it is complete. */
  readonly acceptUnsized: boolean;
  /** Its reason is the fault. */
  readonly signal: AbortSignal;
}

export interface ExchangeResponse {
  readonly status: number;
  readonly headers: OutboundHeaders;
  readonly body: IncomingBody;
  /** Resolves when the connection is no longer needed, however it ended. */
  readonly over: Promise<void>;
}

/** Rejects with OutboundError. `onOver` is called once, when the connection is no longer needed. */
export function startExchange(
  dispatcher: Dispatcher,
  exchange: Exchange,
  onOver: () => void,
): Promise<ExchangeResponse> {
  const handler = new ExchangeHandler(exchange);
  void handler.over.then(onOver);
  if (!handler.settled) {
    const { origin, method, path, headers, body } = exchange;
    try {
      dispatcher.dispatch({ origin, method, path, headers, body: body ?? null }, handler);
    } catch (error) {
      handler.onResponseError(undefined, error instanceof Error ? error : new Error(String(error)));
    }
  }
  return handler.answer;
}

/** Shared by all responses: whoever has several origins must not take more of the processor. */
const pieces = new PieceDebt();
/** Pieces of each response that are free: its request costs more than they do. */
const FREE_PIECES = 16;

class ExchangeHandler implements Dispatcher.DispatchHandler {
  settled = false;
  readonly #exchange: Exchange;
  readonly #over = Promise.withResolvers<void>();
  readonly #head = Promise.withResolvers<ExchangeResponse>();
  #controller: Dispatcher.DispatchController | undefined;
  #body: IncomingBody | undefined;
  #received = 0;
  #pieces = 0;
  #timer: NodeJS.Timeout | undefined;
  /** The reader holds the body back. */
  #isHeld = false;
  /** Until an answer in tiny pieces is read further. */
  #turn: NodeJS.Timeout | undefined;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    if (exchange.signal.aborted) this.#onAbort();
    else exchange.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  get answer(): Promise<ExchangeResponse> {
    return this.#head.promise;
  }

  get over(): Promise<void> {
    return this.#over.promise;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.settled) controller.abort(new Error('given up while waiting for a connection'));
    else this.#expect(this.#exchange.limits.headersMs, 'no answer in time');
  }

  onResponseStart(_controller: unknown, status: number, headers: OutboundHeaders): void {
    // Interim answers do not count: a host may send them without end.
    if (status < 200 || this.settled) return;
    const { limits, method, acceptUnsized } = this.#exchange;
    const length = contentLength(headers);
    const bodiless = method === 'HEAD' || status === 204 || status === 304;
    const fault = bodiless ? undefined : framingFault(headers, acceptUnsized, limits.maxBodyBytes);
    if (fault !== undefined) {
      this.#fail(fault);
      return;
    }
    this.#expect(limits.idleMs, 'the body stopped');
    const body = new IncomingBody(length, {
      resume: () => {
        this.#isHeld = false;
        this.#resume();
      },
      cancel: () => this.#cancel(),
    });
    this.#body = body;
    this.#head.resolve({ status, headers, body, over: this.over });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.settled) return;
    this.#received += chunk.length;
    if (this.#received > this.#exchange.limits.maxBodyBytes) {
      this.#fail(tooLarge());
      return;
    }
    this.#isHeld = this.#body?.push(chunk) === false;
    if (++this.#pieces > FREE_PIECES && pieces.add(chunk.length) && this.#turn === undefined) {
      this.#turn = setTimeout(() => {
        this.#turn = undefined;
        this.#resume();
      }, pieces.nextTurn());
    }
    if (this.#isHeld || this.#turn !== undefined) {
      controller.pause();
      clearTimeout(this.#timer);
    } else this.#timer?.refresh();
  }

  onResponseEnd(): void {
    if (this.settled) return;
    this.#settle();
    this.#body?.end();
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#fail(exchangeFault(error, this.#body !== undefined));
  }

  readonly #onAbort = (): void => {
    const { reason } = this.#exchange.signal;
    this.#fail(reason instanceof OutboundError ? reason : new OutboundError('aborted', 'cancelled'));
  };

  /** Every reader cancels at its end, mostly for nothing: a fault that nobody sees would be the dearest part of an exchange. */
  #cancel(): void {
    if (!this.settled) this.#fail(new OutboundError('aborted', 'the body was not needed'));
  }

  #resume(): void {
    if (this.settled || this.#isHeld || this.#turn !== undefined) return;
    this.#expect(this.#exchange.limits.idleMs, 'the body stopped');
    this.#controller?.resume();
  }

  #expect(milliseconds: number, otherwise: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fail(new OutboundError('timeout', otherwise)), milliseconds);
  }

  #fail(fault: OutboundError): void {
    if (this.settled) return;
    this.#settle();
    this.#head.reject(fault);
    this.#body?.fail(fault);
    this.#controller?.abort(fault);
  }

  #settle(): void {
    this.settled = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#turn);
    this.#exchange.signal.removeEventListener('abort', this.#onAbort);
    this.#over.resolve();
  }
}

function framingFault(
  headers: OutboundHeaders,
  acceptUnsized: boolean,
  maxBodyBytes: number,
): OutboundError | undefined {
  if ((contentLength(headers) ?? 0) > maxBodyBytes) return tooLarge();
  const coding = headers['transfer-encoding'];
  if (coding !== undefined)
    return String(coding).trim().toLowerCase() === 'chunked'
      ? undefined
      : new OutboundError('protocol', 'the answer has a transfer encoding that was not requested');
  if (headers['content-length'] !== undefined || acceptUnsized) return undefined;
  return new OutboundError('truncated', 'the answer marks neither its length nor its end');
}

function contentLength(headers: OutboundHeaders): number | undefined {
  const value = headers['content-length'];
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

function tooLarge(): OutboundError {
  return new OutboundError('tooLarge', 'the body of the answer is too large');
}

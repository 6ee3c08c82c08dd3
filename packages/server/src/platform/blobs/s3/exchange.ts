/**
 * One request and its whole answer, held in memory: for everything but reading blobs. Rejects for a lost connection,
 * a time-out, too large an answer or a cancelled signal, never for a status.
 */
import type { Dispatcher } from 'undici';
import { BlobStoreUnavailable } from '../errors.ts';
import { connectionFault } from './faults.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export interface Exchange {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  readonly path: string;
  readonly headers: string[];
  readonly body?: Uint8Array | readonly Uint8Array[] | undefined;
  /** Larger answers are cut off and rejected. */
  readonly maxAnswerBytes: number;
  /** For error texts. */
  readonly doing: string;
  readonly signal?: AbortSignal | undefined;
}

const EMPTY = Buffer.alloc(0);

export function exchange(dispatcher: Dispatcher, request: Exchange, queueTimeout: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const handler = new ExchangeHandler(request, queueTimeout, resolve, reject);
    if (handler.settled) return;
    dispatcher.dispatch(
      {
        method: request.method,
        path: request.path,
        headers: request.headers,
        // undici takes any iterable; its types know only streams and buffers.
        body: (request.body ?? null) as Uint8Array | null,
        // undici closes the connection after every HEAD unless told that the engine behaves.
        reset: false,
      },
      handler,
    );
  });
}

class ExchangeHandler implements Dispatcher.DispatchHandler {
  settled = false;
  readonly #request: Exchange;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #onAbort: (() => void) | undefined;
  readonly #queueTimer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: Answer['headers'] = {};
  #chunks: Buffer[] | undefined;
  #bytes = 0;

  constructor(
    request: Exchange,
    queueTimeout: number,
    resolve: (answer: Answer) => void,
    reject: (reason: unknown) => void,
  ) {
    this.#request = request;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#queueTimer = setTimeout(() => this.#fail(queueFault(request.doing)), queueTimeout);
    const { signal } = request;
    if (signal) {
      this.#onAbort = () => this.#fail(signal.reason);
      if (signal.aborted) this.#onAbort();
      else signal.addEventListener('abort', this.#onAbort, { once: true });
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    clearTimeout(this.#queueTimer);
    if (this.settled) controller.abort(new Error('given up while waiting for a connection'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Answer['headers'],
  ): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#request.maxAnswerBytes) this.#fail(sizeFault(this.#request.doing));
    else if (this.#chunks) this.#chunks.push(chunk);
    else this.#chunks = [chunk];
  }

  onResponseEnd(): void {
    if (this.settled) return;
    this.#settle();
    const chunks = this.#chunks;
    const [first = EMPTY] = chunks ?? [];
    const body = chunks && chunks.length > 1 ? Buffer.concat(chunks, this.#bytes) : first;
    this.#resolve({ status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(connectionFault(error, this.#request.doing));
  }

  #fail(reason: unknown): void {
    if (this.settled) return;
    this.#settle();
    this.#reject(reason);
    this.#controller?.abort(new Error('given up'));
  }

  #settle(): void {
    this.settled = true;
    clearTimeout(this.#queueTimer);
    if (this.#onAbort) this.#request.signal?.removeEventListener('abort', this.#onAbort);
  }
}

function queueFault(doing: string): BlobStoreUnavailable {
  return new BlobStoreUnavailable(`no free connection to the engine while ${doing}`, { retryable: true });
}

function sizeFault(doing: string): BlobStoreUnavailable {
  return new BlobStoreUnavailable(`too large an answer of the engine while ${doing}`, { retryable: false });
}

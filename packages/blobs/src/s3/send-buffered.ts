/**
 * One request and its whole answer, held in memory: for everything but reading blobs. Rejects for a lost connection, a
 * time-out, too large an answer or a cancelled signal, never for a status. Once it is settled, nothing reads the request's body
 * any more.
 */
import { BlobStoreUnavailableError } from '../errors.ts';
import { connectionFault } from './faults.ts';
import type { EngineRequest, EngineResponseHead, ResponseHandler, Transfer, Transport } from './transport.ts';

export interface BufferedResponse {
  readonly status: number;
  readonly head: EngineResponseHead;
  readonly body: Buffer;
}

export interface ExchangeOptions {
  /** Larger answers are cut off and rejected. */
  readonly maxAnswerBytes: number;
  /** For error texts. */
  readonly doing: string;
  readonly signal?: AbortSignal | undefined;
}

const EMPTY = Buffer.alloc(0);

export function exchange(
  transport: Transport,
  request: EngineRequest,
  options: ExchangeOptions,
): Promise<BufferedResponse> {
  if (options.signal?.aborted) return Promise.reject(options.signal.reason);
  return new Promise((resolve, reject) => {
    new AnswerReceiver(options, resolve, reject).run(transport, request);
  });
}

class AnswerReceiver implements ResponseHandler {
  /** Never asked: every chunk is ours. */
  readonly holding = undefined;
  readonly #options: ExchangeOptions;
  readonly #resolve: (response: BufferedResponse) => void;
  readonly #reject: (reason: unknown) => void;
  #transfer: Transfer | undefined;
  #settled = false;
  #head: EngineResponseHead | undefined;
  #chunks: Uint8Array[] | undefined;
  #bytes = 0;

  constructor(
    options: ExchangeOptions,
    resolve: (response: BufferedResponse) => void,
    reject: (reason: unknown) => void,
  ) {
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  run(transport: Transport, request: EngineRequest): void {
    this.#options.signal?.addEventListener('abort', this.#onAbort, { once: true });
    try {
      this.#transfer = transport.send(request, this);
    } catch (error) {
      this.#fail(error);
    }
  }

  onHead(head: EngineResponseHead): void {
    this.#head = head;
  }

  onBody(chunk: Uint8Array): boolean {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#options.maxAnswerBytes) this.#fail(sizeFault(this.#options.doing));
    else if (this.#chunks) this.#chunks.push(chunk);
    else this.#chunks = [chunk];
    return true;
  }

  onEnd(): void {
    const head = this.#head;
    if (this.#settled || !head) return;
    this.#settle();
    const body = this.#chunks ? Buffer.concat(this.#chunks, this.#bytes) : EMPTY;
    this.#resolve({ status: head.status, head, body });
  }

  onError(error: Error): void {
    this.#fail(connectionFault(error, this.#options.doing));
  }

  readonly #onAbort = (): void => this.#fail(this.#options.signal?.reason);

  #fail(reason: unknown): void {
    if (this.#settled) return;
    this.#settle();
    this.#transfer?.abort();
    this.#reject(reason);
  }

  #settle(): void {
    this.#settled = true;
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
  }
}

function sizeFault(doing: string): BlobStoreUnavailableError {
  return new BlobStoreUnavailableError(`the engine’s answer was too large while ${doing}`, {
    retryable: false,
  });
}

/** Requests with `fetch`, for browsers. */
import { MillpondError } from './error.ts';
import type { RequestBody, Transport, TransportRequest, TransportResponse } from './transport.ts';

export interface FetchTransportOptions {
  /** The longest a connection may be silent, in milliseconds; default 90 s. Sending may take longer, depending on the size. */
  readonly idleMs?: number;
  /** Default: the browser's own. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** Bytes per second. A page can't see how much of a body was sent: a connection slower than this counts as stalled. */
const SLOWEST_SENDING = 8 * 1024;

export function fetchTransport({
  idleMs = 90_000,
  fetch: fetchOf = (url, init) => fetch(url, init),
}: FetchTransportOptions = {}): Transport {
  return async ({ method, url, headers, body, signal }: TransportRequest): Promise<TransportResponse> => {
    const silence = new Silence(idleMs, signal);
    const sending = (lengthOf(body) / SLOWEST_SENDING) * 1000;
    const answer = await silence.limit(sending, () =>
      fetchOf(url, {
        method,
        headers,
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Blob([...body]) }),
        signal: silence.signal,
      }),
    );
    return {
      status: answer.status,
      isDecoded: (answer.headers.get('content-encoding') ?? 'identity') !== 'identity',
      header: (name) => answer.headers.get(name) ?? undefined,
      text: () => textOf(chunksOf(answer, silence)),
      chunks: () => chunksOf(answer, silence),
      discard: () => void answer.body?.cancel().catch(() => undefined),
    };
  };
}

/** Ends a request in which nothing happens, and tells why it ended. */
class Silence {
  readonly signal: AbortSignal;
  readonly #idleMs: number;
  readonly #asked: AbortSignal | undefined;
  readonly #over = new AbortController();

  constructor(idleMs: number, asked: AbortSignal | undefined) {
    this.#idleMs = idleMs;
    this.#asked = asked;
    this.signal = asked === undefined ? this.#over.signal : AbortSignal.any([asked, this.#over.signal]);
  }

  /** Only while we wait for the connection: a slow reader is not cut off. */
  async limit<T>(moreMs: number, step: () => Promise<T>): Promise<T> {
    const ms = this.#idleMs + moreMs;
    const timer = setTimeout(() => this.#over.abort(), ms);
    try {
      return await step();
    } catch (error) {
      if (this.#asked?.aborted)
        throw new MillpondError('cancelled', 'the call was cancelled', { cause: error });
      if (this.#over.signal.aborted)
        throw new MillpondError('timeout', `no answer within ${Math.round(ms / 1000)} s`, { cause: error });
      const words = error instanceof Error ? error.message : String(error);
      throw new MillpondError('network', `no answer: ${words}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }
}

async function* chunksOf(answer: Response, silence: Silence): AsyncGenerator<Uint8Array> {
  if (answer.body === null) return;
  const reader = answer.body.getReader();
  try {
    for (;;) {
      const { done, value } = await silence.limit(0, () => reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

function lengthOf(body: RequestBody | undefined): number {
  if (body === undefined || typeof body === 'string') return body?.length ?? 0;
  return body.reduce((sum, piece) => sum + piece.length, 0);
}

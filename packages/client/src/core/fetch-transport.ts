/** Requests by `fetch`, for browsers. */
import { MillpondError } from './error.ts';
import type { Transport, TransportAnswer, TransportRequest } from './transport.ts';

export function fetchTransport(
  fetchOf: (url: string, init: RequestInit) => Promise<Response> = (url, init) => fetch(url, init),
): Transport {
  return async ({ method, url, headers, body, signal }: TransportRequest): Promise<TransportAnswer> => {
    try {
      const answer = await fetchOf(url, {
        method,
        headers,
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Blob([...body]) }),
        ...(signal === undefined ? {} : { signal }),
      });
      return {
        status: answer.status,
        header: (name) => answer.headers.get(name) ?? undefined,
        text: () => answer.text().catch((error: unknown) => Promise.reject(failure(error, signal))),
        chunks: () => chunksOf(answer, signal),
        discard: () => void answer.body?.cancel().catch(() => undefined),
      };
    } catch (error) {
      throw failure(error, signal);
    }
  };
}

async function* chunksOf(answer: Response, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  if (answer.body === null) return;
  const reader = answer.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw failure(error, signal);
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

function failure(error: unknown, signal: AbortSignal | undefined): MillpondError {
  if (signal?.aborted) return new MillpondError('cancelled', 'the call was cancelled', { cause: error });
  const words = error instanceof Error ? error.message : String(error);
  return new MillpondError('network', `no answer: ${words}`, { cause: error });
}

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type FetchTransportOptions, fetchTransport } from './fetch-transport.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Fetch = NonNullable<FetchTransportOptions['fetch']>;

/** Says what the promise came to, once it has. */
function watched(promise: Promise<unknown>): () => unknown {
  let ended: unknown = 'waiting';
  promise.then(
    (value) => (ended = value),
    (error: unknown) => (ended = error),
  );
  return () => ended;
}

/** Never answers; ends as `fetch` does when its signal is aborted. */
const silent: Fetch = (_url, { signal }) =>
  new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));

/** Answers with pieces, so many milliseconds apart, and falls silent after the last unless that ends it. */
const speaking = (pieces: readonly string[], everyMs: number, ends: boolean): Fetch => {
  return async (_url, { signal }) => {
    let at = 0;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => signal?.addEventListener('abort', () => controller.error(signal.reason)),
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, everyMs));
        const piece = pieces[at++];
        if (piece !== undefined) controller.enqueue(new TextEncoder().encode(piece));
        else if (ends) controller.close();
        else await new Promise(() => undefined);
      },
    });
    return new Response(body);
  };
};

const request = { method: 'GET', url: 'http://server/', headers: {} };

describe('a server that falls silent', () => {
  test('before it answers: 90 s', async () => {
    const ended = watched(fetchTransport({ fetch: silent })(request));
    await vi.advanceTimersByTimeAsync(89_999);
    expect(ended()).toBe('waiting');
    await vi.advanceTimersByTimeAsync(1);
    expect(ended()).toMatchObject({ code: 'timeout', status: 0, message: 'no answer within 90 s' });
  });

  test('in the middle of its answer', async () => {
    const transport = fetchTransport({ idleMs: 1000, fetch: speaking(['half'], 10, false) });
    const ended = watched((await transport(request)).text());
    await vi.advanceTimersByTimeAsync(1000);
    expect(ended()).toBe('waiting');
    await vi.advanceTimersByTimeAsync(20);
    expect(ended()).toMatchObject({ code: 'timeout' });
  });

  test('while a body is sent, of which a page is told nothing: longer by its size', async () => {
    const body = [new Uint8Array(4 * 1024 * 1024)];
    const ended = watched(fetchTransport({ fetch: silent })({ ...request, method: 'PUT', body }));
    await vi.advanceTimersByTimeAsync(600_000);
    expect(ended()).toBe('waiting');
    await vi.advanceTimersByTimeAsync(2000);
    expect(ended()).toMatchObject({ code: 'timeout' });
  });
});

test('an answer that comes slowly, or is read slowly, is not cut off', async () => {
  const transport = fetchTransport({ idleMs: 1000, fetch: speaking(['slow', 'ly'], 900, true) });
  const answer = await transport(request);
  const read = async () => {
    let text = '';
    for await (const chunk of answer.chunks()) {
      text += new TextDecoder().decode(chunk);
      await new Promise((resolve) => setTimeout(resolve, 5000));
    }
    return text;
  };
  const ended = watched(read());
  await vi.advanceTimersByTimeAsync(20_000);
  expect(ended()).toBe('slowly');
});

test('who cancels is told so', async () => {
  const stop = new AbortController();
  const ended = watched(fetchTransport({ fetch: silent })({ ...request, signal: stop.signal }));
  stop.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(ended()).toMatchObject({ code: 'cancelled' });
});

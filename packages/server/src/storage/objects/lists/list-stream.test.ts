import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { sendLines } from './list.routes.ts';

const PIECE = 'x'.repeat(64 * 1024);

/** Serves one request with `handle`, and gives the answer as it begins. */
async function serve(handle: (response: ServerResponse) => void): Promise<IncomingMessage> {
  const server = createServer((_request, response) => handle(response)).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const [answer] = (await once(get({ host: '127.0.0.1', port }), 'response')) as [IncomingMessage];
  return answer;
}

async function* pieces(count: number, made: { count: number }): AsyncGenerator<string, void> {
  while (made.count < count) {
    made.count++;
    yield PIECE;
  }
}

test('sends everything, and ends', async () => {
  const lines = pieces(5, { count: 0 });
  const answer = await serve((response) => {
    void lines.next().then((first) => sendLines(response, first, lines, new AbortController().signal));
  });
  let bytes = 0;
  for await (const chunk of answer) bytes += (chunk as Buffer).length;
  expect([answer.complete, bytes]).toEqual([true, 5 * PIECE.length]);
});

test('makes no more than the client takes, and stops when it leaves', async () => {
  const made = { count: 0 };
  const lines = pieces(100_000, made);
  const leaving = new AbortController();
  const { promise: sent, resolve, reject } = Promise.withResolvers<void>();
  const answer = await serve((response) => {
    response.once('close', () => leaving.abort(new Error('left')));
    void lines
      .next()
      .then((first) => sendLines(response, first, lines, leaving.signal))
      .then(resolve, reject);
  });
  answer.pause();
  // What the sockets hold is the system's own; it comes to rest far below everything.
  let before = -1;
  await expect
    .poll(
      () => {
        const isStill = made.count === before;
        before = made.count;
        return isStill;
      },
      { interval: 200 },
    )
    .toBe(true);
  expect(made.count).toBeLessThan(1000);
  answer.destroy();
  await expect(sent).rejects.toThrow('left');
});

test('a failure in the middle leaves the stream unfinished', async () => {
  async function* failing(): AsyncGenerator<string, void> {
    yield PIECE;
    throw new Error('the database is gone');
  }
  const lines = failing();
  const failures: unknown[] = [];
  const answer = await serve((response) => {
    void lines
      .next()
      .then((first) => sendLines(response, first, lines, new AbortController().signal))
      .catch((error: unknown) => {
        failures.push(error);
        // As the assembly does where half an answer is out.
        setImmediate(() => response.destroy());
      });
  });
  answer.resume();
  answer.on('error', () => undefined);
  await new Promise((resolve) => answer.once('close', resolve));
  expect(answer.complete).toBe(false);
  expect(failures).toEqual([new Error('the database is gone')]);
});

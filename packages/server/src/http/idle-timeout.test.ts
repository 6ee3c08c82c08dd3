import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { suspendIdleTimeout } from './run-route.ts';

const BODY = Buffer.alloc(1024 * 1024, 1);

/** Sends so much of the body to a server that handles it so; the answer, or the code of what broke the connection. */
async function send(
  bytes: number,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer((incoming, response) => {
    suspendIdleTimeout(incoming, response);
    incoming.on('error', () => undefined);
    handle(incoming, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const outgoing = request({ port, method: 'POST', headers: { 'content-length': BODY.length } });
    const answered = once(outgoing, 'response');
    outgoing.write(BODY.subarray(0, bytes));
    const [answer] = (await answered) as [IncomingMessage];
    return (await answer.toArray()).join('');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('a client whose bytes we do not take is not silent: an engine that stalls resets no upload', async () => {
  const answer = await send(BODY.length, (incoming, response) => {
    incoming.once('data', () => {
      incoming.pause();
      response.emit('timeout', incoming.socket);
      incoming.on('end', () => response.end('taken')).resume();
    });
  });
  expect(answer).toBe('taken');
});

test('nor is one whose body nobody has begun to read', async () => {
  const answer = await send(BODY.length, (incoming, response) => {
    incoming.once('readable', () => {
      response.emit('timeout', incoming.socket);
      incoming.on('end', () => response.end('taken')).resume();
    });
  });
  expect(answer).toBe('taken');
});

test('a client that stops in the middle of its body is cut off', async () => {
  const answer = await send(BODY.length / 2, (incoming, response) => {
    let taken = 0;
    incoming.on('data', (chunk: Buffer) => {
      taken += chunk.length;
      if (taken === BODY.length / 2) setImmediate(() => response.emit('timeout', incoming.socket));
    });
  });
  expect(answer).toBe('ECONNRESET');
});

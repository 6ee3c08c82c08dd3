import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Fault } from '@millpond/protocol';
import { afterEach, expect, test } from 'vitest';
import { proxyTrust } from '../platform/web/index.ts';
import { ConnectionLimit } from './connection-limit.ts';

const PROXY = '127.0.0.5';
const [ONE, OTHER] = ['127.0.0.6', '127.0.0.7'];
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

interface Site {
  readonly limit: ConnectionLimit;
  readonly open: (from: string) => Promise<Socket>;
  /** A request that nobody answers, or the status with which it was refused. */
  readonly ask: (from: string, forwardedFor: string) => Promise<ServerResponse | number>;
}

/** Two of an address. */
async function site(): Promise<Site> {
  const limit = new ConnectionLimit(2, proxyTrust([PROXY]));
  const server = createServer();
  limit.guard(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const open = async (from: string) => {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', localAddress: from }).on('error', () => undefined);
    ends.push(() => socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  return {
    limit,
    open,
    async ask(from, forwardedFor) {
      const socket = await open(from);
      socket.write(`GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${forwardedFor}\r\n\r\n`);
      const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
      try {
        limit.admit(request, response);
        return response;
      } catch (error) {
        return error instanceof Fault ? error.status : 0;
      }
    },
  };
}

async function isKept(socket: Socket): Promise<boolean> {
  socket.write('GET / HTTP/1.1\r\n\r\n');
  const [event] = await Promise.race([
    once(socket, 'data').then(() => ['data']),
    once(socket, 'close').then(() => ['close']),
  ]);
  return event === 'data';
}

test('an address has so many connections, and those of others are their own', async () => {
  const { limit, open } = await site();
  const [first] = [await open(ONE), await open(ONE)];
  expect(await isKept(await open(ONE))).toBe(false);
  expect(await isKept(await open(OTHER))).toBe(true);
  expect(limit.refused).toBe(1);
  first.destroy();
  // The server notices a moment later.
  await expect.poll(async () => isKept(await open(ONE))).toBe(true);
});

test('a trusted proxy has any number, and each that it asks for has so many requests', async () => {
  const { ask } = await site();
  const [first, second] = [await ask(PROXY, ONE), await ask(PROXY, `${OTHER}, ${ONE}`)];
  expect([typeof first, typeof second]).toEqual(['object', 'object']);
  expect(await ask(PROXY, ONE)).toBe(573);
  expect(typeof (await ask(PROXY, OTHER))).toBe('object');
  (first as ServerResponse).end();
  await once(first as ServerResponse, 'close');
  expect(typeof (await ask(PROXY, ONE))).toBe('object');
  // Its own looks for health count for nobody.
  for (let count = 0; count < 4; count++) expect(typeof (await ask(PROXY, PROXY))).toBe('object');
});

test('whoever is no trusted proxy asks for itself, whatever it says', async () => {
  const { ask } = await site();
  for (const client of ['192.0.2.1', '192.0.2.1']) expect(typeof (await ask(ONE, client))).toBe('object');
  expect(typeof (await ask(PROXY, '192.0.2.1'))).toBe('object');
});

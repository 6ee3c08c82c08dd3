import { once } from 'node:events';
import { request as ask, createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { PieceRate } from '@millpond/base';
import { afterEach, expect, test } from 'vitest';
import { proxyTrust } from '../platform/web/index.ts';
import { SmallPieces } from './small-pieces.ts';

const [ONE, OTHER, PROXY] = ['127.0.0.6', '127.0.0.7', '127.0.0.5'];
/** What Node takes from a connection at once. */
const ONE_READ = 64 * 1024;
/** So slow that in the time of a test nothing is paid. */
const NEVER_PAID: PieceRate = { burst: 100, perSecond: 0.001 };
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

interface Site {
  readonly port: number;
  readonly pieces: SmallPieces;
  readonly requests: IncomingMessage[];
}

/** Answers with what it was sent, once it has all of it. */
async function site(rate: PieceRate): Promise<Site> {
  const pieces = new SmallPieces(proxyTrust([PROXY]), rate);
  const requests: IncomingMessage[] = [];
  const server = createServer({ IncomingMessage: pieces.requestClass() }, (request, response) => {
    requests.push(request);
    if (request.url === '/unread') return;
    text(request).then(
      (body) => response.end(body),
      // The test has ended.
      () => response.destroy(),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, pieces, requests };
}

/** Sends a body in chunks of one byte; returns the connection. */
async function sendTiny({ port }: Site, from: string, count: number, path = '/'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from }).on('error', () => undefined);
  ends.push(() => socket.destroy());
  await once(socket, 'connect');
  socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`);
  socket.write('1\r\nx\r\n'.repeat(count));
  return socket;
}

async function answered({ port }: Site, from: string, ...pieces: string[]): Promise<string> {
  const asked = ask({ port, host: '127.0.0.1', localAddress: from, method: 'POST' });
  for (const piece of pieces) asked.write(piece);
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return text(response);
}

/** Long enough for the server to read on, if it would. */
async function otherWork(of: Site): Promise<void> {
  for (let requests = 0; requests < 100; requests++) await answered(of, '127.0.0.9');
}

test('a network that sends too many tiny chunks is not read further, also by another connection', async () => {
  const of = await site(NEVER_PAID);
  await sendTiny(of, ONE, 200_000);
  await expect.poll(() => of.pieces.slowedDown).toBe(1);
  await sendTiny(of, ONE, 200_000);
  await expect.poll(() => of.pieces.slowedDown).toBe(2);
  expect(await answered(of, OTHER, 'a', 'b')).toBe('ab');
  await otherWork(of);
  for (const { socket } of of.requests.slice(0, 2)) expect(socket.bytesRead).toBeLessThan(3 * ONE_READ);
});

test('nor does it take more memory for pieces than for what they hold, while nobody reads them', async () => {
  const of = await site(NEVER_PAID);
  await sendTiny(of, ONE, 10_000, '/unread');
  await expect.poll(() => of.pieces.slowedDown).toBe(1);
  const [request] = of.requests;
  let chunks = 0;
  request?.on('data', () => chunks++);
  await otherWork(of);
  expect(chunks).toBeLessThan(2 * NEVER_PAID.burst);
});

test('pieces of 536 bytes, the smallest segments there are, owe nothing; nor does a small body', async () => {
  const of = await site(NEVER_PAID);
  const segments = Array.from({ length: 400 }, (_, n) => String(n % 10).repeat(536));
  expect(await answered(of, ONE, ...segments)).toBe(segments.join(''));
  for (let calls = 0; calls < 20; calls++) expect(await answered(of, ONE, 'a=b', '&c=d')).toBe('a=b&c=d');
  expect(of.pieces.slowedDown).toBe(0);
});

test('a body that is read more slowly arrives whole and in order', async () => {
  const of = await site({ burst: 100, perSecond: 100_000 });
  const lines = Array.from({ length: 20_000 }, (_, n) => `line ${n}\n`);
  const [one, other] = await Promise.all([answered(of, ONE, ...lines), answered(of, ONE, ...lines)]);
  expect(one).toBe(lines.join(''));
  expect(other).toBe(lines.join(''));
  expect(of.pieces.slowedDown).toBeGreaterThan(0);
});

test('of a trusted proxy, each connection pays for itself', async () => {
  const of = await site(NEVER_PAID);
  await sendTiny(of, PROXY, 200_000);
  await expect.poll(() => of.pieces.slowedDown).toBe(1);
  expect(await answered(of, PROXY, ...Array.from({ length: 90 }, () => 'a'))).toBe('a'.repeat(90));
  expect(of.pieces.slowedDown).toBe(1);
});

/** Writes to an engine whose answers come early, late or not at all. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { type Certificate, makeCertificate } from '@millpond/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { newBlobId } from '../blob-id.ts';
import { createWriteBudget } from '../budget.ts';
import type { BlobStore } from '../store.ts';
import { digest, pattern } from '../testing/sinks.ts';
import type { S3Limits } from './options.ts';
import { createS3BlobStore } from './store.ts';

const STANDARD = { tier: 'STANDARD' } as const;
const STORED = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
const REFUSED = 'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n';

interface WriteOutcome {
  readonly method: string;
  readonly sha256: string;
}

let certificate: Certificate;
let server: Server;
let store: BlobStore;
const sockets: Socket[] = [];
const written: WriteOutcome[] = [];

beforeAll(async () => {
  certificate = await makeCertificate();
});
afterAll(() => certificate.remove());
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  written.length = 0;
  server.close();
  await store.close();
});

async function start(
  serve: (socket: Socket) => void,
  limits: Partial<S3Limits>,
  scheme: 'http' | 'https' = 'http',
): Promise<void> {
  const accept = (socket: Socket): void => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    serve(socket);
  };
  server =
    scheme === 'https' ? createTlsServer(certificate.keys, accept) : createServer({ noDelay: true }, accept);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  store = createS3BlobStore({
    endpoint: `${scheme}://127.0.0.1:${address.port}`,
    certificateAuthority: certificate.text,
    region: 'default',
    accessKey: 'key',
    secretKey: 'secret',
    bucket: 'blobs',
    budget: createWriteBudget(0),
    limits: { retryDelay: 1, tries: 1, ...limits },
  });
}

/** Reads requests with their bodies; `answer` is called behind each. */
function readRequests(socket: Socket, answer: (method: string) => void): void {
  let head = '';
  let left = -1;
  let hash = createHash('sha256');
  socket.on('data', (chunk: Buffer) => {
    let at = 0;
    if (left < 0) {
      const before = head.length;
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      at = end + 4 - before;
      left = Number(/content-length: (\d+)/.exec(head.slice(0, end))?.[1] ?? 0);
    }
    hash.update(chunk.subarray(at));
    left -= chunk.length - at;
    if (left > 0) return;
    const method = head.slice(0, head.indexOf(' '));
    written.push({ method, sha256: hash.digest('hex') });
    [head, left, hash] = ['', -1, createHash('sha256')];
    answer(method);
  });
}

const schemes = ['http', 'https'] as const;

test.each(schemes)('%s: bodies in any pieces arrive whole on one connection', async (scheme) => {
  await start((socket) => readRequests(socket, () => socket.write(STORED)), { writeConnections: 1 }, scheme);
  const bodies = [
    [pattern(100, 1)],
    [pattern(20_000, 2), pattern(1, 3)],
    Array.from({ length: 90 }, (_, index) => pattern(70_000, index)),
    [],
  ];
  await Promise.all(bodies.map((chunks) => store.put(newBlobId(), chunks, STANDARD)));
  expect(written.map(({ sha256 }) => sha256)).toEqual(bodies.map((chunks) => digest(Buffer.concat(chunks))));
  expect(sockets).toHaveLength(1);
});

test.each(schemes)(
  '%s: an engine that answers before it has read the body is heard, and its connection not used again',
  async (scheme) => {
    await start(
      (socket) => {
        if (sockets.length > 1) readRequests(socket, () => socket.write(STORED));
        else socket.once('readable', () => socket.write(REFUSED));
      },
      { writeConnections: 1 },
      scheme,
    );
    const large = [pattern(30_000_000, 4)];
    await expect(store.put(newBlobId(), large, STANDARD)).rejects.toThrow('403');
    await store.put(newBlobId(), [pattern(10, 5)], STANDARD);
    expect(sockets).toHaveLength(2);
    expect(written.map(({ sha256 }) => sha256)).toEqual([digest(pattern(10, 5))]);
  },
);

test.each(schemes)(
  '%s: on a kept connection that the engine closes, a look is repeated by itself and a write is a try',
  async (scheme) => {
    const answered = new Set<Socket>();
    await start(
      (socket) =>
        readRequests(socket, () => {
          // Each connection answers once.
          if (answered.has(socket)) socket.destroy();
          else socket.write(STORED);
          answered.add(socket);
        }),
      { writeConnections: 1 },
      scheme,
    );
    await store.put(newBlobId(), [pattern(10)], STANDARD);
    expect(await store.stat(newBlobId())).toEqual({ size: 0, tier: 'STANDARD' });
    await expect(store.put(newBlobId(), [pattern(10)], STANDARD)).rejects.toThrow('lost');
    await store.put(newBlobId(), [pattern(10)], STANDARD);
    expect(written.map(({ method }) => method)).toEqual(['PUT', 'HEAD', 'HEAD', 'PUT', 'PUT']);
  },
);

test.each(schemes)('%s: an engine that reads nothing is given up in time', async (scheme) => {
  await start((socket) => socket.pause(), { headersTimeout: 200 }, scheme);
  await expect(store.put(newBlobId(), [pattern(30_000_000, 6)], STANDARD)).rejects.toThrow('does not answer');
});

// @module-tag ceph
/** The real engine behind TLS, over a network that breaks what it carries. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type BlobId, newBlobId } from '../blob-id.ts';
import { BlobStoreUnavailableError } from '../errors.ts';
import type { BlobStore } from '../store.ts';
import { engineOptions, removeEngineBucket } from '../testing/engine.ts';
import { type FaultProxy, startFaultProxy } from '../testing/fault-proxy.ts';
import { collectingSink, digest, pattern } from '../testing/sinks.ts';
import { startTlsFront, type TlsFront } from '../testing/tls-front.ts';
import type { S3BlobOptions } from './options.ts';
import { createS3BlobStore } from './store.ts';

const MIB = 1024 * 1024;
const STANDARD = { tier: 'STANDARD' } as const;
const bytes = pattern(4 * MIB + 5, 80);
const { length } = bytes;

let direct: S3BlobOptions;
let engine: BlobStore;
let front: TlsFront;
let blob: BlobId;
let proxy: FaultProxy;
let store: BlobStore;
const opened: BlobStore[] = [];

const through = (options: Partial<S3BlobOptions> = {}): BlobStore => {
  const endpoint = proxy.endpoint.replace('http:', 'https:');
  const { text } = front.certificate;
  const made = createS3BlobStore({
    ...direct,
    endpoint,
    certificateAuthority: text,
    limits: { retryDelay: 10 },
    ...options,
  });
  opened.push(made);
  return made;
};
/** Not before its time is over does a store know that a connection stalls. */
const storeFor = (what: string): BlobStore =>
  what === 'stall'
    ? through({ limits: { retryDelay: 10, connectTimeout: 2000, headersTimeout: 3000, bodyTimeout: 2000 } })
    : store;
/** A busy machine may be too slow for the store that is in a hurry, which then tries once more. */
const expectConnections = (what: string, count: number): void =>
  what === 'stall'
    ? expect(proxy.accepted).toBeGreaterThanOrEqual(count)
    : expect(proxy.accepted).toBe(count);
const faultOf = async (promise: Promise<unknown>): Promise<BlobStoreUnavailableError> => {
  const error: unknown = await promise.then(
    () => new Error('did not fail'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(BlobStoreUnavailableError);
  return error as BlobStoreUnavailableError;
};

beforeAll(async () => {
  direct = engineOptions();
  engine = createS3BlobStore(direct);
  await engine.ensureReady();
  blob = newBlobId();
  await engine.put(blob, [bytes], STANDARD);
  front = await startTlsFront(direct.endpoint);
});
afterAll(async () => {
  await front?.close();
  await engine?.close();
  if (direct) await removeEngineBucket(direct);
});
beforeEach(async () => {
  proxy = await startFaultProxy(front.endpoint);
  store = through();
});
afterEach(async () => {
  await proxy.close();
  await Promise.all(opened.splice(0).map((made) => made.close()));
});

describe('a bad network', () => {
  test.each(['reset', 'end', 'stall', 'flip'] as const)(
    '%s in the middle of a body: the read goes on where it was',
    async (what) => {
      proxy.faults.push({ what, afterAnswerBytes: 2 * MIB });
      const sink = collectingSink();
      await storeFor(what).read(blob, { offset: 0, length }, sink);
      expect(digest(sink.bytes())).toBe(digest(bytes));
      expectConnections(what, 2);
    },
  );

  test.each(['reset', 'end', 'stall', 'flip'] as const)(
    '%s within the handshake is tried again',
    async (what) => {
      proxy.faults.push({ what, afterAnswerBytes: 100 });
      const sink = collectingSink();
      await storeFor(what).read(blob, { offset: 10, length: 1000 }, sink);
      expect(sink.bytes().equals(bytes.subarray(10, 1010))).toBe(true);
      expectConnections(what, 2);
    },
  );

  test.each(['reset', 'end', 'stall', 'flip'] as const)('%s in the body of a put, twice', async (what) => {
    proxy.faults.push({ what, afterRequestBytes: MIB, times: 2 });
    const id = newBlobId();
    await storeFor(what).put(id, [bytes], STANDARD);
    expect(digest(await engine.readAll(id, length))).toBe(digest(bytes));
    expectConnections(what, 3);
  });

  test('flip every time: a clean error, and only true bytes before it', async () => {
    proxy.faults.push({ what: 'flip', afterAnswerBytes: 200_000, times: 100 });
    const sink = collectingSink();
    const fault = await faultOf(store.read(blob, { offset: 7, length: length - 7 }, sink));
    expect(fault).toMatchObject({ retryable: true, message: expect.stringContaining('lost (ERR_SSL_') });
    expect(sink.bytes().equals(bytes.subarray(7, 7 + sink.received))).toBe(true);
  });

  test('a kept connection that the engine closed is no fault', async () => {
    for (let count = 0; count < 3; count++) {
      await store.read(blob, { offset: 0, length: 10 }, collectingSink());
      expect(await store.stat(blob)).toEqual({ size: length, tier: 'STANDARD' });
      proxy.dropIdle();
    }
  });
});

describe('who is not the engine', () => {
  test('a certificate of an unknown authority: refused at once, and nothing is said to it', async () => {
    const heard: unknown[] = [];
    const server = createTlsServer(front.certificate.keys, (socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => heard.push(chunk));
      socket.on('close', () => server.emit('left'));
    });
    server.on('tlsClientError', () => server.emit('left'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const left = once(server, 'left');
    const stranger = through({
      endpoint: `https://127.0.0.1:${address.port}`,
      certificateAuthority: undefined,
    });
    const fault = await faultOf(stranger.put(newBlobId(), [bytes], STANDARD));
    expect(fault.retryable).toBe(false);
    expect(fault.message).toContain('the certificate of the engine is not trusted: self-signed certificate');
    await left;
    expect(heard).toEqual([]);
  });

  test('a certificate for another name', async () => {
    const server = createTlsServer(front.certificate.keys, (socket) => socket.on('error', () => undefined));
    server.on('tlsClientError', () => undefined);
    // An address of this machine, but none that the certificate names.
    server.listen(0, '127.0.0.2');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const fault = await faultOf(through({ endpoint: `https://127.0.0.2:${address.port}` }).stat(blob));
    expect(fault.retryable).toBe(false);
    expect(fault.message).toContain('is not trusted: ');
    expect(fault.message).toContain('127.0.0.2');
  });

  test.each(['HTTP/1.1 400 Bad Request\r\n\r\n', ''])('no TLS but %j', async (text) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(text);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const fault = await faultOf(through({ endpoint: `https://127.0.0.1:${address.port}` }).stat(blob));
    expect(fault.message).toContain('connection to the engine lost');
  });
});

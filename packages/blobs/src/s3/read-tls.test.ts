/** Reads from an engine behind TLS, whose bytes come record by record. */
import type { TLSSocket } from 'node:tls';
import { type Certificate, makeCertificate } from '@millpond/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { newBlobId } from '../blob-id.ts';
import { createWriteBudget } from '../budget.ts';
import { BlobNotFoundError } from '../errors.ts';
import type { BlobStore } from '../store.ts';
import {
  partHead,
  type ScriptedEngine,
  type ScriptedRequest,
  startScriptedEngine,
} from '../testing/scripted-engine.ts';
import { collectingSink, digest, pattern, slowSink } from '../testing/sinks.ts';
import { createS3BlobStore } from './store.ts';

const blob = newBlobId();
const bytes = pattern(6_000_000, 70);
const whole = { offset: 0, length: bytes.length };
let certificate: Certificate;
let engine: ScriptedEngine;
let store: BlobStore;
let answer: (request: ScriptedRequest) => void;

const serve = ({ socket, first, last }: ScriptedRequest): void => {
  socket.write(partHead(first, last));
  socket.write(bytes.subarray(first, last + 1));
};

const storeAt = (endpoint: string, queueTimeout = 3000): BlobStore =>
  createS3BlobStore({
    endpoint,
    certificateAuthority: certificate.text,
    region: 'default',
    accessKey: 'key',
    secretKey: 'secret',
    bucket: 'blobs',
    budget: createWriteBudget(16 * 1024 * 1024),
    limits: { readConnections: 1, queueTimeout, parkAfter: 100, tries: 3, retryDelay: 1 },
  });

beforeAll(async () => {
  certificate = await makeCertificate();
});
afterAll(() => certificate.remove());
beforeEach(async () => {
  answer = serve;
  engine = await startScriptedEngine((request) => answer(request), certificate.keys);
  store = storeAt(engine.endpoint);
});
afterEach(async () => {
  await engine.close();
  await store.close();
});

test('a read goes on after a body that ended early', async () => {
  answer = (request) => {
    if (request.first > 0) return serve(request);
    request.socket.end(Buffer.concat([Buffer.from(partHead(0, request.last)), bytes.subarray(0, 1_000_000)]));
  };
  const sink = collectingSink();
  await store.read(blob, whole, sink);
  expect(digest(sink.bytes())).toBe(digest(bytes));
  expect(engine.requests).toBe(2);
});

test('a sink that sleeps gives its connection back and gets every byte', async () => {
  let slept = false;
  const sink = slowSink((received) => {
    if (slept || received < 1_000_000) return 0;
    slept = true;
    return 300;
  });
  await store.read(blob, whole, sink);
  await expect.poll(() => sink.bytes().length).toBe(bytes.length);
  expect(sink.maxUnrequested).toBe(0);
  expect(digest(sink.bytes())).toBe(digest(bytes));
  expect(engine.requests).toBe(2);
});

test('a missing blob', async () => {
  const body = '<Error><Code>NoSuchKey</Code></Error>';
  answer = ({ socket }) => socket.write(`HTTP/1.1 404 No\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  await expect(store.read(blob, whole, collectingSink())).rejects.toThrow(BlobNotFoundError);
});

test('who waits too long for a connection is told, and a cancelled read makes room', async () => {
  answer = () => undefined;
  const impatient = storeAt(engine.endpoint, 50);
  onTestFinished(() => impatient.close());
  const cancel = new AbortController();
  const first = impatient.read(blob, whole, collectingSink(), cancel.signal);
  first.catch(() => undefined);
  while (engine.requests === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await expect(impatient.read(blob, whole, collectingSink())).rejects.toThrow('no free connection');
  answer = serve;
  cancel.abort(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  const sink = collectingSink();
  await impatient.read(blob, whole, sink);
  expect(digest(sink.bytes())).toBe(digest(bytes));
});

test('the engine is called by its name, and connections after the first take up its session', async () => {
  const named = storeAt(engine.endpoint.replace('127.0.0.1', 'localhost'));
  const seen: [unknown, boolean][] = [];
  answer = (request) => {
    const socket = request.socket as TLSSocket;
    seen.push([socket.servername, socket.isSessionReused()]);
    socket.write(partHead(0, 9).replace(/\r\n$/, 'Connection: close\r\n\r\n'));
    socket.end(bytes.subarray(0, 10));
  };
  for (const from of [named, named, store]) {
    const sink = collectingSink();
    await from.read(blob, { offset: 0, length: 10 }, sink);
    expect(sink.bytes().equals(bytes.subarray(0, 10))).toBe(true);
  }
  await named.close();
  expect(seen).toEqual([
    ['localhost', false],
    ['localhost', true],
    [false, false],
  ]);
});

test('a sink that is full gets nothing more, though records come, and all of an answer whose end comes with them', async () => {
  answer = ({ socket, first, last }) => {
    // In one packet, so that they are there before the sink is full: records of 16 KiB, 1 byte, and the end.
    socket.cork();
    socket.write(partHead(first, last));
    socket.write(bytes.subarray(first, last));
    socket.write(bytes.subarray(last, last + 1));
    socket.end();
    process.nextTick(() => socket.uncork());
  };
  for (let length = 1; length < 200_000; length = length * 3 + 1000) {
    const sink = slowSink(() => 0);
    const { requests } = engine;
    await store.read(blob, { offset: 5, length }, sink);
    await expect.poll(() => sink.bytes().length).toBe(length);
    expect(sink.bytes().equals(bytes.subarray(5, 5 + length))).toBe(true);
    expect([sink.maxUnrequested, engine.requests - requests]).toEqual([0, 1]);
  }
});

test('a sink that holds its bytes back keeps them as they were', async () => {
  const held: { chunk: Uint8Array; before: string }[] = [];
  const changed: number[] = [];
  let writes = 0;
  const sink = {
    get writableLength() {
      return held.length;
    },
    write(chunk: Uint8Array): boolean {
      held.push({ chunk, before: digest(chunk) });
      if (++writes % 29 !== 0) return true;
      for (const one of held.splice(0)) if (digest(one.chunk) !== one.before) changed.push(writes);
      return true;
    },
    once: () => undefined,
  };
  for (let count = 0; count < 3; count++) await store.read(blob, whole, sink);
  expect(changed).toEqual([]);
  expect(writes).toBeGreaterThan(100);
});

test('a read that is given up from inside its sink ends, though records are left', async () => {
  for (let count = 0; count < 20; count++) {
    const cancel = new AbortController();
    const sink = {
      writableLength: 0,
      write(): boolean {
        cancel.abort(new Error('enough'));
        return true;
      },
      once: () => undefined,
    };
    await expect(store.read(blob, whole, sink, cancel.signal)).rejects.toThrow('enough');
  }
});

/** Reads from an engine behind TLS, which take another way than those over plain HTTP. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { type Certificate, makeCertificate } from '@millpond/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newBlobId } from '../blob-id.ts';
import { createWriteBudget } from '../budget.ts';
import { BlobMissing } from '../errors.ts';
import type { BlobStore } from '../store.ts';
import {
  type Asked,
  partHead,
  type ScriptedEngine,
  startScriptedEngine,
} from '../testing/scripted-engine.ts';
import { collectingSink, digest, pattern, slowSink } from '../testing/sinks.ts';
import { createS3BlobStore } from './store.ts';

const blob = newBlobId();
const bytes = pattern(6_000_000, 70);
const whole = { offset: 0, length: bytes.length };
let certificate: Certificate;
let engine: ScriptedEngine;
let front: Server;
let store: BlobStore;
let answer: (asked: Asked) => void;
const sockets = new Set<TLSSocket>();

const serve = ({ socket, first, last }: Asked): void => {
  socket.write(partHead(first, last));
  socket.write(bytes.subarray(first, last + 1));
};

beforeAll(async () => {
  certificate = await makeCertificate();
});
afterAll(() => certificate.remove());
beforeEach(async () => {
  answer = serve;
  engine = await startScriptedEngine((asked) => answer(asked));
  const { MILLPOND_TLS_KEY = '', MILLPOND_TLS_CERT = '' } = certificate.settings;
  const keys = { key: await readFile(MILLPOND_TLS_KEY), cert: await readFile(MILLPOND_TLS_CERT) };
  front = createServer(keys, (socket) => {
    sockets.add(socket);
    const behind = connect(Number(new URL(engine.endpoint).port), '127.0.0.1');
    socket.pipe(behind).pipe(socket);
    for (const one of [socket, behind]) one.on('error', () => undefined);
    socket.on('close', () => behind.destroy());
    behind.on('close', () => socket.destroy());
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  store = createS3BlobStore({
    endpoint: `https://127.0.0.1:${(front.address() as AddressInfo).port}`,
    certificateAuthority: certificate.text,
    region: 'default',
    accessKey: 'key',
    secretKey: 'secret',
    bucket: 'blobs',
    budget: createWriteBudget(16 * 1024 * 1024),
    limits: { readConnections: 1, queueTimeout: 3000, parkAfter: 100, tries: 3, retryDelay: 1 },
  });
});
afterEach(async () => {
  await engine.close();
  for (const socket of sockets) socket.destroy();
  front.close();
  await store.close();
});

test('a read goes on after a body that ended early', async () => {
  answer = (asked) => {
    if (asked.first > 0) return serve(asked);
    asked.socket.end(Buffer.concat([Buffer.from(partHead(0, asked.last)), bytes.subarray(0, 1_000_000)]));
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
  expect(sink.mostUnasked).toBe(0);
  expect(digest(sink.bytes())).toBe(digest(bytes));
  expect(engine.requests).toBe(2);
});

test('a missing blob', async () => {
  const body = '<Error><Code>NoSuchKey</Code></Error>';
  answer = ({ socket }) => socket.write(`HTTP/1.1 404 No\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  await expect(store.read(blob, whole, collectingSink())).rejects.toThrow(BlobMissing);
});

test('who waits too long for a connection is told, and a cancelled read makes room', async () => {
  answer = () => undefined;
  const cancel = new AbortController();
  const first = store.read(blob, whole, collectingSink(), cancel.signal);
  first.catch(() => undefined);
  while (engine.requests === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await expect(store.read(blob, whole, collectingSink())).rejects.toThrow('no free connection');
  answer = serve;
  cancel.abort(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  const sink = collectingSink();
  await store.read(blob, whole, sink);
  expect(digest(sink.bytes())).toBe(digest(bytes));
});

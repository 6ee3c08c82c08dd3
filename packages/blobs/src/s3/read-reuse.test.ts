/** Memory that reads use again must not show in what clients get: real responses, fast and slow, many at once. */
import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Certificate, makeCertificate, testRandom } from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newBlobId } from '../blob-id.ts';
import { createWriteBudget } from '../budget.ts';
import type { BlobStore } from '../store.ts';
import { partHead, type ScriptedEngine, startScriptedEngine } from '../testing/scripted-engine.ts';
import { digest, pattern } from '../testing/sinks.ts';
import { createS3BlobStore } from './store.ts';

const MIB = 1024 * 1024;
const bytes = pattern(24 * MIB + 77, 60);
const random = testRandom();
const blob = newBlobId();
let certificate: Certificate;
let engine: ScriptedEngine;
let store: BlobStore;
let server: Server;
let port = 0;
const failures: unknown[] = [];

/** Whether the body, read with pauses, is as it should be. */
async function isRight(
  offset: number,
  length: number,
  pauseAfter: number,
  pauseFor: number,
): Promise<boolean> {
  const [answer] = (await once(get(`http://127.0.0.1:${port}/${offset}/${length}`), 'response')) as [
    IncomingMessage,
  ];
  let [at, since, same] = [offset, 0, true];
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    same &&= chunk.equals(bytes.subarray(at, at + chunk.length));
    at += chunk.length;
    since += chunk.length;
    if (since < pauseAfter) continue;
    since = 0;
    await sleep(pauseFor);
  }
  return same && at === offset + length;
}

/** Leaves after some bytes, so that buffers are given up half sent. */
async function leaveEarly(length: number): Promise<void> {
  const cancel = new AbortController();
  const answer = await fetch(`http://127.0.0.1:${port}/0/${length}`, { signal: cancel.signal });
  await answer.body?.getReader().read();
  cancel.abort();
}

describe.each([
  { name: 'over plain HTTP', secure: false, times: 4 },
  { name: 'behind TLS', secure: true, times: 1 },
])('an engine $name', ({ secure, times }) => {
  beforeAll(async () => {
    certificate = await makeCertificate();
    engine = await startScriptedEngine(
      async ({ socket, first, last }) => {
        socket.write(partHead(first, last));
        for (let at = first; at <= last; ) {
          const end = Math.min(last + 1, at + 1 + Math.floor(random.next() ** 3 * MIB));
          if (!socket.write(bytes.subarray(at, end)))
            await new Promise<void>((resolve) => {
              socket.once('drain', resolve);
              socket.once('close', () => resolve());
            });
          if (socket.destroyed) return;
          at = end;
        }
      },
      secure ? certificate.keys : undefined,
    );
    store = createS3BlobStore({
      endpoint: engine.endpoint,
      certificateAuthority: certificate.text,
      region: 'default',
      accessKey: 'key',
      secretKey: 'secret',
      bucket: 'blobs',
      budget: createWriteBudget(16 * MIB),
      limits: { parkAfter: 100, readConnections: 24 },
    });
    // Kept connections would end some seconds later, perhaps just when a busy reader uses one again.
    server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      const [, offset, length] = (request.url ?? '').split('/').map(Number);
      if (offset === undefined || length === undefined) return;
      const cancel = new AbortController();
      response.on('close', () => response.writableFinished || cancel.abort(new Error('the client left')));
      if (offset % 2 === 0) response.setHeader('content-length', length);
      store.read(blob, { offset, length }, response, cancel.signal).then(
        () => response.end(),
        (error: unknown) => {
          if (!cancel.signal.aborted) failures.push(error);
          response.destroy();
        },
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await engine.close();
    await store.close();
    await certificate.remove();
  });

  test('fast, slow, parked and leaving readers side by side', async () => {
    const kinds = [
      { pauseAfter: Number.POSITIVE_INFINITY, pauseFor: 0, most: 12 * MIB, times: 4 },
      { pauseAfter: 200_000, pauseFor: 2, most: 12 * MIB, times: 3 },
      { pauseAfter: 3 * MIB, pauseFor: 250, most: 12 * MIB, times: 2 },
      { pauseAfter: Number.POSITIVE_INFINITY, pauseFor: 0, most: 40_000, times: 60 },
    ];
    const wrong: string[] = [];
    const reader = async ({ pauseAfter, pauseFor, most, times }: (typeof kinds)[number]): Promise<void> => {
      for (let count = 0; count < times; count++) {
        const [offset, length] = [random.integer(0, 999), random.integer(1, most)];
        if (!(await isRight(offset, length, pauseAfter, pauseFor))) wrong.push(`${offset}+${length}`);
      }
    };
    const leaver = async (): Promise<void> => {
      for (let count = 0; count < 10; count++) await leaveEarly(5 * MIB);
    };
    const readers = Array.from({ length: times }, () => kinds.map(reader)).flat();
    await Promise.all(readers.concat(leaver(), leaver()));
    expect(wrong).toEqual([]);
    expect(failures).toEqual([]);
  });

  test('answers to pipelined requests, which wait for their turn in memory', async () => {
    const requests = [
      [2, 3 * MIB],
      [4, 20_000],
      [6, 30_000],
      [8, 2 * MIB],
      [10, 100_000],
      [12, 50_000],
    ] as const;
    const socket = connect(port, '127.0.0.1');
    socket.write(
      requests.map(([offset, length]) => `GET /${offset}/${length} HTTP/1.1\r\nhost: x\r\n\r\n`).join(''),
    );
    const hashes: Hash[] = [];
    let left = 0;
    let done = 0;
    let rest = Buffer.alloc(0);
    for await (const chunk of socket) {
      rest = Buffer.concat([rest, chunk as Buffer]);
      for (;;) {
        const head = left === 0 ? rest.indexOf('\r\n\r\n') : -1;
        if (left === 0 && head < 0) break;
        if (left === 0) {
          left = Number(/content-length: (\d+)/i.exec(rest.toString('latin1', 0, head))?.[1]);
          hashes.push(createHash('sha256'));
          rest = rest.subarray(head + 4);
        }
        const part = rest.subarray(0, left);
        hashes.at(-1)?.update(part);
        rest = rest.subarray(part.length);
        left -= part.length;
        if (left > 0) break;
        done++;
      }
      if (done === requests.length) break;
      if (random.next() < 0.2) await sleep(3);
    }
    socket.destroy();
    expect(hashes.map((hash) => hash.digest('hex'))).toEqual(
      requests.map(([offset, length]) => digest(bytes.subarray(offset, offset + length))),
    );
  });
});

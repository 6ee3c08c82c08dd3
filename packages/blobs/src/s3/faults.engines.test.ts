// @module-tag ceph
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type BlobId, newBlobId } from '../blob-id.ts';
import { BlobStoreUnavailableError } from '../errors.ts';
import type { BlobStore } from '../store.ts';
import { engineOptions, removeEngineBucket } from '../testing/engine.ts';
import { type FaultProxy, startFaultProxy } from '../testing/fault-proxy.ts';
import { collectingSink, digest, pattern, slowSink, writeInChunks } from '../testing/sinks.ts';
import type { S3BlobOptions, S3Limits } from './options.ts';
import { createS3BlobStore } from './store.ts';

const MIB = 1024 * 1024;
const STANDARD = { tier: 'STANDARD' } as const;
// A busy engine is no fault: only where a connection stalls may its silence be short.
const limits: Partial<S3Limits> = { retryDelay: 10, parkAfter: 200 };
const hasty: Partial<S3Limits> = { ...limits, headersTimeout: 3000, bodyTimeout: 2000 };
const bytes = pattern(4 * MIB + 5, 40);
const length = bytes.length;

let direct: S3BlobOptions;
let engine: BlobStore;
let blob: BlobId;
let proxy: FaultProxy;
let store: BlobStore;
const opened: BlobStore[] = [];

const through = (options: Partial<S3BlobOptions> = {}): BlobStore => {
  const made = createS3BlobStore({ ...direct, endpoint: proxy.endpoint, limits, ...options });
  opened.push(made);
  return made;
};
/** Not before its time is over does a store know that a connection stalls. */
const storeFor = (what: unknown): BlobStore => (what === 'stall' ? through({ limits: hasty }) : store);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
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
});
afterAll(async () => {
  await engine?.close();
  if (direct) await removeEngineBucket(direct);
});
beforeEach(async () => {
  proxy = await startFaultProxy(direct.endpoint);
  store = through();
});
afterEach(async () => {
  await proxy.close();
  await Promise.all(opened.splice(0).map((made) => made.close()));
});

describe('reading over a bad network', () => {
  test.each(['reset', 'end', 'stall'] as const)(
    '%s in the middle of a body: the read goes on where it was',
    async (what) => {
      proxy.faults.push({ what, afterAnswerBytes: 2 * MIB });
      const sink = collectingSink();
      await storeFor(what).read(blob, { offset: 0, length }, sink);
      expect(digest(sink.bytes())).toBe(digest(bytes));
      expect(proxy.accepted).toBe(2);
    },
  );

  test.each([
    ['reset', 'connection to the engine lost'],
    ['end', 'connection to the engine lost'],
    ['stall', 'the engine does not answer'],
  ] as const)('%s every time: a clean error, and only true bytes before it', async (what, text) => {
    proxy.faults.push({ what, afterAnswerBytes: 100_000, times: 100 });
    const sink = collectingSink();
    const fault = await faultOf(storeFor(what).read(blob, { offset: 7, length: length - 7 }, sink));
    expect(fault.retryable).toBe(true);
    expect(fault.message).toContain(text);
    expect(proxy.accepted).toBe(4);
    expect(sink.received).toBeLessThan(400_001);
    expect(sink.bytes().equals(bytes.subarray(7, 7 + sink.received))).toBe(true);
  });

  test.each(['reset', 'end', 'stall'] as const)('%s before the first byte is tried again', async (what) => {
    proxy.faults.push({ what, afterAnswerBytes: 0, times: 2 });
    const sink = collectingSink();
    await storeFor(what).read(blob, { offset: 10, length: 1000 }, sink);
    expect(sink.bytes().equals(bytes.subarray(10, 1010))).toBe(true);
  });

  test('a kept connection that the engine closed is no fault', async () => {
    for (let count = 0; count < 5; count++) {
      await store.read(blob, { offset: 0, length: 10 }, collectingSink());
      await store.stat(blob);
      proxy.dropIdle();
    }
    proxy.faults.push({ what: 'reset', afterAnswerBytes: 0 });
    expect(await store.stat(blob)).toEqual({ size: length, tier: 'STANDARD' });
  });

  test('an answer that is not HTTP', async () => {
    proxy.faults.push({ what: { reply: 'SSH-2.0-OpenSSH_9.2\r\n' }, afterRequestBytes: 0, times: 100 });
    const fault = await faultOf(store.read(blob, { offset: 0, length }, collectingSink()));
    expect(fault.message).toContain('not HTTP');
  });

  test('a cancelled read ends the traffic', async () => {
    const cancel = new AbortController();
    const sink = slowSink((received) => {
      if (received > MIB) cancel.abort(new Error('gone'));
      return 0;
    });
    await expect(store.read(blob, { offset: 0, length }, sink, cancel.signal)).rejects.toThrow('gone');
    await vi.waitUntil(() => proxy.open === 0, { timeout: 300_000 });
    const { bytesFromEngine } = proxy;
    await pause(150);
    expect(proxy.bytesFromEngine).toBe(bytesFromEngine);
  });

  test('a sink that sleeps holds no connection, and gets every byte when it wakes', async () => {
    let slept = false;
    const openWhileAsleep: number[] = [];
    const sink = slowSink((received) => {
      if (slept || received < MIB) return 0;
      slept = true;
      void vi
        .waitUntil(() => proxy.open === 0, { timeout: 300_000 })
        .then(() => openWhileAsleep.push(proxy.open));
      return 3000;
    });
    await store.read(blob, { offset: 0, length }, sink);
    expect(openWhileAsleep).toEqual([0]);
    expect(proxy.accepted).toBe(2);
    // It takes the last chunk when it drains, which nobody waits for.
    await expect.poll(() => sink.bytes().length).toBe(length);
    expect(digest(sink.bytes())).toBe(digest(bytes));
  });

  test('a sink that throws ends the read with its own error', async () => {
    const sink = {
      write(): boolean {
        throw new Error('the sink broke');
      },
      once: () => undefined,
    };
    await expect(store.read(blob, { offset: 0, length }, sink)).rejects.toThrow('the sink broke');
    expect(proxy.accepted).toBe(1);
  });
});

const unavailable = { reply: 'HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\nConnection: close\r\n\r\n' };

describe('writing over a bad network', () => {
  test.each([
    ['503', { what: unavailable, afterRequestBytes: 0 }],
    ['reset in the body', { what: 'reset', afterRequestBytes: 500_000 }],
    ['reset instead of the answer', { what: 'reset', afterAnswerBytes: 0 }],
    ['stall', { what: 'stall', afterRequestBytes: 500_000 }],
  ] as const)('put: %s, three times', async (_name, fault) => {
    proxy.faults.push({ ...fault, times: 3 });
    const id = newBlobId();
    await storeFor(fault.what).put(id, [bytes], STANDARD);
    expect(digest(await engine.readAll(id, length))).toBe(digest(bytes));
  });

  test('four times is once too often; nothing partial is left', async () => {
    proxy.faults.push({ what: 'reset', afterRequestBytes: 500_000, times: 4 });
    const id = newBlobId();
    const fault = await faultOf(store.put(id, [bytes], STANDARD));
    expect(fault.retryable).toBe(true);
    expect(await engine.stat(id)).toBeUndefined();
  });

  test('every step of a multipart survives a lost connection', async () => {
    for (const when of [
      /^POST .*uploads=/,
      /^PUT .*partNumber=1/,
      /^PUT .*partNumber=3/,
      /^POST .*uploadId=/,
    ])
      proxy.faults.push({ when, what: 'reset', afterAnswerBytes: 0 });
    const id = newBlobId();
    const body = pattern(40 * MIB, 41);
    const writer = store.openWriter(id, STANDARD);
    await writeInChunks(writer, body, 400_000);
    await writer.finish();
    expect(proxy.faults).toEqual([]);
    expect(digest(await engine.readAll(id, body.length))).toBe(digest(body));
    // The multipart whose beginning was answered into the void is the one thing that only its age gives away.
    expect(await engine.abortStale(new Date(Date.now() + 60_000))).toBe(1);
  });

  test('a completion whose answer was lost is looked for, not asked for again', async () => {
    const gone = '<Error><Code>NoSuchUpload</Code></Error>';
    const reply = `HTTP/1.1 404 Not Found\r\nContent-Length: ${gone.length}\r\n\r\n${gone}`;
    const when = /^POST .*uploadId=/;
    proxy.faults.push(
      { when, what: 'reset', afterAnswerBytes: 0 },
      { when, what: { reply }, afterRequestBytes: 0 },
    );
    const id = newBlobId();
    const writer = store.openWriter(id, STANDARD);
    await writeInChunks(writer, pattern(17 * MIB, 43), 400_000);
    await writer.finish();
    expect(await engine.stat(id)).toEqual({ size: 17 * MIB, tier: 'STANDARD' });
  });

  test('a part that cannot be written fails the writer and leaves nothing', async () => {
    proxy.faults.push({ when: /^PUT .*partNumber=2/, what: unavailable, afterRequestBytes: 0, times: 100 });
    const id = newBlobId();
    const writer = store.openWriter(id, STANDARD);
    const fault = await faultOf(
      writeInChunks(writer, pattern(60 * MIB), 400_000).then(() => writer.finish()),
    );
    expect(fault.message).toContain('503');
    await faultOf(writer.finish());
    expect(await engine.stat(id)).toBeUndefined();
    expect(await engine.abortStale(new Date(Date.now() + 60_000))).toBe(0);
  });

  test('a cancelled put ends the traffic and leaves no blob', async () => {
    proxy.faults.push({ what: 'stall', afterRequestBytes: 300_000 });
    const id = newBlobId();
    const cancel = new AbortController();
    const put = store.put(id, [bytes], { ...STANDARD, signal: cancel.signal });
    await vi.waitUntil(() => proxy.faults.length === 0, { timeout: 300_000 });
    cancel.abort(new Error('gone'));
    await expect(put).rejects.toThrow('gone');
    await vi.waitUntil(() => proxy.open === 0, { timeout: 300_000 });
    expect(await engine.stat(id)).toBeUndefined();
  });

  test('removing survives 503 and lost connections', async () => {
    const ids = [newBlobId(), newBlobId(), newBlobId()];
    for (const id of ids) await engine.put(id, [], STANDARD);
    proxy.faults.push(
      { what: unavailable, afterRequestBytes: 0, times: 2 },
      { what: 'reset', afterAnswerBytes: 0 },
    );
    await store.remove(ids);
    for (const id of ids) expect(await engine.stat(id)).toBeUndefined();
  });

  test('bytes that change on the way are noticed and sent again', async () => {
    const small = pattern(10_000, 42);
    const flip = { when: /^PUT /, what: 'flip', afterRequestBytes: 0 } as const;
    const [guarded, bare] = [newBlobId(), newBlobId()];
    proxy.faults.push(flip);
    await store.put(guarded, [small], STANDARD);
    expect(proxy.faults).toEqual([]);
    expect(digest(await engine.readAll(guarded, small.length))).toBe(digest(small));
    proxy.faults.push({ ...flip });
    await through({ verifyWrites: 'never' }).put(bare, [small], STANDARD);
    expect(digest(await engine.readAll(bare, small.length))).not.toBe(digest(small));
  });

  test('a writer that knows the MD5 of its bytes has them compared, whatever their number', async () => {
    const body = pattern(300_000, 43);
    const id = newBlobId();
    proxy.faults.push({ when: /^PUT /, what: 'flip', afterRequestBytes: 0 });
    const writer = through({ verifyWrites: 'never' }).openWriter(id, STANDARD);
    await writer.write(body);
    await writer.finish(createHash('md5').update(body).digest());
    expect(proxy.faults).toEqual([]);
    expect(digest(await engine.readAll(id, body.length))).toBe(digest(body));
  });
});

describe('an engine that is not there or not ours', () => {
  test('nobody listens', async () => {
    await proxy.close();
    const fault = await faultOf(store.put(newBlobId(), [bytes], STANDARD));
    expect(fault.retryable).toBe(true);
    expect(fault.message).toContain('cannot be reached');
    await faultOf(store.ping());
    proxy = await startFaultProxy(direct.endpoint);
  });

  test('no free connection', async () => {
    const narrow = through({ limits: { ...hasty, writeConnections: 1, queueTimeout: 150, tries: 1 } });
    proxy.faults.push({ what: 'stall', afterRequestBytes: 0 });
    const first = faultOf(narrow.stat(blob));
    await vi.waitUntil(() => proxy.faults.length === 0, { timeout: 300_000 });
    expect((await faultOf(narrow.stat(blob))).message).toContain('no free connection');
    await first;
  });

  test('wrong credentials: one try, and no secret in the error', async () => {
    const secretKey = 'wrong-secret-0123456789';
    const stranger = through({ secretKey });
    const fault = await faultOf(stranger.put(newBlobId(), [bytes], STANDARD));
    expect(fault.retryable).toBe(false);
    expect(fault.message).toContain('403 SignatureDoesNotMatch');
    expect(JSON.stringify([fault, fault.message, fault.stack])).not.toMatch(
      /wrong-secret|Signature=|AWS4-HMAC/,
    );
    expect(proxy.accepted).toBe(1);
  });

  test('a bucket that is away is not taken for missing blobs', async () => {
    const elsewhere = through({ bucket: 'test-never-made-0001' });
    for (const attempt of [
      () => elsewhere.stat(blob),
      () => elsewhere.read(blob, { offset: 0, length: 1 }, collectingSink()),
      () => elsewhere.remove([blob]),
    ])
      expect((await faultOf(attempt())).message).toContain('NoSuchBucket');
  });
});

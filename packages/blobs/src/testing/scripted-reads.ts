/** A store on a scripted engine, created for each test that starts one; all tests read the same 300,000 bytes. */
import { onTestFinished } from 'vitest';
import { newBlobId } from '../blob-id.ts';
import { createWriteBudget } from '../budget.ts';
import type { S3Limits } from '../s3/options.ts';
import { createS3BlobStore } from '../s3/store.ts';
import type { BlobStore, ByteRange } from '../store.ts';
import {
  partHead,
  type ScriptedEngine,
  type ScriptedHandler,
  type ScriptedRequest,
  startScriptedEngine,
} from './scripted-engine.ts';
import { collectingSink, pattern } from './sinks.ts';

export const blob = newBlobId();
export const bytes = pattern(300_000, 50);
export const whole = { offset: 0, length: bytes.length };

/** The complete correct answer. */
export const answerTo = (first: number, last: number): Buffer =>
  Buffer.concat([Buffer.from(partHead(first, last)), bytes.subarray(first, last + 1)]);

export const serve = ({ socket, first, last }: ScriptedRequest): void => {
  socket.write(answerTo(first, last));
};

export interface ScriptedReads {
  readonly engine: ScriptedEngine;
  readonly store: BlobStore;
  readonly read: (range?: ByteRange) => Promise<Buffer>;
}

/** One try per read, unless the limits say otherwise. */
export async function startReads(
  answer: ScriptedHandler,
  limits: Partial<S3Limits> = {},
): Promise<ScriptedReads> {
  const engine = await startScriptedEngine(answer);
  const store = createS3BlobStore({
    endpoint: engine.endpoint,
    region: 'default',
    accessKey: 'key',
    secretKey: 'secret',
    bucket: 'blobs',
    budget: createWriteBudget(16 * 1024 * 1024),
    limits: { retryDelay: 1, tries: 1, ...limits },
  });
  onTestFinished(async () => {
    await engine.close();
    // A test may have closed it already.
    await store.close().catch(() => undefined);
  });
  return {
    engine,
    store,
    async read(range = whole) {
      const sink = collectingSink();
      await store.read(blob, range, sink);
      return sink.bytes();
    },
  };
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** What it rejects with. */
export const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no error',
    (reason: unknown) => reason,
  );

/**
 * A body of unknown length on its way to the engine. Up to one part it is held and written by one put when it ends;
 * beyond that it becomes an engine multipart, with at most two parts under way while a third fills. How many of them
 * a writer really gets depends on the process's budget; with none left it goes part by part.
 */
import { type BlobId, engineKey } from '../blob-id.ts';
import type { WriteBudget } from '../budget.ts';
import { PartBuffer } from '../part-buffer.ts';
import type { BlobWriter, WriteOptions } from '../store.ts';
import type { S3Client } from './client.ts';
import { abortMultipart, beginMultipart, completeMultipart, type Multipart, putPart } from './multipart.ts';

const MOST_UNDER_WAY = 2;

export type PutWhole = (id: BlobId, chunks: readonly Uint8Array[], options: WriteOptions) => Promise<void>;

export function openS3Writer(
  client: S3Client,
  budget: WriteBudget,
  putWhole: PutWhole,
  id: BlobId,
  { tier, signal }: WriteOptions,
): BlobWriter {
  const stop = new AbortController();
  const etags: string[] = [];
  let current = new PartBuffer(budget);
  let multipart: Promise<Multipart> | undefined;
  let size = 0;
  let parts = 0;
  let underWay = 0;
  let wake: (() => void) | undefined;
  let failure: { reason: unknown } | undefined;
  let cleaning: Promise<void> | undefined;
  let ended = false;

  const onAbort = (): void => fail(signal?.reason);
  if (signal?.aborted) fail(signal.reason);
  else signal?.addEventListener('abort', onAbort, { once: true });

  function fail(reason: unknown): void {
    if (failure || ended) return;
    failure = { reason };
    stop.abort(reason);
    wakeUp();
    cleaning = clean();
  }

  async function clean(): Promise<void> {
    signal?.removeEventListener('abort', onAbort);
    // A part that arrives after the abort of its multipart would stay in the engine for good.
    while (underWay > 0) await partSettled();
    current.release();
    const begun = await multipart?.catch(() => undefined);
    // What cannot be aborted now is found by abortStale.
    if (begun) await abortMultipart(client, begun).catch(() => undefined);
  }

  /** Resolves when the next part under way is settled, or at once on failure. */
  function partSettled(): Promise<void> {
    return new Promise((resolve) => {
      const earlier = wake;
      wake = () => {
        earlier?.();
        resolve();
      };
    });
  }

  function wakeUp(): void {
    const waiting = wake;
    wake = undefined;
    waiting?.();
  }

  function sendCurrent(reserved: boolean): void {
    const part = current;
    const number = ++parts;
    current = new PartBuffer(budget);
    underWay++;
    // Not cancelled: an upload whose id we never learn could only be found by its age.
    multipart ??= beginMultipart(client, engineKey(id), tier);
    multipart
      .then((begun) => {
        stop.signal.throwIfAborted();
        return putPart(client, begun, number, part.chunks(), stop.signal);
      })
      .then(
        (etag) => {
          etags[number - 1] = etag;
        },
        (error: unknown) => fail(error),
      )
      .finally(() => {
        part.release();
        if (reserved) budget.release();
        underWay--;
        wakeUp();
      })
      // Nothing above throws; the chain is observed through `failure`.
      .catch(fail);
  }

  /** Makes room behind a full part. Returns a promise if that means waiting. */
  function makeRoom(): Promise<void> | undefined {
    if (underWay < MOST_UNDER_WAY && budget.tryReserve()) {
      sendCurrent(true);
      return undefined;
    }
    if (underWay === 0) sendCurrent(false);
    return partSettled();
  }

  function append(chunk: Uint8Array, from: number): Promise<void> | undefined {
    let at = current.append(chunk, from);
    while (at < chunk.length) {
      const waiting = makeRoom();
      if (waiting) return waiting.then(() => (failure ? rejected(failure) : append(chunk, at)));
      at = current.append(chunk, at);
    }
    return undefined;
  }

  async function rejected({ reason }: { reason: unknown }): Promise<never> {
    await cleaning;
    throw reason;
  }

  async function sendAll(): Promise<void> {
    if (!multipart) return putWhole(id, current.chunks(), { tier, signal: stop.signal });
    while (underWay >= MOST_UNDER_WAY && !failure) await partSettled();
    if (!failure) sendCurrent(false);
    while (underWay > 0 && !failure) await partSettled();
    if (failure) throw failure.reason;
    // The bytes are all there; completing is quick and must not be left half done.
    ended = true;
    await completeMultipart(client, await multipart, etags, size);
  }

  return {
    write(chunk) {
      if (failure) return rejected(failure);
      if (ended) throw new Error('blob writer used after its end');
      size += chunk.length;
      return append(chunk, 0);
    },

    async finish() {
      if (failure) return rejected(failure);
      if (ended) throw new Error('blob writer used after its end');
      try {
        await sendAll();
        ended = true;
      } catch (error) {
        ended = false;
        fail(error);
        await cleaning;
        throw error;
      }
      signal?.removeEventListener('abort', onAbort);
      current.release();
    },

    async abort() {
      fail(new Error('blob writer aborted'));
      await cleaning;
    },
  };
}

/**
 * The parts of one engine multipart upload that are under way. The first failure, or the caller's signal, stops all of them and
 * aborts the upload; the next caller learns of it from `failure`.
 */
import { MAX_PARTS } from '@millpond/protocol';
import type { WriteBudget } from '../budget.ts';
import { BlobStoreUnavailableError } from '../errors.ts';
import type { PartBuffer } from '../part-buffer.ts';
import type { Tier } from '../store.ts';
import type { S3Client } from './client.ts';
import { abortMultipart, beginMultipart, completeMultipart, putPart } from './multipart.ts';

export interface PartUploads {
  readonly underWay: number;
  readonly failure: { readonly reason: unknown } | undefined;
  /** Starts writing the part; afterwards gives back its memory and its reservation, if it has one. */
  send(part: PartBuffer, reserved: boolean): void;
  /** Resolves when the next part is settled, or at the first failure. */
  settled(): Promise<void>;
  /** Call this when nothing is under way. The signal does not stop it: a completion must not be left half done. */
  complete(size: number): Promise<void>;
  /** Stops everything; resolves when nothing of it is left in the engine, or the rest cannot be removed now. */
  abort(reason: unknown): Promise<void>;
}

export function openPartUploads(
  client: S3Client,
  budget: WriteBudget,
  key: string,
  tier: Tier,
  signal: AbortSignal | undefined,
): PartUploads {
  const stop = new AbortController();
  const etags: string[] = [];
  // Not cancelled: an upload whose id we never learn could only be found by its age.
  const multipart = beginMultipart(client, key, tier);
  multipart.catch(fail);
  let sent = 0;
  let underWay = 0;
  let failure: { reason: unknown } | undefined;
  let cleaning: Promise<void> | undefined;
  let completing = false;
  let next = Promise.withResolvers<void>();

  const onAbort = (): void => fail(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });

  function wakeUp(): void {
    next.resolve();
    next = Promise.withResolvers<void>();
  }

  function fail(reason: unknown): void {
    if (failure || completing) return;
    failure = { reason };
    stop.abort(reason);
    wakeUp();
    cleaning = clean();
  }

  async function clean(): Promise<void> {
    signal?.removeEventListener('abort', onAbort);
    // A part that arrives after its upload was aborted would stay in the engine for good.
    while (underWay > 0) await next.promise;
    const begun = await multipart.catch(() => undefined);
    // abortStale finds what cannot be aborted now.
    if (begun) await abortMultipart(client, begun).catch(() => undefined);
  }

  async function write(part: PartBuffer, number: number): Promise<void> {
    try {
      // Engines have the same limit: with parts of 8 MiB, the smallest there are, a writer takes bodies up to 78 GiB.
      if (number > MAX_PARTS)
        throw new BlobStoreUnavailableError('the body has too many parts', { retryable: false });
      const begun = await multipart;
      stop.signal.throwIfAborted();
      etags[number - 1] = await putPart(client, begun, number, part.chunks(), stop.signal);
    } catch (error) {
      fail(error);
    }
  }

  return {
    get underWay() {
      return underWay;
    },
    get failure() {
      return failure;
    },
    send(part, reserved) {
      underWay++;
      void write(part, ++sent).then(() => {
        part.release();
        if (reserved) budget.release();
        underWay--;
        wakeUp();
      });
    },
    settled: () => next.promise,

    async complete(size) {
      completing = true;
      signal?.removeEventListener('abort', onAbort);
      try {
        await completeMultipart(client, await multipart, etags, size);
      } catch (error) {
        completing = false;
        fail(error);
        await cleaning;
        throw error;
      }
    },

    async abort(reason) {
      fail(reason);
      await cleaning;
    },
  };
}

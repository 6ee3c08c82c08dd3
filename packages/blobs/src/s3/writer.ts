/**
 * A body of unknown length on its way to the engine. Up to one part it is held and written by one put when it ends; beyond that
 * it becomes an engine multipart upload, with at most two parts under way while a third fills. How many parts a writer really
 * gets, and how large they are, depends on the process's budget; with none left it goes part by part.
 */
import { type BlobId, engineKey } from '../blob-id.ts';
import type { WriteBudget } from '../budget.ts';
import { PartBuffer } from '../part-buffer.ts';
import type { BlobWriter, WriteOptions, WriterOptions } from '../store.ts';
import type { S3Client } from './client.ts';
import { openPartUploads, type PartUploads } from './parts.ts';

const MAX_CONCURRENT_PARTS = 2;

export interface PutOptions extends WriteOptions {
  /** MD5 of the body, if it is known: the engine compares it with what arrives. */
  readonly md5?: Uint8Array | undefined;
}
type PutWhole = (id: BlobId, chunks: readonly Uint8Array[], options: PutOptions) => Promise<void>;

export function openS3Writer(
  client: S3Client,
  budget: WriteBudget,
  putWhole: PutWhole,
  id: BlobId,
  options: WriterOptions,
): BlobWriter {
  const { tier, signal } = options;
  let current = new PartBuffer(budget, options);
  let partUploads: PartUploads | undefined;
  let size = 0;
  let failure: { readonly reason: unknown } | undefined;
  let ended = false;

  function sendCurrent(reserved: boolean): void {
    // Most bodies are small and never need what is opened here.
    partUploads ??= openPartUploads(client, budget, engineKey(id), tier, signal);
    partUploads.send(current, reserved);
    current = new PartBuffer(budget, options);
  }

  /** Makes room after a full part. Returns a promise if that means waiting. */
  function makeRoom(): Promise<void> | undefined {
    const underWay = partUploads?.underWay ?? 0;
    if (underWay < MAX_CONCURRENT_PARTS && budget.tryReserve()) {
      sendCurrent(true);
      return undefined;
    }
    if (underWay === 0) sendCurrent(false);
    return partUploads?.settled();
  }

  function append(chunk: Uint8Array, from: number): Promise<void> | undefined {
    let at = current.append(chunk, from);
    while (at < chunk.length) {
      if (current.extend()) {
        at = current.append(chunk, at);
        continue;
      }
      const waiting = makeRoom();
      if (waiting) return waiting.then(() => (stopped() ? rejected() : append(chunk, at)));
      at = current.append(chunk, at);
    }
    return undefined;
  }

  function stopped(): boolean {
    if (ended && !failure) throw new Error('blob writer used after its end');
    failure ??= partUploads?.failure ?? (signal?.aborted ? { reason: signal.reason } : undefined);
    return failure !== undefined;
  }

  async function rejected(): Promise<never> {
    current.release();
    await partUploads?.abort(failure?.reason);
    throw failure?.reason;
  }

  async function finishParts(opened: PartUploads): Promise<void> {
    while (opened.underWay >= MAX_CONCURRENT_PARTS && !stopped()) await opened.settled();
    if (!stopped()) sendCurrent(false);
    while (opened.underWay > 0 && !stopped()) await opened.settled();
    if (stopped()) return rejected();
    ended = true;
    try {
      await opened.complete(size);
    } catch (error) {
      failure = { reason: error };
      throw error;
    }
  }

  return {
    write(chunk) {
      if (stopped()) return rejected();
      size += chunk.length;
      return append(chunk, 0);
    },

    async finish(md5) {
      if (stopped()) return rejected();
      if (partUploads) return finishParts(partUploads);
      ended = true;
      const whole = current;
      try {
        await putWhole(id, whole.chunks(), { tier, signal, md5 });
      } catch (error) {
        failure = { reason: error };
        throw error;
      } finally {
        whole.release();
      }
    },

    async abort() {
      if (ended) return;
      failure ??= { reason: new Error('blob writer aborted') };
      current.release();
      await partUploads?.abort(failure.reason);
    },
  };
}

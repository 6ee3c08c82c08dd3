/**
 * An upload in parts: several at a time, each checked by its hash. With a journal it continues after a crash or a
 * reload: what the server has is compared with the content by hash, and only the rest is sent. An upload that was
 * completed but whose answer was lost is completed again: the server gives the same answer.
 */
import { BLOCK_SIZE, etagOfParts, MAX_PART_BYTES, MAX_PARTS, MIN_PART_BYTES } from '@millpond/protocol';
import { MillpondError } from '../core/error.ts';
import { throwIfCancelled } from '../core/retry.ts';
import type { Journal, UnfinishedUpload } from './journal.ts';
import type { UploadOptions, UploadResult } from './options.ts';
import { isGone, PartCalls, type SentPart } from './part-calls.ts';
import type { Source } from './source.ts';
import { checkHash, type Exchanged, type UploadParts } from './upload-request.ts';

/** An upload that expires sooner than this is not resumed. */
const MIN_REMAINING_SECONDS = 3600;

export function partSizeFor(size: number, asked: number | undefined): number {
  const needed = Math.ceil(size / MAX_PARTS / BLOCK_SIZE) * BLOCK_SIZE;
  const partSize = asked ?? Math.max(BLOCK_SIZE, needed);
  if (!Number.isInteger(partSize) || partSize < MIN_PART_BYTES || partSize > MAX_PART_BYTES)
    throw new MillpondError('usage', 'a part must be from 1 MiB to 1 GiB');
  if (size > partSize * MAX_PARTS)
    throw new MillpondError('usage', `${size} bytes need more than ${MAX_PARTS} parts of ${partSize}`);
  return partSize;
}

export async function uploadParts(
  parts: UploadParts,
  source: Source,
  options: UploadOptions,
): Promise<UploadResult> {
  try {
    return await uploadOnce(parts, source, options);
  } catch (error) {
    // The server gave up the upload between two of our calls: start again from the beginning.
    if (isGone(error)) return uploadOnce(parts, source, options);
    throw error;
  }
}

async function uploadOnce(parts: UploadParts, source: Source, options: UploadOptions): Promise<UploadResult> {
  const calls = await PartCalls.for(parts, options);
  const journal = options.journal === undefined ? parts.journal : (options.journal ?? undefined);
  const id = source.identity === undefined ? undefined : journalId(parts.url, calls.path, source.identity);
  const forget = async () => {
    if (id !== undefined) await journal?.remove(id);
  };
  const resultOf = ({ body, reqid }: Exchanged, hash: string, bytesSent: number): UploadResult => {
    checkHash(body.hash, hash, reqid);
    const key = typeof body.key === 'string' ? body.key : options.key;
    return { hash, key, answer: body, way: 'multipart', size: source.size, sent: bytesSent, reqid };
  };
  const kept = id === undefined ? undefined : await usable(journal, id, source, options);
  let known = kept && (await calls.list(kept.uploadId));
  if (kept !== undefined && known === undefined) {
    const { hash, answered } = await completeAgain(parts, calls, source, kept, options);
    await forget();
    if (answered !== undefined) return resultOf(answered, hash, 0);
  }
  const isResumed = kept !== undefined && known !== undefined;
  const begun = isResumed ? kept : await calls.begin(partSizeFor(source.size, options.partSize));
  if (!isResumed && id !== undefined) await journal?.set(id, begun);
  known ??= new Map();
  options.onBegin?.(begun.uploadId);
  const { sent, bytesSent } = await sendParts(calls, source, begun, known, options);
  const hash = etagOfParts(parts.digests.hashing, sent);
  throwIfCancelled(options.signal);
  return resultOf(await complete(calls, begun, sent, hash, options, forget), hash, bytesSent);
}

/** The journal's upload of this content, if it can be continued. */
async function usable(
  journal: Journal | undefined,
  id: string,
  source: Source,
  options: UploadOptions,
): Promise<UnfinishedUpload | undefined> {
  const kept = await journal?.get(id);
  const isUsable =
    kept !== undefined &&
    kept.expireAt - Date.now() / 1000 > MIN_REMAINING_SECONDS &&
    (options.partSize === undefined || kept.partSize === options.partSize) &&
    source.size <= kept.partSize * MAX_PARTS;
  return isUsable ? kept : undefined;
}

async function sendParts(
  calls: PartCalls,
  source: Source,
  { uploadId, partSize }: UnfinishedUpload,
  known: ReadonlyMap<number, SentPart>,
  options: UploadOptions,
): Promise<{ sent: SentPart[]; bytesSent: number }> {
  let [done, bytesSent] = [0, 0];
  const tell = () => options.onProgress?.({ done, total: source.size, sent: bytesSent });
  tell();
  const put: ActOnPart = async (part, bytes, cancel) => {
    const there = known.get(part.partNumber);
    if (there?.etag !== part.etag || there.size !== part.size) {
      throwIfCancelled(cancel);
      await calls.put(uploadId, part.partNumber, bytes, part.etag);
      bytesSent += part.size;
    }
    done += part.size;
    tell();
  };
  const sent = await eachPart(calls, source, partSize, options, put);
  return { sent, bytesSent };
}

type ActOnPart = (part: SentPart, bytes: Uint8Array<ArrayBuffer>, cancel: AbortSignal) => Promise<void>;

/** All parts of the content, read and hashed, several at a time. */
async function eachPart(
  calls: PartCalls,
  source: Source,
  partSize: number,
  { signal, concurrency = 4 }: Pick<UploadOptions, 'signal' | 'concurrency'>,
  act: ActOnPart,
): Promise<SentPart[]> {
  const count = Math.ceil(source.size / partSize);
  const parts = new Array<SentPart>(count);
  await runPool(count, concurrency, signal, async (index, cancel) => {
    const start = index * partSize;
    const bytes = await source.read(start, Math.min(source.size, start + partSize));
    if (bytes.length !== Math.min(source.size, start + partSize) - start)
      throw new MillpondError('usage', 'the content became shorter while it was being read');
    const part = { partNumber: index + 1, etag: await calls.etagOf(bytes), size: bytes.length };
    await act(part, bytes, cancel);
    parts[index] = part;
  });
  return parts;
}

/** Asks for the answer of a completion that may have happened; the content is read, but nothing of it is sent. */
async function completeAgain(
  { digests }: UploadParts,
  calls: PartCalls,
  source: Source,
  { uploadId, partSize }: UnfinishedUpload,
  options: UploadOptions,
): Promise<{ hash: string; answered: Exchanged | undefined }> {
  const parts = await eachPart(calls, source, partSize, options, async () => undefined);
  const answered = await calls.completed(uploadId, parts);
  if (answered !== undefined) options.onProgress?.({ done: source.size, total: source.size, sent: 0 });
  return { hash: etagOfParts(digests.hashing, parts), answered };
}

/** If the answer of a completion was lost, the upload is gone: then the object itself tells. */
export async function complete(
  calls: PartCalls,
  begun: UnfinishedUpload,
  sent: readonly SentPart[],
  hash: string,
  { confirm, key }: UploadOptions,
  forget: () => Promise<void>,
) {
  try {
    const answered = await calls.complete(begun.uploadId, sent);
    await forget();
    return answered;
  } catch (error) {
    if (!isGone(error)) throw error;
    await forget();
    if (confirm !== undefined && (await confirm(hash))) return { body: { hash, key }, reqid: '' };
    throw error;
  }
}

/** Only the same upload of the same content has this name. */
function journalId(url: string, path: string, identity: string): string {
  return `${url}${path}\n${identity}`;
}

/** Runs numbered jobs, a fixed number at a time; the first failure stops the rest and is thrown once all have ended. */
export async function runPool(
  count: number,
  concurrency: number,
  signal: AbortSignal | undefined,
  work: (index: number, cancel: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const cancel = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  let next = 0;
  const lane = async () => {
    while (next < count && !cancel.aborted) {
      const index = next++;
      try {
        await work(index, cancel);
      } catch (error) {
        stop.abort(error);
        throw error;
      }
    }
  };
  const lanes = Array.from({ length: Math.max(1, Math.min(concurrency, count)) }, lane);
  const ended = await Promise.allSettled(lanes);
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw stop.signal.aborted ? stop.signal.reason : failed.reason;
  throwIfCancelled(signal);
}

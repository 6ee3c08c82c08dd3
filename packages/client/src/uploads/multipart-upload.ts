/**
 * An upload in parts: several at a time, each checked by its hash. With a journal it goes on after a crash or a reload: what
 * the server has is compared with the content by hash, and only the rest is sent.
 */
import { BLOCK_SIZE, etagOfParts } from '@millpond/protocol';
import { MillpondError } from '../core/error.ts';
import { throwIfCancelled } from '../core/retry.ts';
import { checkHash, type UploadParts } from './exchange.ts';
import type { BegunUpload, Journal } from './journal.ts';
import type { UploadOptions, UploadResult } from './options.ts';
import { isGone, PartCalls, type SentPart } from './part-calls.ts';
import { runPool } from './pool.ts';
import type { Source } from './source.ts';

const MIB = 1024 * 1024;
const MOST_PARTS = 10_000;
const LEAST_PART = MIB;
const MOST_PART = 1024 * MIB;
/** An upload that ends sooner than this is not taken up again. */
const LEAST_LEFT_SECONDS = 3600;

export function partSizeFor(size: number, asked: number | undefined): number {
  const needed = Math.ceil(size / MOST_PARTS / BLOCK_SIZE) * BLOCK_SIZE;
  const partSize = asked ?? Math.max(BLOCK_SIZE, needed);
  if (!Number.isInteger(partSize) || partSize < LEAST_PART || partSize > MOST_PART)
    throw new MillpondError('usage', 'a part has from 1 MiB to 1 GiB');
  if (size > partSize * MOST_PARTS)
    throw new MillpondError('usage', `${size} bytes are more than ${MOST_PARTS} parts of ${partSize}`);
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
    // The server gave the upload up between two of our calls: once more, from the beginning.
    if (isGone(error)) return uploadOnce(parts, source, options);
    throw error;
  }
}

async function uploadOnce(parts: UploadParts, source: Source, options: UploadOptions): Promise<UploadResult> {
  const calls = await PartCalls.for(parts, options);
  const journal = options.journal === undefined ? parts.journal : (options.journal ?? undefined);
  const id = source.identity === undefined ? undefined : journalId(parts.url, calls.path, source.identity);
  const { begun, known } = await beginOrResume(
    calls,
    source,
    options,
    id === undefined ? undefined : journal,
    id,
  );
  options.onBegin?.(begun.uploadId);
  const { sent, bytesSent } = await sendParts(calls, source, begun, known, options);
  const hash = etagOfParts(parts.digests.hashing, sent);
  throwIfCancelled(options.signal);
  const { body, reqid } = await complete(calls, begun, sent, hash, options, async () => {
    if (id !== undefined) await journal?.remove(id);
  });
  checkHash(body.hash, hash, reqid);
  return {
    hash,
    key: typeof body.key === 'string' ? body.key : options.key,
    answer: body,
    way: 'multipart',
    size: source.size,
    sent: bytesSent,
    reqid,
  };
}

interface Taken {
  readonly begun: BegunUpload;
  readonly known: ReadonlyMap<number, SentPart>;
}

async function beginOrResume(
  calls: PartCalls,
  source: Source,
  options: UploadOptions,
  journal: Journal | undefined,
  id = '',
): Promise<Taken> {
  const partSize = partSizeFor(source.size, options.partSize);
  const kept = await journal?.get(id);
  const isUsable =
    kept !== undefined &&
    kept.expireAt - Date.now() / 1000 > LEAST_LEFT_SECONDS &&
    (options.partSize === undefined || kept.partSize === options.partSize) &&
    source.size <= kept.partSize * MOST_PARTS;
  const known = isUsable ? await calls.list(kept.uploadId) : undefined;
  if (kept !== undefined && known !== undefined) return { begun: kept, known };
  const begun = await calls.begin(partSize);
  await journal?.set(id, begun);
  return { begun, known: new Map() };
}

async function sendParts(
  calls: PartCalls,
  source: Source,
  { uploadId, partSize }: BegunUpload,
  known: ReadonlyMap<number, SentPart>,
  { signal, onProgress, concurrency = 4 }: UploadOptions,
): Promise<{ sent: SentPart[]; bytesSent: number }> {
  const count = Math.ceil(source.size / partSize);
  const sent = new Array<SentPart>(count);
  let [done, bytesSent] = [0, 0];
  const tell = () => onProgress?.({ done, total: source.size, sent: bytesSent });
  tell();
  await runPool(count, concurrency, signal, async (index, cancel) => {
    const start = index * partSize;
    const bytes = await source.read(start, Math.min(source.size, start + partSize));
    if (bytes.length !== Math.min(source.size, start + partSize) - start)
      throw new MillpondError('usage', 'the content became shorter while it was read');
    const etag = await calls.etagOf(bytes);
    const partNumber = index + 1;
    const there = known.get(partNumber);
    if (there?.etag !== etag || there.size !== bytes.length) {
      throwIfCancelled(cancel);
      await calls.put(uploadId, partNumber, bytes, etag);
      bytesSent += bytes.length;
    }
    sent[index] = { partNumber, etag, size: bytes.length };
    done += bytes.length;
    tell();
  });
  return { sent, bytesSent };
}

/** Where the answer of a completion was lost the upload is gone: then the object itself tells. */
export async function complete(
  calls: PartCalls,
  begun: BegunUpload,
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

/** The same upload of the same content, and no other, has this name. */
function journalId(url: string, path: string, identity: string): string {
  return `${url}${path}\n${identity}`;
}

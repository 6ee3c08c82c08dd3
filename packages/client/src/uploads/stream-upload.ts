/**
 * An upload of content that can be read only once and has no known length: standard input, a pipe. Pieces stay in
 * memory until the server has them, as many as are in flight; there is nothing to resume by.
 */
import { BLOCK_SIZE, etagOfParts, MAX_PARTS } from '@millpond/protocol';
import { MillpondError } from '../core/error.ts';
import { throwIfCancelled } from '../core/retry.ts';
import { uploadForm } from './form-upload.ts';
import { complete, partSizeFor } from './multipart-upload.ts';
import type { UploadOptions, UploadResult } from './options.ts';
import { PartCalls, type SentPart } from './part-calls.ts';
import { checkHash, type UploadParts } from './upload-request.ts';

export async function uploadStream(
  parts: UploadParts,
  content: AsyncIterable<Uint8Array>,
  options: UploadOptions,
): Promise<UploadResult> {
  const partSize = partSizeFor(0, options.partSize ?? BLOCK_SIZE);
  const pieces = piecesOf(content, partSize);
  const first = await pieces.next();
  const second = first.done ? first : await pieces.next();
  if (second.done && (first.done || first.value.length <= BLOCK_SIZE))
    return uploadForm(parts, first.done ? new Uint8Array() : first.value, options);
  const calls = await PartCalls.for(parts, options);
  const begun = await calls.begin(partSize);
  try {
    options.onBegin?.(begun.uploadId);
    const sent = await sendAll(calls, begun.uploadId, joined(first, second, pieces), options);
    const hash = etagOfParts(parts.digests.hashing, sent);
    const { body, reqid } = await complete(calls, begun, sent, hash, options, async () => undefined);
    checkHash(body.hash, hash, reqid);
    const size = sent.reduce((sum, part) => sum + part.size, 0);
    const key = typeof body.key === 'string' ? body.key : options.key;
    return { hash, key, answer: body, way: 'multipart', size, sent: size, reqid };
  } catch (error) {
    // The content can't be read again, so what was uploaded is of no use.
    await calls.giveUp(begun.uploadId).catch(() => undefined);
    throw error;
  }
}

async function sendAll(
  calls: PartCalls,
  uploadId: string,
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
  { signal, onProgress, concurrency = 4 }: UploadOptions,
): Promise<SentPart[]> {
  const sent: SentPart[] = [];
  const underWay = new Set<Promise<void>>();
  let done = 0;
  try {
    for await (const bytes of pieces) {
      throwIfCancelled(signal);
      const index = sent.length;
      if (index >= MAX_PARTS)
        throw new MillpondError('usage', 'the content is too long for its part size: give a larger one');
      const etag = await calls.etagOf(bytes);
      sent.push({ partNumber: index + 1, etag, size: bytes.length });
      const put: Promise<void> = calls.put(uploadId, index + 1, bytes, etag).then(() => {
        underWay.delete(put);
        done += bytes.length;
        onProgress?.({ done, total: undefined, sent: done });
      });
      underWay.add(put);
      if (underWay.size >= concurrency) await Promise.race(underWay);
    }
    await Promise.all(underWay);
    return sent;
  } finally {
    await Promise.allSettled(underWay);
  }
}

async function* joined(
  first: IteratorResult<Uint8Array<ArrayBuffer>>,
  second: IteratorResult<Uint8Array<ArrayBuffer>>,
  rest: AsyncIterable<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (!first.done) yield first.value;
  if (!second.done) yield second.value;
  yield* rest;
}

/** Pieces of one size, the last one shorter. */
async function* piecesOf(
  content: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let piece = new Uint8Array(size);
  let held = 0;
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length; ) {
      const taken = Math.min(size - held, chunk.length - at);
      piece.set(chunk.subarray(at, at + taken), held);
      held += taken;
      at += taken;
      if (held < size) continue;
      yield piece;
      piece = new Uint8Array(size);
      held = 0;
    }
  }
  if (held > 0) yield piece.subarray(0, held);
}

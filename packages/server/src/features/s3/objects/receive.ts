/**
 * The bytes of an object or a part, streamed into the blob store as they arrive: unchunked, hashed and compared with everything
 * that the client said of them. Nothing is kept of a body that differs.
 */
import { type ChecksumAlgorithm, ChunkDecoder, S3Fault } from '@millpond/protocol/s3';
import { type BlobId, type BlobStore, newBlobId, type Tier } from '../../../platform/blobs/index.ts';
import { nodeHashing } from '../../../platform/hashing.ts';
import { readBody } from '../../../platform/web/index.ts';
import { Intake, type Received } from '../../objects/index.ts';
import type { S3Request } from '../request.ts';
import { BodyChecks, type CheckedBody } from './checks.ts';

export interface ReceiveOptions {
  readonly tier: Tier;
  readonly maxBytes: number;
  /** The algorithm of the upload, for parts of which the client gives no checksum. */
  readonly algorithm?: ChecksumAlgorithm | undefined;
}

export interface ReceivedBytes extends Received, CheckedBody {
  readonly id: BlobId;
}

/** How many bytes the object or part will have; undefined if the client does not know. Refuses what can be refused at once. */
export function announcedBytes({ call, payload, header }: S3Request, maxBytes: number): number | undefined {
  const length = call.header('content-length');
  if (length === undefined && call.header('transfer-encoding') === undefined)
    throw new S3Fault('MissingContentLength');
  const text = payload.kind === 'chunked' ? header('x-amz-decoded-content-length') : length;
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text))
    throw new S3Fault('InvalidArgument', { hint: 'x-amz-decoded-content-length must be a number' });
  const size = Number(text);
  if (size > maxBytes) throw tooLarge(size, maxBytes);
  return size;
}

/** The bytes are durable when this resolves; nothing is left if it rejects. */
export async function receiveBytes(
  request: S3Request,
  blobs: BlobStore,
  { tier, maxBytes, algorithm }: ReceiveOptions,
): Promise<ReceivedBytes> {
  const { call, payload } = request;
  const announced = announcedBytes(request, maxBytes);
  const checks = new BodyChecks(request, { algorithm });
  const id = newBlobId();
  const intake = new Intake(maxBytes, { crc32: false });
  // Chunks of the body are slices of what arrives: the memory of one is that of its neighbours.
  const isPlain = payload.kind !== 'chunked';
  const writer = blobs.openWriter(id, { tier, signal: call.cancel, freeChunks: isPlain });
  const take = (data: Buffer) => {
    intake.take(data);
    checks.take(data);
    return writer.write(data);
  };
  const chunked = isPlain ? undefined : decoderOf(request, announced, checks);
  call.acceptBody();
  try {
    await readBody(call.request, chunked ? (chunk) => takeData(chunked, chunk, take) : take, call.tooSlow);
    const trailers = chunked?.finish();
    const received = intake.finish();
    const checked = checks.finish(trailers);
    await writer.finish();
    return { ...received, ...checked, id };
  } catch (error) {
    await writer.abort();
    if (call.request.errored && !(error instanceof S3Fault))
      throw new S3Fault('IncompleteBody', { cause: error });
    throw error;
  }
}

function decoderOf(
  { payload, chunkSigning }: S3Request,
  decodedLength: number | undefined,
  { trailers }: BodyChecks,
): ChunkDecoder {
  const isSigned = payload.kind === 'chunked' && payload.signed;
  return new ChunkDecoder(nodeHashing, {
    signing: isSigned ? chunkSigning : undefined,
    decodedLength,
    trailers,
  });
}

/** Waits for all that the pieces of one chunk of the network wait for. */
function takeData(
  body: ChunkDecoder,
  chunk: Buffer,
  take: (data: Buffer) => Promise<void> | undefined,
): Promise<void> | undefined {
  let waiting: Promise<void>[] | undefined;
  for (const data of body.push(chunk)) {
    const written = take(data as Buffer);
    if (written !== undefined) {
      waiting ??= [];
      waiting.push(written);
    }
  }
  return waiting === undefined ? undefined : Promise.all(waiting).then(() => undefined);
}

function tooLarge(size: number, maxBytes: number): S3Fault {
  return new S3Fault('EntityTooLarge', {
    details: { ProposedSize: String(size), MaxSizeAllowed: String(maxBytes) },
  });
}

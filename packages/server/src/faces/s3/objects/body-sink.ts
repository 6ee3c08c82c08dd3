/**
 * The bytes of an object or a part, on their way to the blob store as they arrive: unchunked, hashed and compared with everything
 * that the client said of them. Nothing is kept of a body that differs.
 */
import type { BlobId, Tier } from '@millpond/blobs';
import { type ChecksumAlgorithm, ChunkDecoder, S3Fault } from '@millpond/protocol/s3';
import { nodeHashing } from '../../../platform/hashing.ts';
import type { OpenBodyWriter } from '../../../platform/small-blobs/index.ts';
import { readBody } from '../../../platform/web/index.ts';
import { BodyDigest, type DigestedBody } from '../../../storage/objects/index.ts';
import type { S3Request } from '../s3.request.ts';
import { BodyChecks, type VerifiedDigests } from './body-digests.ts';

export interface ReceiveOptions {
  readonly tier: Tier;
  readonly maxBytes: number;
  /** The algorithm of the upload, for parts of which the client gives no checksum. */
  readonly algorithm?: ChecksumAlgorithm | undefined;
}

export interface ReceivedBytes extends DigestedBody, VerifiedDigests {
  readonly id: BlobId;
  /** The bytes of a small blob, which are to be committed. */
  readonly inline?: Buffer | undefined;
}

/** How many bytes the object or part will have; undefined if the client does not know. Refuses what can be refused at once. */
export function announcedBytes(
  { context, payload, header }: S3Request,
  maxBytes: number,
): number | undefined {
  const length = context.header('content-length');
  if (length === undefined && context.header('transfer-encoding') === undefined)
    throw new S3Fault('MissingContentLength');
  const text = payload.kind === 'chunked' ? header('x-amz-decoded-content-length') : length;
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text))
    throw new S3Fault('InvalidArgument', { hint: 'x-amz-decoded-content-length must be a number' });
  const size = Number(text);
  if (size > maxBytes) throw tooLarge(size, maxBytes);
  return size;
}

/** Where bytes of an object go as they arrive, wherever in a request they are. */
export interface BodySink {
  readonly checks: BodyChecks;
  write(data: Buffer): Promise<void> | undefined;
  /** The bytes are durable when this resolves, except those of a small blob. */
  finish(trailers?: ReadonlyMap<string, string>): Promise<ReceivedBytes>;
  /** Nothing is left of them. */
  abort(): Promise<void>;
}

/** `isPlain`: the chunks are whole chunks of the network, and their memory may go with them. */
export function openBodySink(
  request: S3Request,
  open: OpenBodyWriter,
  { tier, maxBytes, algorithm }: ReceiveOptions,
  { isPlain, expectedBytes }: { isPlain: boolean; expectedBytes?: number | undefined },
): BodySink {
  const checks = new BodyChecks(request, { algorithm });
  const digest = new BodyDigest(maxBytes, { crc32: false });
  const writer = open({ tier, signal: request.context.cancel, freeChunks: isPlain, expectedBytes });
  return {
    checks,
    write(data) {
      digest.update(data);
      checks.update(data);
      return writer.write(data);
    },
    async finish(trailers) {
      const digestedBody = digest.finish();
      const checked = checks.finish(trailers);
      const { blobId: id, inline } = await writer.finish(checked.md5);
      return { ...digestedBody, ...checked, id, inline };
    },
    abort: () => writer.abort(),
  };
}

/** The bytes are durable when this resolves, except those of a small blob; nothing is left if it rejects. */
export async function receiveBytes(
  request: S3Request,
  open: OpenBodyWriter,
  options: ReceiveOptions,
): Promise<ReceivedBytes> {
  const { context, payload } = request;
  const announced = announcedBytes(request, options.maxBytes);
  // Chunks of the body are slices of what arrives: the memory of one is that of its neighbours.
  const isPlain = payload.kind !== 'chunked';
  const sink = openBodySink(request, open, options, { isPlain, expectedBytes: announced });
  const take = (data: Buffer) => sink.write(data);
  const chunked = isPlain ? undefined : decoderOf(request, announced, sink.checks);
  context.acceptBody();
  try {
    await readBody(
      context.request,
      chunked ? (chunk) => takeData(chunked, chunk, take) : take,
      context.tooSlow,
    );
    return await sink.finish(chunked?.finish());
  } catch (error) {
    await sink.abort();
    throw toIncompleteBody(context, error);
  }
}

/** A body that ended early is no failure of ours. */
export function toIncompleteBody({ request }: S3Request['context'], error: unknown): unknown {
  return request.errored && !(error instanceof S3Fault)
    ? new S3Fault('IncompleteBody', { cause: error })
    : error;
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

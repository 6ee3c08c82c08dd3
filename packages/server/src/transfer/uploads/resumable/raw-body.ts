/** A request body that is the raw bytes of a part or a chunk, streamed into the blob store as it arrives. */
import { type BlobId, type BlobStore, newBlobId, type Tier } from '@millpond/blobs';
import { Fault } from '@millpond/protocol';
import { type RequestContext, readBody } from '../../../platform/web/index.ts';
import { BodyDigest, type DigestedBody } from '../../../storage/objects/index.ts';
import { Throttle } from '../throttle.ts';

export interface StoredBytes extends DigestedBody {
  readonly id: BlobId;
}

export interface RawBodyOptions {
  readonly tier: Tier;
  readonly maxBytes: number;
  readonly trafficLimit: number | undefined;
  /** false: nobody needs it. */
  readonly crc32?: boolean;
  /** Sees every chunk, in order. */
  readonly watch?: (chunk: Buffer) => void;
  /** May refuse what was received, before it is made durable. */
  readonly check?: (digestedBody: DigestedBody) => void;
}

/** For a call whose token was accepted. The bytes are durable when this resolves; nothing is left if it rejects. */
export async function storeRawBody(
  context: RequestContext,
  blobs: BlobStore,
  options: RawBodyOptions,
): Promise<StoredBytes> {
  const id = newBlobId();
  const digest = new BodyDigest(options.maxBytes, options);
  const writer = blobs.openWriter(id, { tier: options.tier, signal: context.cancel, freeChunks: true });
  const throttle = options.trafficLimit === undefined ? undefined : new Throttle(options.trafficLimit);
  const take = (chunk: Buffer) => {
    const { length } = chunk;
    digest.update(chunk);
    options.watch?.(chunk);
    const written = writer.write(chunk);
    const due = throttle?.take(length, context.cancel);
    if (written === undefined || due === undefined) return written ?? due;
    return Promise.all([written, due]).then(() => undefined);
  };
  context.acceptBody();
  try {
    await readBody(context.request, take, context.tooSlow);
    const digestedBody = digest.finish();
    options.check?.(digestedBody);
    await writer.finish();
    return { ...digestedBody, id };
  } catch (error) {
    await writer.abort();
    if (error instanceof Fault || !context.request.errored) throw error;
    throw new Fault('invalidArgument', { hint: 'the request ended early', cause: error });
  }
}

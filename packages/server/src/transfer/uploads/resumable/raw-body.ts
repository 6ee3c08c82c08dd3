/** A request body that is the raw bytes of a part or a chunk, streamed into the blob store as it arrives. */
import { type BlobId, type BlobStore, newBlobId, type Tier } from '@millpond/blobs';
import { Fault } from '@millpond/protocol';
import { type Call, readBody } from '../../../platform/web/index.ts';
import { Intake, type Received } from '../../../storage/objects/index.ts';
import { Throttle } from '../throttle.ts';

export interface StoredBytes extends Received {
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
  readonly check?: (received: Received) => void;
}

/** For a call whose token was accepted. The bytes are durable when this resolves; nothing is left if it rejects. */
export async function storeRawBody(
  call: Call,
  blobs: BlobStore,
  options: RawBodyOptions,
): Promise<StoredBytes> {
  const id = newBlobId();
  const intake = new Intake(options.maxBytes, options);
  const writer = blobs.openWriter(id, { tier: options.tier, signal: call.cancel, freeChunks: true });
  const throttle = options.trafficLimit === undefined ? undefined : new Throttle(options.trafficLimit);
  const take = (chunk: Buffer) => {
    const { length } = chunk;
    intake.take(chunk);
    options.watch?.(chunk);
    const written = writer.write(chunk);
    const due = throttle?.take(length, call.cancel);
    if (written === undefined || due === undefined) return written ?? due;
    return Promise.all([written, due]).then(() => undefined);
  };
  call.acceptBody();
  try {
    await readBody(call.request, take, call.tooSlow);
    const received = intake.finish();
    options.check?.(received);
    await writer.finish();
    return { ...received, id };
  } catch (error) {
    await writer.abort();
    if (error instanceof Fault || !call.request.errored) throw error;
    throw new Fault('invalidArgument', { hint: 'the request ended early', cause: error });
  }
}

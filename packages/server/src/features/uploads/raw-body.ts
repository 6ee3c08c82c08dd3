/** A request body that is the bytes themselves: a part or a chunk, into the blob store as it arrives. */
import { Fault } from '@millpond/protocol';
import { type BlobId, type BlobStore, newBlobId, type Tier } from '../../platform/blobs/index.ts';
import type { Call } from '../../platform/web/index.ts';
import { Intake, type Received } from '../objects/index.ts';
import { Throttle } from './throttle.ts';

export interface StoredBytes extends Received {
  readonly id: BlobId;
}

export interface RawBodyOptions {
  readonly tier: Tier;
  readonly maxBytes: number;
  readonly trafficLimit: number | undefined;
  /** Sees every chunk, in order. */
  readonly watch?: (chunk: Buffer) => void;
  /** Refuses what was received, before it is made durable. */
  readonly check?: (received: Received) => void;
}

/** Durable when it resolves; nothing is left where it rejects. */
export async function storeRawBody(
  call: Call,
  blobs: BlobStore,
  options: RawBodyOptions,
): Promise<StoredBytes> {
  const id = newBlobId();
  const intake = new Intake(options.maxBytes);
  const writer = blobs.openWriter(id, { tier: options.tier, signal: call.cancel, freeChunks: true });
  const throttle = options.trafficLimit === undefined ? undefined : new Throttle(options.trafficLimit);
  try {
    // The stream survives a refusal: its answer goes out on the same connection.
    for await (const chunk of call.request.iterator({ destroyOnReturn: false })) {
      const bytes = chunk as Buffer;
      const { length } = bytes;
      intake.take(bytes);
      options.watch?.(bytes);
      const written = writer.write(bytes);
      if (written !== undefined) await written;
      const due = throttle?.take(length, call.cancel);
      if (due !== undefined) await due;
    }
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

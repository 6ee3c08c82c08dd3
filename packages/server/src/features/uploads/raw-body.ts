/** A request body that is the bytes themselves: a part or a chunk, into the blob store as it arrives. */
import type { IncomingMessage } from 'node:http';
import { Fault } from '@millpond/protocol';
import { type BlobId, type BlobStore, newBlobId, type Tier } from '../../platform/blobs/index.ts';
import type { Call } from '../../platform/web/index.ts';
import { Intake, type Received } from './intake.ts';
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
    for await (const chunk of bodyOf(call.request)) {
      const { length } = chunk;
      intake.take(chunk);
      options.watch?.(chunk);
      await writer.write(chunk);
      await throttle?.take(length, call.cancel);
    }
    const received = intake.finish();
    options.check?.(received);
    await writer.finish();
    return { ...received, id };
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** The stream survives a refusal: its answer goes out on the same connection. */
async function* bodyOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) yield chunk as Buffer;
  } catch (cause) {
    throw new Fault('invalidArgument', { hint: 'the request ended early', cause });
  }
}

/** Sinks and sources for tests of blob stores. */
import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { BlobSink, BlobWriter } from '../store.ts';

/** Bytes that differ at every position and between seeds, made fast. */
export function pattern(length: number, seed = 1): Buffer {
  const words = new Uint32Array(Math.ceil(length / 4));
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  for (let at = 0; at < words.length; at++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[at] = state;
  }
  return Buffer.from(words.buffer, 0, length);
}

export function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export interface CollectingSink extends BlobSink {
  bytes(): Buffer;
  readonly received: number;
}

/** Takes everything at once and keeps the chunks as they are: this exposes a store that reuses one. */
export function collectingSink(): CollectingSink {
  const chunks: Uint8Array[] = [];
  let received = 0;
  return {
    write(chunk) {
      chunks.push(chunk);
      received += chunk.length;
      return true;
    },
    once: () => undefined,
    bytes: () => Buffer.concat(chunks),
    get received() {
      return received;
    },
  };
}

/** Is full after every chunk, and copies the chunk only when it drains: this exposes a store that reuses it too early. */
export function slowSink(
  delay: (received: number) => number,
): CollectingSink & { readonly maxUnrequested: number } {
  const events = new EventEmitter();
  const chunks: Buffer[] = [];
  let received = 0;
  let full = false;
  let mostUnasked = 0;
  return {
    write(chunk) {
      received += chunk.length;
      if (full) mostUnasked++;
      full = true;
      const wait = delay(received);
      const drain = (): void => {
        chunks.push(Buffer.from(chunk));
        full = false;
        events.emit('drain');
      };
      if (wait > 0) setTimeout(drain, wait);
      else setImmediate(drain);
      return false;
    },
    once: (event, listener) => events.once(event, listener),
    bytes: () => Buffer.concat(chunks),
    get received() {
      return received;
    },
    get maxUnrequested() {
      return mostUnasked;
    },
  };
}

export async function writeInChunks(writer: BlobWriter, bytes: Uint8Array, chunkSize: number): Promise<void> {
  for (let at = 0; at < bytes.length; at += chunkSize) await writer.write(bytes.subarray(at, at + chunkSize));
}

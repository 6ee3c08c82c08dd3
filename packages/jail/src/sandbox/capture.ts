/** The output of a sandboxed program, kept within a limit. */
import type { Readable } from 'node:stream';
import { ByteQueue } from '@millpond/base';

/** All of it, up to `most`: beyond that `onTooMuch` is called once and the rest is dropped. */
export function captureAll(stream: Readable, most: number, onTooMuch: () => void): () => Buffer {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    if (bytes > most) return;
    bytes += chunk.length;
    if (bytes > most) onTooMuch();
    else chunks.push(chunk);
  });
  return () => Buffer.concat(chunks);
}

/** The last `most` bytes: an engine says at the end what was wrong. */
export function captureEnd(stream: Readable, most: number): () => string {
  const kept = new ByteQueue();
  stream.on('data', (chunk: Buffer) => {
    kept.add(chunk);
    kept.drop(Math.max(0, kept.length - most));
    kept.settle();
  });
  return () => kept.bytes.toString('utf8');
}

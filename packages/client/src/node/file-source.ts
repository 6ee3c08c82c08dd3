/**
 * A file as content. It is opened once and read in pieces; its modification time reveals a file that changes while it
 * is read.
 */
import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { MillpondError } from '../core/error.ts';
import type { Source } from '../uploads/source.ts';

export async function fileSource(file: string): Promise<Source & { close(): Promise<void> }> {
  const handle = await open(file, 'r');
  try {
    const facts = await handle.stat({ bigint: true });
    if (!facts.isFile()) throw new MillpondError('usage', `${file} is not a file`);
    const size = Number(facts.size);
    return {
      size,
      identity: `${path.resolve(file)}\n${size}\n${facts.mtimeNs}`,
      fileName: path.basename(file),
      async read(start, end) {
        const bytes = new Uint8Array(end - start);
        for (let at = 0; at < bytes.length; ) {
          const { bytesRead } = await handle.read(bytes, at, bytes.length - at, start + at);
          if (bytesRead === 0) return bytes.subarray(0, at);
          at += bytesRead;
        }
        if ((await stat(file, { bigint: true })).mtimeNs !== facts.mtimeNs)
          throw new MillpondError('usage', `${file} changed while it was being read`);
        return bytes;
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

import type { ContentHashing, Hasher } from '../hashing.ts';
import { BLOCK_SIZE, etagOfBlocks, SHA1_SIZE } from './etag.ts';

export interface EtagResult {
  readonly etag: string;
  readonly size: number;
  /** SHA-1 of each block, 20 bytes each, concatenated; empty for empty content. */
  readonly blockHashes: Uint8Array;
}

/** The etag of content that arrives in chunks of any size, from one byte to many blocks. */
export interface EtagStream {
  /** Consumes the bytes at once and keeps no reference to them. */
  update(chunk: Uint8Array): void;
  /** Ends the stream. */
  digest(): EtagResult;
}

/** Every uploaded byte passes through here: chunks are hashed in place, never joined or copied. */
export function createEtagStream(hashing: ContentHashing): EtagStream {
  let closed = new Uint8Array(4 * SHA1_SIZE);
  let closedBlocks = 0;
  let openBlock: Hasher | undefined;
  let openBytes = 0;

  function closeBlock(block: Hasher): void {
    const at = closedBlocks * SHA1_SIZE;
    if (at === closed.length) {
      const grown = new Uint8Array(closed.length * 2);
      grown.set(closed);
      closed = grown;
    }
    closed.set(block.digest(), at);
    closedBlocks++;
    openBlock = undefined;
    openBytes = 0;
  }

  return {
    update(chunk) {
      let at = 0;
      while (at < chunk.length) {
        openBlock ??= hashing.sha1();
        const end = Math.min(chunk.length, at + BLOCK_SIZE - openBytes);
        openBlock.update(at === 0 && end === chunk.length ? chunk : chunk.subarray(at, end));
        openBytes += end - at;
        at = end;
        if (openBytes === BLOCK_SIZE) closeBlock(openBlock);
      }
    },
    digest() {
      const size = closedBlocks * BLOCK_SIZE + openBytes;
      if (openBlock !== undefined) closeBlock(openBlock);
      const blockHashes = closed.subarray(0, closedBlocks * SHA1_SIZE);
      return { etag: etagOfBlocks(hashing, blockHashes), size, blockHashes };
    },
  };
}

import type { ContentHashing } from '../hashing.ts';
import { BLOCK_SIZE, etagOfBlocks, formatEtag, parseEtag, SHA1_SIZE } from './etag.ts';

export interface PartEtag {
  readonly size: number;
  /** The part's own etag, as returned when the part was uploaded. */
  readonly etag: string;
}

/**
 * The etag of a multipart upload, from its parts in order. If the parts are the blocks themselves it is the etag that
 * the same content gets in one piece; otherwise it depends on how the content was cut.
 */
export function etagOfParts(hashing: ContentHashing, parts: readonly PartEtag[]): string {
  const onGrid = parts.every((part, i) =>
    i === parts.length - 1 ? part.size <= BLOCK_SIZE : part.size === BLOCK_SIZE,
  );
  // An empty last part is not a block.
  const hashed = onGrid ? parts.filter((part) => part.size > 0) : parts;
  const hashes = new Uint8Array(hashed.length * SHA1_SIZE);
  for (const [i, part] of hashed.entries()) hashes.set(parseEtag(part.etag).sha1, i * SHA1_SIZE);
  return onGrid ? etagOfBlocks(hashing, hashes) : formatEtag('parts', hashing.sha1Of(hashes));
}

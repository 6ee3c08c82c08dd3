/**
 * Whether two of the same size have the same content. A hash tells, if both were made alike. For an object uploaded in
 * parts off the 4 MiB grid, the hash depends on how it was cut: we compute it from the file for every cut into equal
 * parts of whole blocks, and for the part size that was given. For any other cut, times decide.
 */
import { createReadStream } from 'node:fs';
import { nodeHashing as hashing } from '@millpond/client';
import type { ListedObject } from '@millpond/client/server';
import {
  BLOCK_SIZE,
  createEtagStream,
  etagOfBlocks,
  etagOfParts,
  type PartEtag,
  parseEtag,
  SHA1_SIZE,
} from '@millpond/protocol';
import type { LocalFile } from '../transfer/local-files.ts';

/** File times are less exact than object times; in units of 100 ns. */
const ALIKE = 20_000n;
const READ_BYTES = 256 * 1024;
/** A part has at most 1 GiB. */
const MAX_BLOCKS_IN_PART = 256;

export interface Compared {
  readonly file: LocalFile;
  readonly object: ListedObject;
  readonly partSize: number | undefined;
  readonly signal: AbortSignal;
}

export async function isSameContent({ file, object, partSize, signal }: Compared): Promise<boolean> {
  const isOffGrid = isMultipartHash(object.hash);
  const { etag, blockHashes, etagOfCut } = await hashesOf(file, isOffGrid ? partSize : undefined, signal);
  if (!isOffGrid) return etag === object.hash;
  return etagOfCut === object.hash || cutsOf(blockHashes, object.fsize).some((cut) => cut === object.hash);
}

/** Whether a hash depends on how the content was cut. */
export function isMultipartHash(hash: string): boolean {
  return parseEtag(hash).form === 'parts';
}

/** A file not changed after the object was stored is assumed to be what was stored. */
export function isNoNewer({ modified }: LocalFile, { putTime }: ListedObject): boolean {
  return modified <= putTime;
}

/** Files that `sync` writes have the time of their object; a file changed since has another. */
export function hasTimeOf({ modified }: LocalFile, { putTime }: ListedObject): boolean {
  const apart = modified - putTime;
  return apart < ALIKE && apart > -ALIKE;
}

interface Hashes {
  readonly etag: string;
  readonly blockHashes: Uint8Array;
  readonly etagOfCut: string | undefined;
}

async function hashesOf(file: LocalFile, partSize: number | undefined, signal: AbortSignal): Promise<Hashes> {
  const whole = createEtagStream(hashing);
  const cut = partSize === undefined ? undefined : new CutStream(partSize);
  for await (const chunk of createReadStream(file.path, {
    highWaterMark: READ_BYTES,
    signal,
  }) as AsyncIterable<Buffer>) {
    whole.update(chunk);
    cut?.update(chunk);
  }
  const { etag, blockHashes } = whole.digest();
  return { etag, blockHashes, etagOfCut: cut?.digest() };
}

/** The hash of an upload in parts of this size, computed as the content passes. */
class CutStream {
  readonly #partSize: number;
  readonly #parts: PartEtag[] = [];
  #open = createEtagStream(hashing);
  #size = 0;

  constructor(partSize: number) {
    this.#partSize = partSize;
  }

  update(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      const end = Math.min(chunk.length, at + this.#partSize - this.#size);
      this.#open.update(chunk.subarray(at, end));
      this.#size += end - at;
      at = end;
      if (this.#size === this.#partSize) this.#close();
    }
  }

  digest(): string {
    if (this.#size > 0) this.#close();
    return etagOfParts(hashing, this.#parts);
  }

  #close(): void {
    this.#parts.push({ size: this.#size, etag: this.#open.digest().etag });
    this.#open = createEtagStream(hashing);
    this.#size = 0;
  }
}

/** The hashes of all uploads in equal parts of several blocks: they follow from the block hashes. */
function cutsOf(blockHashes: Uint8Array, size: number): string[] {
  const blocks = blockHashes.length / SHA1_SIZE;
  const cuts: string[] = [];
  for (let blocksInPart = 2; blocksInPart <= Math.min(blocks, MAX_BLOCKS_IN_PART); blocksInPart++) {
    const parts: PartEtag[] = [];
    for (let first = 0; first < blocks; first += blocksInPart) {
      const hashes = blockHashes.subarray(first * SHA1_SIZE, (first + blocksInPart) * SHA1_SIZE);
      const end = Math.min(size, (first + blocksInPart) * BLOCK_SIZE);
      parts.push({ size: end - first * BLOCK_SIZE, etag: etagOfBlocks(hashing, hashes) });
    }
    cuts.push(etagOfParts(hashing, parts));
  }
  return cuts;
}

/**
 * The `hash` of an object: URL-safe Base64 of a form byte and a SHA-1, always 28 characters. Content up to one block
 * of 4 MiB is hashed as it is; longer content by the hashes of its blocks; a multipart upload whose parts are off that
 * grid by the hashes of its parts.
 */
import { encodeBase64, tryDecodeBase64 } from '../base64.ts';
import { Fault } from '../errors/fault.ts';
import type { ContentHashing } from '../hashing.ts';
import { MIB } from '../limits/bytes.ts';

export const BLOCK_SIZE = 4 * MIB;
export const SHA1_SIZE = 20;

export const etagForms = { oneBlock: 0x16, blocks: 0x96, parts: 0x9e } as const;
export type EtagForm = keyof typeof etagForms;

export interface Etag {
  readonly form: EtagForm;
  readonly sha1: Uint8Array;
}

export function formatEtag(form: EtagForm, sha1: Uint8Array): string {
  const bytes = new Uint8Array(1 + SHA1_SIZE);
  bytes[0] = etagForms[form];
  bytes.set(sha1, 1);
  return encodeBase64(bytes);
}

export function parseEtag(text: string): Etag {
  const bytes = text.length === 28 ? tryDecodeBase64(text) : undefined;
  const form = bytes?.length === 1 + SHA1_SIZE ? formOf(bytes[0]) : undefined;
  if (bytes === undefined || form === undefined)
    throw new Fault('invalidArgument', { detail: 'not an etag' });
  return { form, sha1: bytes.subarray(1) };
}

function formOf(byte: number | undefined): EtagForm | undefined {
  if (byte === etagForms.oneBlock) return 'oneBlock';
  if (byte === etagForms.blocks) return 'blocks';
  return byte === etagForms.parts ? 'parts' : undefined;
}

/**
 * The etag of content from the SHA-1s of its blocks, 20 bytes each, concatenated. Every block but the last has
 * BLOCK_SIZE bytes. No blocks at all means empty content.
 */
export function etagOfBlocks(hashing: ContentHashing, blockHashes: Uint8Array): string {
  if (blockHashes.length % SHA1_SIZE !== 0) throw new RangeError('block hashes are 20 bytes each');
  if (blockHashes.length === 0) return formatEtag('oneBlock', hashing.sha1Of(blockHashes));
  if (blockHashes.length === SHA1_SIZE) return formatEtag('oneBlock', blockHashes);
  return formatEtag('blocks', hashing.sha1Of(blockHashes));
}

/** The etag of content in memory. */
export function etagOf(hashing: ContentHashing, content: Uint8Array): string {
  const blockHashes = new Uint8Array(Math.ceil(content.length / BLOCK_SIZE) * SHA1_SIZE);
  for (let block = 0; block * BLOCK_SIZE < content.length; block++) {
    const bytes = content.subarray(block * BLOCK_SIZE, (block + 1) * BLOCK_SIZE);
    blockHashes.set(hashing.sha1Of(bytes), block * SHA1_SIZE);
  }
  return etagOfBlocks(hashing, blockHashes);
}

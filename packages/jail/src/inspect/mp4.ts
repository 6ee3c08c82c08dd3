/**
 * Finds the index (moov) of an MP4 or QuickTime file from the heads of its top-level boxes, without reading what lies between:
 * cameras write it at the very end of files of any size.
 */
import type { ByteRange } from '@millpond/blobs';
import { type ContentSource, readBytes } from '@millpond/blobs';

/** Boxes before the index; in a fragmented file the index comes first. */
const MAX_BOXES = 32;
const BOX_HEAD_BYTES = 16;
const FIRST_READ_BYTES = 4096;
const TOP_LEVEL = /^(?:ftyp|moov|mdat|free|skip|wide|pnot|uuid|sidx|styp|meta)$/;

export interface Movie {
  readonly index: ByteRange;
  /** Heads of the boxes before it, which readers step through. */
  readonly heads: readonly ByteRange[];
}

export async function findMovieIndex(
  source: ContentSource,
  signal: AbortSignal,
): Promise<ByteRange | undefined> {
  return (await findMovie(source, signal))?.index;
}

/** undefined: not such a file, or it has no index. */
export async function findMovie(source: ContentSource, signal: AbortSignal): Promise<Movie | undefined> {
  const beginning = await readBytes(source, clip(source, 0, FIRST_READ_BYTES), signal);
  const heads: ByteRange[] = [];
  let offset = 0;
  for (let boxes = 0; boxes < MAX_BOXES && offset + 8 <= source.size; boxes++) {
    const near = offset + BOX_HEAD_BYTES <= beginning.length;
    const head = near
      ? beginning.subarray(offset)
      : await readBytes(source, clip(source, offset, BOX_HEAD_BYTES), signal);
    const length = boxLength(head, source.size - offset);
    if (length === undefined) return undefined;
    if (head.toString('latin1', 4, 8) === 'moov') return { index: clip(source, offset, length), heads };
    heads.push(clip(source, offset, BOX_HEAD_BYTES));
    offset += length;
  }
  return undefined;
}

function boxLength(head: Buffer, left: number): number | undefined {
  if (head.length < 8 || !TOP_LEVEL.test(head.toString('latin1', 4, 8))) return undefined;
  const short = head.readUInt32BE(0);
  if (short === 0) return left;
  if (short !== 1) return short >= 8 ? short : undefined;
  if (head.length < BOX_HEAD_BYTES) return undefined;
  const long = Number(head.readBigUInt64BE(8));
  return long >= BOX_HEAD_BYTES ? long : undefined;
}

function clip(source: ContentSource, offset: number, length: number): ByteRange {
  return { offset, length: Math.min(length, source.size - offset) };
}

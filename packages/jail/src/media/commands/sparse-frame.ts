/**
 * One frame of an MP4 or QuickTime video without the rest: a sparse file of the true size that holds the heads of the boxes,
 * the index, a little of the beginning (engines read it to learn about the streams), and the samples from the key frame before
 * the point in time to a little after it.
 */
import { open } from 'node:fs/promises';
import type { ByteRange } from '@millpond/blobs';
import { type ContentSource, readBytes } from '@millpond/blobs';
import { MIB } from '@millpond/protocol';
import { findMovie } from '../../inspect/mp4.ts';
import { copyRange } from '../../inspect/probe-file.ts';
import { frameRanges } from '../mp4-samples.ts';

const MAX_INDEX_BYTES = 32 * MIB;
const BEGINNING_BYTES = 256 * 1024;
/** A hole smaller than this costs more to leave than to fill: each range is a request to the engine. */
const MIN_HOLE_BYTES = 64 * 1024;
/** Beyond this the whole video is read: its key frames are far apart. */
const MAX_FRAME_BYTES = 64 * MIB;

/** False: not such a video, or its index is of another kind. `file` must not exist. */
export async function materialiseFrame(
  source: ContentSource,
  file: string,
  seconds: number,
  signal: AbortSignal,
): Promise<boolean> {
  const found = await findMovie(source, signal);
  if (found === undefined || found.index.length > MAX_INDEX_BYTES) return false;
  const { index, heads } = found;
  const movie = await readBytes(source, index, signal);
  const needed = frameRanges(movie, seconds);
  if (needed === undefined) return false;
  const beginning = { offset: needed.first, length: BEGINNING_BYTES };
  const ranges = joined([...heads, beginning, ...needed.samples], source.size).flatMap((range) =>
    without(range, index),
  );
  if (ranges.reduce((sum, { length }) => sum + length, 0) > MAX_FRAME_BYTES) return false;
  const handle = await open(file, 'wx', 0o444);
  try {
    await handle.truncate(source.size);
    await handle.write(movie, 0, movie.length, index.offset);
    for (const range of ranges) await copyRange(source, range, handle, signal);
  } finally {
    await handle.close();
  }
  return true;
}

/** Sorted, within the file, close ones merged. */
export function joined(ranges: readonly ByteRange[], size: number): ByteRange[] {
  const result: { offset: number; length: number }[] = [];
  for (const { offset, length } of ranges.toSorted((one, other) => one.offset - other.offset)) {
    const end = Math.min(size, offset + length);
    if (end <= offset) continue;
    const last = result.at(-1);
    if (last !== undefined && offset <= last.offset + last.length + MIN_HOLE_BYTES)
      last.length = Math.max(last.length, end - last.offset);
    else result.push({ offset, length: end - offset });
  }
  return result;
}

/** What is left of a range without another one. */
export function without(range: ByteRange, other: ByteRange): ByteRange[] {
  const end = range.offset + range.length;
  const otherEnd = other.offset + other.length;
  const before = { offset: range.offset, length: Math.min(end, other.offset) - range.offset };
  const behind = { offset: Math.max(range.offset, otherEnd), length: end - Math.max(range.offset, otherEnd) };
  return [before, behind].filter(({ length }) => length > 0);
}

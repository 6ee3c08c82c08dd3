/**
 * Where in an MP4 file the samples lie that a decoder needs for one point in time, from the tables of its index. Pure; the
 * index is hostile: whatever it holds, the work is bounded by its size, and nothing is thrown.
 */
import type { ByteRange } from '@millpond/blobs';

/** What decoders hold back for reordering and read ahead. */
const SAMPLES_BEHIND = 24;
/** Engines search for a key frame a little before the requested point. */
const SECONDS_BEFORE = 0.2;
const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts']);

export interface FrameRanges {
  /** From the key frame to a little after the point in time. */
  readonly samples: readonly ByteRange[];
  /** Where the first sample of the video lies. */
  readonly first: number;
}

/** undefined: no video with tables of the common kind (a fragmented one, for example), or the time is beyond its end. */
export function frameRanges(movie: Buffer, seconds: number): FrameRanges | undefined {
  const track = videoTrack(boxesOf(movie));
  if (track === undefined) return undefined;
  const { timescale, times, keys, sizes, chunks } = track;
  const count = Math.min(times.length, sizes.length);
  const start = track.start;
  const target = lastAt(times, count, start + seconds * timescale);
  const from = lastAt(times, count, start + Math.max(0, seconds - SECONDS_BEFORE) * timescale);
  if (target < 0 || from < 0) return undefined;
  if (start + seconds * timescale > (times[count - 1] ?? 0) + timescale) return undefined;
  const key = keys === undefined ? from : (keys.findLast((sample) => sample <= from) ?? 0);
  const last = Math.min(count - 1, target + SAMPLES_BEHIND);
  const offsets = offsetsOf(chunks, sizes, count);
  if (offsets === undefined) return undefined;
  const samples: ByteRange[] = [];
  for (let sample = key; sample <= last; sample++)
    samples.push({ offset: offsets[sample] ?? 0, length: sizes[sample] ?? 0 });
  return { samples, first: offsets[0] ?? 0 };
}

function lastAt(times: Float64Array, count: number, time: number): number {
  let low = 0;
  let high = count - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= time) low = middle + 1;
    else high = middle - 1;
  }
  return high;
}

interface Box {
  readonly path: string;
  readonly body: Buffer;
}

/** All relevant boxes of the index, in order. */
function boxesOf(buffer: Buffer, parent = ''): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at + 8 <= buffer.length; ) {
    const length = buffer.readUInt32BE(at);
    const type = buffer.toString('latin1', at + 4, at + 8);
    if (length < 8 || at + length > buffer.length) break;
    const body = buffer.subarray(at + 8, at + length);
    const path = `${parent}/${type}`;
    boxes.push({ path, body });
    if (CONTAINERS.has(type)) boxes.push(...boxesOf(body, path));
    at += length;
  }
  return boxes;
}

interface Track {
  readonly timescale: number;
  /** The media time at which the video begins. */
  readonly start: number;
  /** Times of each sample, in decoding order. */
  readonly times: Float64Array;
  /** Samples that need no other; undefined: all of them. */
  readonly keys: readonly number[] | undefined;
  readonly sizes: Float64Array;
  readonly chunks: Chunks;
}

const MAX_SAMPLES = 20_000_000;

function videoTrack(boxes: readonly Box[]): Track | undefined {
  // A track's boxes follow its own, so the file splits into one list for each.
  const starts = boxes.flatMap(({ path }, index) => (path === '/moov/trak' ? [index] : []));
  for (const [order, from] of starts.entries()) {
    const own = new Map(boxes.slice(from, starts[order + 1]).map(({ path, body }) => [path.slice(10), body]));
    const get = (name: string): Buffer => own.get(name) ?? Buffer.alloc(0);
    if (get('/mdia/hdlr').toString('latin1', 8, 12) !== 'vide') continue;
    const timescale = timescaleOf(get('/mdia/mdhd'));
    const table = '/mdia/minf/stbl';
    const times = timesOf(get(`${table}/stts`));
    const sizes = sizesOf(get(`${table}/stsz`));
    const chunks = chunksOf(get(`${table}/stsc`), own.get(`${table}/stco`), own.get(`${table}/co64`));
    if (timescale === undefined || times === undefined || sizes === undefined || chunks === undefined)
      return undefined;
    const keys = own.has(`${table}/stss`)
      ? numbersOf(get(`${table}/stss`), 4).map((sample) => sample - 1)
      : undefined;
    return { timescale, start: startOf(get('/edts/elst')), times, keys, sizes, chunks };
  }
  return undefined;
}

function timescaleOf(header: Buffer): number | undefined {
  const at = header[0] === 1 ? 20 : 12;
  const timescale = header.length < at + 4 ? 0 : header.readUInt32BE(at);
  return timescale === 0 ? undefined : timescale;
}

/** The first edit that shows something. */
function startOf(edits: Buffer): number {
  const wide = edits[0] === 1;
  const entry = wide ? 20 : 12;
  const count = edits.length < 8 ? 0 : edits.readUInt32BE(4);
  for (let index = 0; index < count && 8 + (index + 1) * entry <= edits.length; index++) {
    const at = 8 + index * entry;
    const time = wide ? Number(edits.readBigInt64BE(at + 8)) : edits.readInt32BE(at + 4);
    if (time >= 0) return time;
  }
  return 0;
}

/** 32-bit numbers of a table, as many as it really contains. */
function numbersOf(table: Buffer, at: number): number[] {
  if (table.length < at + 4) return [];
  const count = Math.min(table.readUInt32BE(at), (table.length - at - 4) >> 2);
  return Array.from({ length: count }, (_, index) => table.readUInt32BE(at + 4 + 4 * index));
}

function timesOf(table: Buffer): Float64Array | undefined {
  if (table.length < 8) return undefined;
  const entries = Math.min(table.readUInt32BE(4), (table.length - 8) >> 3);
  let samples = 0;
  for (let entry = 0; entry < entries; entry++) samples += table.readUInt32BE(8 + 8 * entry);
  if (samples === 0 || samples > MAX_SAMPLES) return undefined;
  const times = new Float64Array(samples);
  let sample = 0;
  let time = 0;
  for (let entry = 0; entry < entries; entry++) {
    const step = table.readUInt32BE(12 + 8 * entry);
    for (let left = table.readUInt32BE(8 + 8 * entry); left > 0; left--) {
      times[sample++] = time;
      time += step;
    }
  }
  return times;
}

function sizesOf(table: Buffer): Float64Array | undefined {
  if (table.length < 12) return undefined;
  const same = table.readUInt32BE(4);
  const count = table.readUInt32BE(8);
  if (count === 0 || count > MAX_SAMPLES) return undefined;
  if (same !== 0) return new Float64Array(count).fill(same);
  if (table.length < 12 + 4 * count) return undefined;
  return Float64Array.from({ length: count }, (_, index) => table.readUInt32BE(12 + 4 * index));
}

interface Chunks {
  readonly offsets: readonly number[];
  /** From this chunk on, counted from 0, each chunk has this many samples. */
  readonly runs: readonly { readonly from: number; readonly samples: number }[];
}

function chunksOf(stsc: Buffer, stco: Buffer | undefined, co64: Buffer | undefined): Chunks | undefined {
  const offsets = stco === undefined ? wideOffsets(co64) : numbersOf(stco, 4);
  const count = stsc.length < 8 ? 0 : Math.min(stsc.readUInt32BE(4), Math.floor((stsc.length - 8) / 12));
  const runs = Array.from({ length: count }, (_, index) => ({
    from: stsc.readUInt32BE(8 + 12 * index) - 1,
    samples: stsc.readUInt32BE(12 + 12 * index),
  }));
  return offsets.length === 0 || runs.length === 0 ? undefined : { offsets, runs };
}

function wideOffsets(table: Buffer | undefined): number[] {
  if (table === undefined || table.length < 8) return [];
  const count = Math.min(table.readUInt32BE(4), (table.length - 8) >> 3);
  return Array.from({ length: count }, (_, index) => Number(table.readBigUInt64BE(8 + 8 * index)));
}

/** The offset of each sample; undefined if the tables contradict each other. */
function offsetsOf({ offsets, runs }: Chunks, sizes: Float64Array, count: number): Float64Array | undefined {
  const found = new Float64Array(count);
  let sample = 0;
  let run = 0;
  for (const [chunk, start] of offsets.entries()) {
    while ((runs[run + 1]?.from ?? Number.POSITIVE_INFINITY) <= chunk) run++;
    let offset = start;
    for (let left = runs[run]?.samples ?? 0; left > 0 && sample < count; left--) {
      found[sample] = offset;
      offset += sizes[sample++] ?? 0;
    }
  }
  return sample === count ? found : undefined;
}

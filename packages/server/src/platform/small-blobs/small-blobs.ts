/**
 * A blob store in which small blobs are bytes in the database or in a pack, and all others are blobs of the engine. Whoever
 * reads, copies or removes blobs by their ids need not know which they are.
 *
 * Small blobs are not written here: `openBody` says when bytes are one, and the statement that commits their object puts them
 * into the inbox.
 */
import {
  BlobCorruptError,
  type BlobId,
  BlobNotFoundError,
  type BlobSink,
  type BlobStore,
  BlobTooLargeError,
  type ByteRange,
  isSmallBlob,
  type PackLocation,
} from '@millpond/blobs';
import { BodyWriter, type BodyWriterOptions } from './body-writer.ts';
import { ByteCache } from './byte-cache.ts';
import { InboxSlot } from './inbox-slot.ts';
import type { SmallStore } from './small-blobs.store.ts';

export type OpenBodyWriter = (options: BodyWriterOptions) => BodyWriter;

/** A blob store that bytes of new objects can be given to. */
export interface ObjectBlobs extends BlobStore {
  readonly openBody: OpenBodyWriter;
}

/** For bytes that rows name before they are an object: all of them go to the engine. */
export function engineBodyWriters(blobs: Pick<BlobStore, 'openWriter'>): OpenBodyWriter {
  const deps = { blobs, smallBytes: 0, slot: () => undefined, onSmall: () => undefined };
  return (options) => new BodyWriter(deps, options);
}

export interface SmallBlobsOptions {
  /** Bodies up to this size are small blobs; 0: none is. */
  readonly smallBytes: number;
  readonly cacheBytes: number;
  readonly inboxBytes: number;
}

export type SmallStoreReads = Pick<SmallStore, 'find' | 'inbox' | 'remove'>;

/** Where reads found blobs of such a size, counted. */
export interface SmallReads {
  cache: number;
  inbox: number;
  pack: number;
  engine: number;
}

export interface SmallBlobs extends ObjectBlobs {
  readonly cache: Pick<ByteCache, 'bytes'>;
  readonly reads: Readonly<SmallReads>;
}

interface KnownPackLocation extends PackLocation {
  readonly size: number;
}

export function smallBlobs(
  engine: BlobStore,
  store: SmallStoreReads,
  { smallBytes, cacheBytes, inboxBytes }: SmallBlobsOptions,
): SmallBlobs {
  const cache = new ByteCache(cacheBytes);
  const gate = new InboxSlot({ ask: () => store.inbox(), maxBytes: inboxBytes });
  const reads: SmallReads = { cache: 0, inbox: 0, pack: 0, engine: 0 };

  function remembered(id: BlobId): Buffer | undefined {
    const known = cache.get(id);
    if (known !== undefined) reads.cache++;
    return known;
  }

  /** A blob of the engine that would be a small one today, like a thumbnail that is kept: worth its place in memory as well. */
  async function littleOf(id: BlobId, range: ByteRange, signal?: AbortSignal): Promise<Buffer> {
    const known = remembered(id);
    if (known !== undefined) return known;
    const bytes = await readRange(engine, id, range, signal);
    reads.engine++;
    cache.set(id, bytes);
    return bytes;
  }

  /** `hint`: where they were when their object's row was read. */
  async function bytesOf(id: BlobId, signal?: AbortSignal, hint?: KnownPackLocation): Promise<Buffer> {
    const known = remembered(id);
    if (known !== undefined) return known;
    const bytes = (hint && (await readPack(hint, signal))) ?? (await readWherever(id, signal));
    cache.set(id, bytes);
    return bytes;
  }

  /** Undefined if the pack is gone: it was rewritten, and the bytes are in another by now. */
  async function readPack(
    { pack, at, size }: KnownPackLocation,
    signal?: AbortSignal,
  ): Promise<Buffer | undefined> {
    try {
      const bytes = await readRange(engine, pack, { offset: at, length: size }, signal);
      reads.pack++;
      return bytes;
    } catch (error) {
      if (error instanceof BlobNotFoundError) return undefined;
      throw error;
    }
  }

  async function readWherever(id: BlobId, signal?: AbortSignal): Promise<Buffer> {
    for (let missed: BlobId | undefined; ; ) {
      const row = await store.find(id, signal);
      if (row?.bytes) {
        reads.inbox++;
        return row.bytes;
      }
      if (row?.pack_id == null || row.pack_id === missed) throw new BlobNotFoundError(id);
      missed = row.pack_id;
      const bytes = await readPack({ pack: missed, at: row.at ?? 0, size: row.size ?? 0 }, signal);
      if (bytes !== undefined) return bytes;
    }
  }

  const refuseSmall = (id: BlobId): void => {
    if (isSmallBlob(id)) throw new Error('a small blob is written by the commit of its object');
  };

  return {
    cache,
    reads,
    openBody: (options) =>
      new BodyWriter(
        {
          blobs: engine,
          smallBytes,
          slot: () => gate.slot(),
          onSmall: (id, bytes) => cache.set(id, bytes),
        },
        options,
      ),
    put(id, chunks, options) {
      refuseSmall(id);
      return engine.put(id, chunks, options);
    },
    openWriter(id, options) {
      refuseSmall(id);
      return engine.openWriter(id, options);
    },
    async read(id, range, sink, signal) {
      if (isSmallBlob(id)) writeRange(id, await bytesOf(id, signal, hintOf(range)), range, sink);
      else if (range.whole && range.length <= smallBytes)
        writeRange(id, await littleOf(id, range, signal), range, sink);
      else await engine.read(id, range, sink, signal);
    },
    async readAll(id, maxBytes, signal) {
      if (!isSmallBlob(id)) return engine.readAll(id, maxBytes, signal);
      const bytes = await bytesOf(id, signal);
      if (bytes.length > maxBytes) throw new BlobTooLargeError(id, maxBytes);
      return Uint8Array.from(bytes);
    },
    async stat(id, signal) {
      if (!isSmallBlob(id)) return engine.stat(id, signal);
      const row = await store.find(id, signal);
      const size = row?.bytes?.length ?? row?.size;
      return size == null ? undefined : { size, tier: 'STANDARD' };
    },
    async remove(ids, signal) {
      const small = ids.filter(isSmallBlob);
      if (small.length > 0) await store.remove(small);
      const others = small.length === 0 ? ids : ids.filter((id) => !isSmallBlob(id));
      if (others.length > 0) await engine.remove(others, signal);
    },
    async copy(from, to, options) {
      if (!isSmallBlob(from)) return engine.copy(from, to, options);
      await engine.put(to, [await bytesOf(from, options.signal)], options);
    },
    presign: (id, options) => (isSmallBlob(id) ? undefined : engine.presign(id, options)),
    listHours: (signal) => engine.listHours(signal),
    list: (hour, options) => engine.list(hour, options),
    abortStale: (olderThan, signal) => engine.abortStale(olderThan, signal),
    async ensureReady(signal) {
      await Promise.all([engine.ensureReady(signal), smallBytes > 0 ? gate.refresh() : undefined]);
    },
    ping: (signal) => engine.ping(signal),
    probeColdClass: (signal) => engine.probeColdClass(signal),
    close: () => engine.close(),
  };
}

/** A place is of use only with the size of what is there. */
function hintOf({ place, length, whole }: ByteRange): KnownPackLocation | undefined {
  return place && whole ? { ...place, size: length } : undefined;
}

function writeRange(id: BlobId, bytes: Buffer, { offset, length }: ByteRange, sink: BlobSink): void {
  if (offset + length > bytes.length)
    throw new BlobCorruptError(
      id,
      `it holds ${bytes.length} bytes, and ${length} from ${offset} were asked for`,
    );
  if (length > 0) sink.write(length === bytes.length ? bytes : bytes.subarray(offset, offset + length));
}

async function readRange(
  blobs: Pick<BlobStore, 'read'>,
  id: BlobId,
  range: ByteRange,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(range.length);
  let at = 0;
  const sink: BlobSink = {
    write(chunk) {
      bytes.set(chunk, at);
      at += chunk.length;
      return true;
    },
    once: () => undefined,
    writableLength: 0,
  };
  if (range.length > 0) await blobs.read(id, range, sink, signal);
  return bytes;
}

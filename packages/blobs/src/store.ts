/**
 * The one interface to bytes. A store keeps immutable blobs, each written once under a new id; it knows nothing of
 * buckets, keys or owners. Promises of every implementation:
 *
 * - a write that resolved is durable, and no reader ever sees a part of a blob;
 * - a write that failed, was aborted or was cancelled leaves no readable blob, except when the engine's answer was
 *   lost: then the whole blob may be there, and the sweep removes it, because no row names it;
 * - a read writes exactly the bytes asked for or rejects;
 * - cancelling a signal rejects with the signal's reason and ends the traffic to the engine.
 */
import type { BlobId } from './blob-id.ts';

/** STANDARD for data in use, COLD for data that is seldom read; the engine's configuration says where they lie. */
export type Tier = 'STANDARD' | 'COLD';

export interface WriteOptions {
  readonly tier: Tier;
  readonly signal?: AbortSignal | undefined;
}

export interface WriterOptions extends WriteOptions {
  /**
   * The caller gives the chunks away with their memory: it may be freed as soon as their bytes are stored, so none of them may
   * be read or written again. For bodies from the network; see part-buffer.ts.
   */
  readonly freeChunks?: boolean | undefined;
}

/** Where in a blob that holds many others one of them begins. */
export interface PackLocation {
  readonly pack: BlobId;
  readonly at: number;
}

export interface ByteRange {
  readonly offset: number;
  readonly length: number;
  /** Last known pack location of a small blob; a hint. */
  readonly place?: PackLocation | undefined;
  /** The range is the whole blob, which an engine may read faster. If it is not, the blob may count as damaged. */
  readonly whole?: boolean | undefined;
}

/**
 * Where read puts the bytes; an http.ServerResponse is one. After `write` returned false nothing more is written before
 * 'drain', and 'drain' means that what was written before may be overwritten. A sink that dies must cancel the read's signal:
 * nothing else tells the store.
 */
export interface BlobSink {
  write(chunk: Uint8Array): boolean;
  once(event: 'drain', listener: () => void): unknown;
  /**
   * How much of what was written is still held; 0 means, like 'drain', that all of it may be overwritten, also after the read.
   * Every Writable has it, but one that passes its chunks on (a PassThrough) must not be used as a sink. Without it each chunk
   * belongs to the sink until 'drain'; that costs a copy.
   */
  readonly writableLength?: number | undefined;
}

export interface BlobWriter {
  /**
   * Takes the next bytes. undefined: continue; a promise: wait for it before the next call. The chunk belongs to the writer
   * from here on and must not be changed. After a failure the promise rejects with it.
   */
  write(chunk: Uint8Array): Promise<void> | undefined;
  /** Makes the blob durable and readable. `md5`: of all bytes, if the caller has it; an engine that can compares it. */
  finish(md5?: Uint8Array): Promise<void>;
  /** Gives up and cleans up; harmless after finish or a failure. Never rejects. */
  abort(): Promise<void>;
}

export interface BlobStat {
  readonly size: number;
  readonly tier: Tier;
}

export interface BlobEntry {
  readonly id: BlobId;
  readonly size: number;
}

export interface ListOptions {
  /** Entries per page, at most 1000. */
  readonly pageSize?: number | undefined;
  /** Start after this id. */
  readonly after?: BlobId | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface PresignOptions {
  /** 1 to 604,800 (seven days). */
  readonly expiresSeconds: number;
  /**
   * Headers for the engine to answer with, lower-case names: any of content-type, content-disposition, content-encoding,
   * content-language, cache-control and expires.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Scheme, host and port under which the user of the URL reaches the engine, if not the store's own. */
  readonly origin?: string | undefined;
}

export interface BlobStore {
  /** Writes a body that is complete. */
  put(id: BlobId, chunks: readonly Uint8Array[], options: WriteOptions): Promise<void>;
  /** Opens a body of unknown length. */
  openWriter(id: BlobId, options: WriterOptions): BlobWriter;
  /** Writes these bytes into the sink and leaves it open. Rejects with BlobNotFoundError before the first byte. */
  read(id: BlobId, range: ByteRange, sink: BlobSink, signal?: AbortSignal): Promise<void>;
  /** The whole blob in memory; BlobTooLargeError if it holds more than maxBytes. */
  readAll(id: BlobId, maxBytes: number, signal?: AbortSignal): Promise<Uint8Array>;
  stat(id: BlobId, signal?: AbortSignal): Promise<BlobStat | undefined>;
  /** Removes those of the blobs that exist; missing ones are no fault. */
  remove(ids: readonly BlobId[], signal?: AbortSignal): Promise<void>;
  /** Copies to a new id, into the given tier; rejects with BlobNotFoundError if there is nothing to copy. */
  copy(from: BlobId, to: BlobId, options: WriteOptions): Promise<void>;
  /** A URL at which the engine itself serves the blob to anyone who has it, or undefined if the store offers none. */
  presign(id: BlobId, options: PresignOptions): string | undefined;
  /** The hours that hold blobs, ascending. */
  listHours(signal?: AbortSignal): Promise<string[]>;
  /** All blobs of an hour by ascending id, in pages. Names that are not ours are skipped. */
  list(hour: string, options?: ListOptions): AsyncIterable<readonly BlobEntry[]>;
  /** Ends unfinished writes begun before this time (their writers fail) and returns how many there were. */
  abortStale(olderThan: Date, signal?: AbortSignal): Promise<number>;
  /** Creates what the store needs (engine bucket, folders); safe to repeat and to run in many processes. */
  ensureReady(signal?: AbortSignal): Promise<void>;
  /** Resolves if the engine answers now; tries once. */
  ping(signal?: AbortSignal): Promise<void>;
  /**
   * Why bytes cannot be put into the tier COLD, in words for an operator, or undefined if they can. Tries it once with a byte
   * that is removed again; rejects if the engine does not answer.
   */
  probeColdClass(signal?: AbortSignal): Promise<string | undefined>;
  /** Frees connections and files; lets calls under way finish. */
  close(): Promise<void>;
}

/** What a command reads: the task's own source as it was pinned, and further ones that its URLs name. */
import { isIP } from 'node:net';
import { type BlobStore, readSegments } from '../../platform/blobs/index.ts';
import { type MediaSource, ProcessingFailed } from '../../platform/media/index.ts';
import { type Outbound, OutboundFault } from '../../platform/outbound/index.ts';
import type { Bucket, Buckets } from '../buckets/index.ts';
import { type ObjectRow, type Objects, refuseUnrestored } from '../objects/index.ts';
import type { TaskRow } from './task.ts';

/** The object that a URL of one of our download hosts names; undefined for any other URL. */
export type LocateObject = (url: URL) => { readonly bucket: string; readonly key: string } | undefined;

/** Pictures and subtitles from elsewhere; what is larger belongs into a bucket first. */
const MOST_FOREIGN_BYTES = 20 * 1024 * 1024;
const LIMITS = {
  connectMs: 5_000,
  headersMs: 10_000,
  idleMs: 10_000,
  totalMs: 60_000,
  maxHeaderBytes: 16 * 1024,
  maxBodyBytes: MOST_FOREIGN_BYTES,
};

export interface SourceParts {
  readonly objects: Objects;
  readonly buckets: Buckets;
  readonly blobs: BlobStore;
  readonly outbound: Outbound;
  readonly locate: LocateObject;
}

type PinnedBlob = Pick<ObjectRow, 'blob_id' | 'segment_count' | 'fsize'>;

export class Sources {
  readonly #parts: SourceParts;

  constructor(parts: SourceParts) {
    this.#parts = parts;
  }

  async pinned(task: TaskRow, signal: AbortSignal): Promise<MediaSource> {
    return this.#content(task, signal);
  }

  /** An object of the same account, or a small file from anywhere else. */
  async further(task: TaskRow, text: string, signal: AbortSignal): Promise<MediaSource> {
    const url = URL.parse(text);
    if (url === null) throw new ProcessingFailed('source', 'a source is no URL');
    const place = await this.#placeOf(url);
    if (place === undefined) return this.#foreign(text, signal);
    const row =
      place.bucket?.uid === task.uid
        ? await this.#parts.objects.find(place.bucket, place.key, signal)
        : undefined;
    if (row === undefined)
      throw new ProcessingFailed('source', `there is no object of yours at ${shown(url)}`);
    refuseUnrestored(row);
    return this.#content(row, signal);
  }

  async #placeOf(url: URL): Promise<{ bucket: Bucket | undefined; key: string } | undefined> {
    const { buckets, locate } = this.#parts;
    const place = locate(url);
    if (place !== undefined) return { bucket: await buckets.byName(place.bucket), key: place.key };
    const bucket = isIP(url.hostname) === 0 ? await buckets.byDomain(url.hostname) : undefined;
    return bucket && { bucket, key: decodeURIComponent(url.pathname.slice(1)) };
  }

  async #content(blob: PinnedBlob, signal: AbortSignal): Promise<MediaSource> {
    const { objects, blobs } = this.#parts;
    const rows = await objects.segments(blob, signal);
    const segments = rows.map(({ segment_id, size }) => ({ id: segment_id, size: Number(size) }));
    return {
      size: Number(blob.fsize),
      read: (range, sink, either) => readSegments(blobs, segments, range, sink, either),
    };
  }

  async #foreign(url: string, signal: AbortSignal): Promise<MediaSource> {
    try {
      const { status, body } = await this.#parts.outbound.send({
        url,
        method: 'GET',
        limits: LIMITS,
        redirects: 3,
        acceptUnsized: false,
        signal,
      });
      if (status !== 200) throw new ProcessingFailed('source', `a source answered ${status}`);
      return {
        size: body.length,
        async read({ offset, length }, sink) {
          sink.write(body.subarray(offset, offset + length));
        },
      };
    } catch (error) {
      if (!(error instanceof OutboundFault) || signal.aborted) throw error;
      throw new ProcessingFailed('source', `a source can not be fetched: ${error.detail}`);
    }
  }
}

/** Without its query, which may hold a token. */
function shown({ origin, pathname }: URL): string {
  return `${origin}${pathname}`.slice(0, 200);
}

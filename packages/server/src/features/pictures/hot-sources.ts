/** Sources that were read a moment ago, in memory: a page asks for several sizes of one picture. */
import type { BlobId } from '../../platform/blobs/index.ts';
import { readBytes } from '../../platform/content-source.ts';
import { type MediaSource, sourceOfBytes } from '../../platform/media/index.ts';

const MEBIBYTE = 1024 * 1024;

export class HotSources {
  readonly #mostBytes: number;
  readonly #sources = new Map<BlobId, MediaSource>();
  #bytes = 0;

  constructor(mostBytes = 64 * MEBIBYTE) {
    this.#mostBytes = mostBytes;
  }

  /** Blobs never change, so that what was read of one holds as long as it is remembered. */
  async get(blobId: BlobId, open: () => Promise<MediaSource>, signal: AbortSignal): Promise<MediaSource> {
    const known = this.#sources.get(blobId);
    if (known !== undefined) return this.#remember(blobId, known);
    const source = await open();
    // Eight at least have room; a film, of which only parts may be read, is none of them.
    if (source.size > this.#mostBytes / 8) return source;
    const bytes = await readBytes(source, { offset: 0, length: source.size }, signal);
    return this.#remember(blobId, sourceOfBytes(bytes));
  }

  #remember(blobId: BlobId, source: MediaSource): MediaSource {
    this.#forget(blobId);
    this.#sources.set(blobId, source);
    this.#bytes += source.size;
    for (const oldest of this.#sources.keys()) {
      if (this.#bytes <= this.#mostBytes) break;
      this.#forget(oldest);
    }
    return source;
  }

  #forget(blobId: BlobId): void {
    this.#bytes -= this.#sources.get(blobId)?.size ?? 0;
    this.#sources.delete(blobId);
  }
}

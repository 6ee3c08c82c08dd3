/**
 * Recently read sources, in memory: a page asks for several sizes of one image. They are stored in slabs that are
 * reused. When whole images were allocated and left to the garbage collector, it marked the entire heap for every fifth
 * thumbnail.
 */
import type { BlobId, BlobSink } from '@millpond/blobs';
import type { MediaSource } from '@millpond/jail';
import { MIB } from '@millpond/protocol';

const SLAB_BYTES = MIB / 2;
/** Slabs kept for the next sources. */
const MAX_SPARE = 16;

/** A source in use. */
export interface SourceHandle {
  readonly source: MediaSource;
  /**
   * Must be called once. `isRead`: nothing reads from it any more; after a failure something may, so its memory is not
   * reused.
   */
  end(isRead: boolean): void;
}

interface CachedSource {
  readonly source: MediaSource;
  readonly slabs: readonly Buffer[];
  users: number;
  isRemembered: boolean;
  mayBeReused: boolean;
}

export class HotSources {
  readonly #mostBytes: number;
  readonly #remembered = new Map<BlobId, CachedSource>();
  readonly #spare: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes = 32 * MIB) {
    this.#mostBytes = maxBytes;
  }

  /** Blobs never change, so what was read of one stays valid as long as it is remembered. */
  async use(blobId: BlobId, open: () => Promise<MediaSource>, signal: AbortSignal): Promise<SourceHandle> {
    const known = this.#remembered.get(blobId);
    if (known !== undefined) return this.#lease(blobId, known);
    const source = await open();
    // There is room for at least four. This excludes videos, of which only parts may be read.
    if (source.size > this.#mostBytes / 4) return { source, end: () => undefined };
    const slabs = await this.#read(source, signal);
    return this.#lease(blobId, {
      source: sourceOfSlabs(slabs, source.size),
      slabs,
      users: 0,
      isRemembered: false,
      mayBeReused: true,
    });
  }

  async #read(source: MediaSource, signal: AbortSignal): Promise<Buffer[]> {
    const slabs: Buffer[] = [];
    let at = 0;
    const sink: BlobSink = {
      write: (chunk) => {
        for (let taken = 0; taken < chunk.length; ) {
          const within = at % SLAB_BYTES;
          if (within === 0) slabs.push(this.#spare.pop() ?? Buffer.allocUnsafeSlow(SLAB_BYTES));
          const part = chunk.subarray(taken, taken + SLAB_BYTES - within);
          slabs.at(-1)?.set(part, within);
          taken += part.length;
          at += part.length;
        }
        return true;
      },
      once: () => undefined,
      writableLength: 0,
    };
    await source.read({ offset: 0, length: source.size }, sink, signal);
    if (at !== source.size) throw new Error('the source returned less than its size');
    return slabs;
  }

  #lease(blobId: BlobId, cachedSource: CachedSource): SourceHandle {
    cachedSource.users += 1;
    this.#remember(blobId, cachedSource);
    return {
      source: cachedSource.source,
      end: (isRead) => {
        cachedSource.users -= 1;
        cachedSource.mayBeReused &&= isRead;
        this.#reuse(cachedSource);
      },
    };
  }

  /** As the most recently used. */
  #remember(blobId: BlobId, cachedSource: CachedSource): void {
    this.#forget(blobId);
    this.#remembered.set(blobId, cachedSource);
    cachedSource.isRemembered = true;
    this.#bytes += cachedSource.source.size;
    for (const oldest of this.#remembered.keys()) {
      if (this.#bytes <= this.#mostBytes) break;
      this.#forget(oldest);
    }
  }

  #forget(blobId: BlobId): void {
    const cachedSource = this.#remembered.get(blobId);
    if (cachedSource === undefined) return;
    this.#remembered.delete(blobId);
    this.#bytes -= cachedSource.source.size;
    cachedSource.isRemembered = false;
    this.#reuse(cachedSource);
  }

  #reuse({ slabs, users, isRemembered, mayBeReused }: CachedSource): void {
    if (users > 0 || isRemembered || !mayBeReused) return;
    this.#spare.push(...slabs.slice(0, MAX_SPARE - this.#spare.length));
  }
}

function sourceOfSlabs(slabs: readonly Buffer[], size: number): MediaSource {
  return {
    size,
    inMemory: true,
    async read({ offset, length }, sink) {
      for (let at = offset; at < offset + length; ) {
        const within = at % SLAB_BYTES;
        const end = Math.min(SLAB_BYTES, within + offset + length - at);
        const part = slabs[Math.floor(at / SLAB_BYTES)]?.subarray(within, end) ?? Buffer.alloc(0);
        sink.write(part);
        at += end - within;
      }
    },
  };
}

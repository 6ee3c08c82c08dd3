/**
 * The bytes of one object on their way in. While they may still be a small blob they are held in memory; as soon as they are
 * too many they stream into the engine, like any others.
 */
import {
  type BlobId,
  type BlobStore,
  type BlobWriter,
  newBlobId,
  newSmallBlobId,
  type WriterOptions,
} from '@millpond/blobs';

export interface BodyWriterOptions extends WriterOptions {
  /** How many bytes will come, if that is known. */
  readonly expectedBytes?: number | undefined;
}

/** Which blob an object's bytes are. */
export interface StoredBody {
  readonly blobId: BlobId;
  /** The bytes of a small blob: nothing has stored them yet, they are to be committed with the row that names them. */
  readonly inline?: Buffer | undefined;
}

export interface BodyWriterDeps {
  readonly blobs: Pick<BlobStore, 'openWriter'>;
  /** 0: no blob is small. */
  readonly smallBytes: number;
  readonly slot: () => number | undefined;
  readonly onSmall: (id: BlobId, bytes: Buffer) => void;
}

export class BodyWriter {
  readonly #deps: BodyWriterDeps;
  readonly #options: BodyWriterOptions;
  #held: Uint8Array[] | undefined = [];
  #heldBytes = 0;
  #blobId: BlobId | undefined;
  #writer: BlobWriter | undefined;
  #ended: StoredBody | undefined;

  constructor(deps: BodyWriterDeps, options: BodyWriterOptions) {
    this.#deps = deps;
    this.#options = options;
    const { smallBytes } = deps;
    if (smallBytes === 0 || options.tier !== 'STANDARD' || (options.expectedBytes ?? 0) > smallBytes)
      this.#open();
  }

  /** As a BlobWriter's. */
  write(chunk: Uint8Array): Promise<void> | undefined {
    if (this.#held === undefined) return this.#writer?.write(chunk);
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    return this.#heldBytes <= this.#deps.smallBytes ? undefined : this.#passOn();
  }

  /** No more bytes come: says which blob they are. */
  end(): StoredBody {
    this.#ended ??= this.#asSmall() ?? { blobId: this.#open() };
    return this.#ended;
  }

  /** The bytes are durable when this resolves, except those that are to be committed. */
  async finish(md5?: Uint8Array): Promise<StoredBody> {
    const body = this.end();
    if (body.inline !== undefined) return body;
    await this.#passOn();
    await this.#writer?.finish(md5);
    return body;
  }

  /** Harmless after `finish` or a failure. Never rejects. */
  async abort(): Promise<void> {
    this.#held = undefined;
    await this.#writer?.abort();
  }

  #open(): BlobId {
    if (this.#blobId !== undefined) return this.#blobId;
    const { expectedBytes: _, ...options } = this.#options;
    this.#blobId = newBlobId();
    this.#writer = this.#deps.blobs.openWriter(this.#blobId, options);
    if (this.#heldBytes === 0) this.#held = undefined;
    return this.#blobId;
  }

  /** Gives what is held to the engine. */
  #passOn(): Promise<void> | undefined {
    const held = this.#held ?? [];
    this.#open();
    this.#held = undefined;
    let waiting: Promise<void> | undefined;
    for (const chunk of held)
      waiting =
        waiting === undefined ? this.#writer?.write(chunk) : waiting.then(() => this.#writer?.write(chunk));
    return waiting;
  }

  #asSmall(): StoredBody | undefined {
    if (this.#held === undefined) return undefined;
    const slot = this.#deps.slot();
    if (slot === undefined) return undefined;
    const blobId = newSmallBlobId(slot);
    // Their own memory: a slice would keep a whole packet of the network for as long.
    const inline = Buffer.allocUnsafeSlow(this.#heldBytes);
    let at = 0;
    for (const chunk of this.#held) {
      inline.set(chunk, at);
      at += chunk.length;
    }
    this.#held = undefined;
    this.#deps.onSmall(blobId, inline);
    return { blobId, inline };
  }
}

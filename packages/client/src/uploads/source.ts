/** Content that can be read in pieces, and read again: what a resumable upload takes. */
export interface Source {
  readonly size: number;
  /** Bytes from `start` up to `end`, exclusive. */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * The same content has the same identity after a crash or reload, other content hardly ever: it finds an upload that
   * was begun. What was sent is compared again by its hash. Undefined: nothing to resume by.
   */
  readonly identity?: string | undefined;
  readonly fileName?: string | undefined;
  readonly mimeType?: string | undefined;
  close?(): Promise<void>;
}

/** What `upload` takes as content. */
export type Content = Source | Blob | Uint8Array | string;

interface NamedBlob extends Blob {
  readonly name?: string;
  readonly lastModified?: number;
}

export function sourceOf(content: Content): Source {
  if (typeof content === 'string') return bytesSource(new TextEncoder().encode(content));
  if (content instanceof Uint8Array) return bytesSource(content);
  return content instanceof Blob ? blobSource(content) : content;
}

export function bytesSource(bytes: Uint8Array): Source {
  const own =
    bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
  return { size: own.length, read: async (start, end) => own.subarray(start, end) };
}

/** A `File` of a form is resumed by its name, size and time; a bare `Blob` is not. */
export function blobSource(blob: NamedBlob): Source {
  const { name, lastModified, size, type } = blob;
  return {
    size,
    read: async (start, end) => new Uint8Array(await blob.slice(start, end).arrayBuffer()),
    identity: name === undefined ? undefined : `${name}\n${size}\n${lastModified ?? 0}`,
    fileName: name,
    mimeType: type === '' ? undefined : type,
  };
}

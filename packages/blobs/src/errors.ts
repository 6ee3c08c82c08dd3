/**
 * What a blob store rejects with, besides the reason of a cancelled signal. Messages and details are for logs: they
 * name the operation, the engine's code and sizes, never a key, a signature or a presigned URL.
 */
import type { BlobId } from './blob-id.ts';

/** The store answered, and holds no such blob. */
export class BlobNotFoundError extends Error {
  override readonly name = 'BlobNotFoundError';
  readonly id: BlobId;

  constructor(id: BlobId) {
    super(`blob ${id} is not in the store`);
    this.id = id;
  }
}

/** The blob is there but does not hold the bytes that were asked for: the record and the engine disagree. */
export class BlobCorruptError extends Error {
  override readonly name = 'BlobCorruptError';
  readonly id: BlobId;

  constructor(id: BlobId, detail: string) {
    super(`blob ${id} is damaged: ${detail}`);
    this.id = id;
  }
}

/** readAll met a blob larger than its caller allows. */
export class BlobTooLargeError extends Error {
  override readonly name = 'BlobTooLargeError';
  readonly id: BlobId;

  constructor(id: BlobId, maxBytes: number) {
    super(`blob ${id} is larger than ${maxBytes} bytes`);
    this.id = id;
  }
}

/**
 * The store could not do its work. `retryable`: the same call may succeed later (time-outs, lost connections, an
 * overloaded engine); otherwise somebody has to act first (disk full, wrong credentials, a bug).
 */
export class BlobStoreUnavailableError extends Error {
  override readonly name = 'BlobStoreUnavailableError';
  readonly retryable: boolean;
  /** What happened, in a few words that are stable enough to count in logs. */
  readonly detail: string;

  constructor(detail: string, options: { retryable: boolean; cause?: unknown }) {
    super(`blob store: ${detail}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.retryable = options.retryable;
    this.detail = detail;
  }
}

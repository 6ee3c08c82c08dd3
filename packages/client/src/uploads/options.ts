/** The options of an upload, the progress it reports, and its result. */
import type { ResponseHeaders } from '@millpond/protocol';
import type { RetryOptions } from '../core/retry.ts';
import type { Journal } from './journal.ts';

/** Bytes that the server has; `sent` counts those of this call, the rest was there before. */
export interface UploadProgress {
  readonly done: number;
  readonly total: number | undefined;
  readonly sent: number;
}

export interface UploadOptions {
  /** Made by your server, or (with the keys) by `client.uploadToken`. A function is called for each request. */
  readonly token: string | (() => string | Promise<string>);
  /** Without one, the policy or the content's hash names the object. */
  readonly key?: string | undefined;
  /** `$(fname)`; default: the source's own name. */
  readonly fileName?: string | undefined;
  readonly mimeType?: string | undefined;
  /** `$(x:<name>)`, without the `x:`. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Stored with the object; names without their prefix. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Headers for downloads of the object: `{ 'Cache-Control': 'max-age=3600' }`. The policy overrides those that it names. */
  readonly responseHeaders?: ResponseHeaders | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Gets the id of an upload in parts, also of one that is resumed, as soon as it is known: `giveUp` takes it. Forms
   * have none.
   */
  readonly onBegin?: ((uploadId: string) => void) | undefined;
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** Content up to this size is sent as a form, larger content in parts. Default 4 MiB, and at most that. */
  readonly formLimit?: number | undefined;
  /** Default 4 MiB, or as much as 10,000 parts need. Other sizes give the object another kind of hash. */
  readonly partSize?: number | undefined;
  /** Concurrent parts; default 4. */
  readonly concurrency?: number | undefined;
  /** Default: that of the uploader. `null`: none. */
  readonly journal?: Journal | null | undefined;
  /** Called if an answer was lost: whether the object exists with this hash. */
  readonly confirm?: ((hash: string) => Promise<boolean>) | undefined;
  readonly retry?: RetryOptions | undefined;
}

export interface UploadResult {
  /** The content's hash, as computed here. */
  readonly hash: string;
  /** The object's name as given by the server, if its answer says so. */
  readonly key: string | undefined;
  /** The whole answer: from the policy's returnBody, or from the callback's receiver. */
  readonly answer: unknown;
  readonly way: 'form' | 'multipart';
  readonly size: number;
  /** Bytes that this call sent; less than `size` if an upload was resumed. */
  readonly sent: number;
  readonly reqid: string;
}

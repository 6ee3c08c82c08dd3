/** What an upload may be told, what it tells meanwhile, and what comes of it. */
import type { ResponseHeaders } from '@millpond/protocol';
import type { RetryOptions } from '../core/retry.ts';
import type { Journal } from './journal.ts';

/** Bytes that the server has; `sent` counts those of this call, the rest was there from before. */
export interface UploadProgress {
  readonly done: number;
  readonly total: number | undefined;
  readonly sent: number;
}

export interface UploadOptions {
  /** Made by your server, or (with the keys) by `client.uploadToken`. A function is asked for each request. */
  readonly token: string | (() => string | Promise<string>);
  /** Without one the policy or the content's hash names the object. */
  readonly key?: string | undefined;
  /** `$(fname)`; default: the source's own. */
  readonly fileName?: string | undefined;
  readonly mimeType?: string | undefined;
  /** `$(x:<name>)`, without the `x:`. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Kept with the object; names without their prefix. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** What downloads of the object say: `{ 'Cache-Control': 'max-age=3600' }`. Those that the policy names are as it says. */
  readonly responseHeaders?: ResponseHeaders | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The name of an upload in parts, also of one that goes on, as soon as it is known: `giveUp` takes it. Forms have none. */
  readonly onBegin?: ((uploadId: string) => void) | undefined;
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** Up to this size a form is sent, above it parts. Default 4 MiB, and at most that. */
  readonly formLimit?: number | undefined;
  /** Default 4 MiB, or as much as 10,000 parts need. Other sizes give the object another kind of hash. */
  readonly partSize?: number | undefined;
  /** Parts at a time; default 4. */
  readonly concurrency?: number | undefined;
  /** Default: that of the uploader. `null`: none. */
  readonly journal?: Journal | null | undefined;
  /** Asked where an answer was lost: whether the object is there with this hash. */
  readonly confirm?: ((hash: string) => Promise<boolean>) | undefined;
  readonly retry?: RetryOptions | undefined;
}

export interface UploadResult {
  /** The content's hash, as computed here. */
  readonly hash: string;
  /** As the server named the object, where its answer says so. */
  readonly key: string | undefined;
  /** The whole answer: of the policy's returnBody, or of the callback's receiver. */
  readonly answer: unknown;
  readonly way: 'form' | 'multipart';
  readonly size: number;
  /** Bytes that this call sent; less than `size` where an upload was resumed. */
  readonly sent: number;
  readonly reqid: string;
}

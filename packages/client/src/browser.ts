/**
 * For applications in a browser: uploads with a token, and downloads. Nothing here imports Node, and nothing here can
 * sign: access keys stay on a server.
 */
import type { dialects } from '@millpond/protocol';
import { type Digests, webDigests } from './core/digests.ts';
import { fetchTransport } from './core/fetch-transport.ts';
import type { Transport } from './core/transport.ts';
import { type Download, type DownloadOptions, download as downloadBy } from './downloads/download.ts';
import type { Journal } from './uploads/journal.ts';
import { Uploader } from './uploads/uploader.ts';

export type { ResponseHeaderName, ResponseHeaders } from '@millpond/protocol';
export type { Digests } from './core/digests.ts';
export { type ErrorCode, type ErrorFacts, MillpondError } from './core/error.ts';
export { type FetchTransportOptions, fetchTransport } from './core/fetch-transport.ts';
export type { RetryOptions } from './core/retry.ts';
export type { RequestBody, Transport, TransportRequest, TransportResponse } from './core/transport.ts';
export type { Download, DownloadOptions } from './downloads/download.ts';
export {
  type Journal,
  type KeyValueStorage,
  memoryJournal,
  storageJournal,
  type UnfinishedUpload,
} from './uploads/journal.ts';
export type { UploadOptions, UploadProgress, UploadResult } from './uploads/options.ts';
export { blobSource, bytesSource, type Content, type Source } from './uploads/source.ts';
export { Uploader, type UploaderOptions } from './uploads/uploader.ts';

export interface BrowserUploaderOptions {
  /** Address of the upload host: `https://up.example.com`. */
  readonly url: string;
  /** `storageJournal(localStorage)` lets uploads continue after a reload. */
  readonly journal?: Journal;
  readonly dialect?: keyof typeof dialects;
  readonly transport?: Transport;
  readonly digests?: Digests;
}

export function createUploader(options: BrowserUploaderOptions): Uploader {
  return new Uploader({ transport: fetchTransport(), digests: webDigests, ...options });
}

/** The URL is public, or was signed by your server. */
export function download(url: string | (() => string), options: DownloadOptions = {}): Promise<Download> {
  return downloadBy({ transport: fetchTransport(), digests: webDigests }, url, options);
}

/**
 * For applications that use Millpond, in Node: uploads and downloads with tokens, and the verifiers for receivers. Browsers get
 * `browser.ts` under the same name; what needs access keys is in `@millpond/client/server`.
 */
import { type BrowserUploaderOptions, createUploader as createInBrowser, type Uploader } from './browser.ts';
import { type Download, type DownloadOptions, download as downloadBy } from './downloads/download.ts';
import { nodeDigests } from './node/digests.ts';
import { nodeTransport } from './node/transport.ts';

export {
  type BrowserUploaderOptions,
  blobSource,
  bytesSource,
  type Content,
  type Digests,
  type Download,
  type DownloadOptions,
  type ErrorCode,
  type ErrorFacts,
  type FetchTransportOptions,
  fetchTransport,
  type Journal,
  type KeyValueStorage,
  MillpondError,
  memoryJournal,
  type RequestBody,
  type ResponseHeaderName,
  type ResponseHeaders,
  type RetryOptions,
  type Source,
  storageJournal,
  type Transport,
  type TransportRequest,
  type TransportResponse,
  type UnfinishedUpload,
  Uploader,
  type UploaderOptions,
  type UploadOptions,
  type UploadProgress,
  type UploadResult,
} from './browser.ts';
export { forwardedHeaders, type ReceivedRequest } from './forwarded.ts';
export type { DownloadedFile, DownloadFileOptions, DownloadProgress } from './node/download-file.ts';
export { fileJournal } from './node/file-journal.ts';
export { fileSource } from './node/file-source.ts';
export { hashing as nodeHashing } from './node/hashing.ts';
export { type NodeTransportOptions, nodeTransport } from './node/transport.ts';
export {
  type VerifyOptions,
  type VerifyResult,
  verifyCallbackRequest,
  verifyEventRequest,
  verifyRequest,
  verifyWebhookRequest,
} from './verify.ts';

const shared = { transport: nodeTransport(), digests: nodeDigests };

export function createUploader(options: BrowserUploaderOptions): Uploader {
  return createInBrowser({ ...shared, ...options });
}

/** The URL is public, or was signed with an access key. */
export function download(url: string | (() => string), options: DownloadOptions = {}): Promise<Download> {
  return downloadBy(shared, url, options);
}

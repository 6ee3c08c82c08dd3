/** Uploads with a token: a form for small content, parts for the rest; a stream for content of unknown length. */
import { BLOCK_SIZE, type dialects } from '@millpond/protocol';
import type { Digests } from '../core/digests.ts';
import type { Transport } from '../core/transport.ts';
import { uploadForm } from './form-upload.ts';
import type { Journal } from './journal.ts';
import { uploadParts } from './multipart-upload.ts';
import type { UploadOptions, UploadResult } from './options.ts';
import { PartCalls } from './part-calls.ts';
import { type Content, sourceOf } from './source.ts';
import { uploadStream } from './stream-upload.ts';
import type { UploadParts } from './upload-request.ts';

export interface UploaderOptions {
  /** Address of the upload host: `https://up.example.com`. */
  readonly url: string;
  readonly transport: Transport;
  readonly digests: Digests;
  /** Where uploads in parts are remembered; without one they are not resumed. */
  readonly journal?: Journal | undefined;
  /** Default: `svc`. */
  readonly dialect?: keyof typeof dialects | undefined;
}

export class Uploader {
  readonly #parts: UploadParts;

  constructor({ url, dialect = 'svc', ...rest }: UploaderOptions) {
    this.#parts = { url: url.replace(/\/+$/, ''), dialect, ...rest };
  }

  /** Resolves when the object is durable and visible to everybody. */
  async upload(content: Content, options: UploadOptions): Promise<UploadResult> {
    const source = sourceOf(content);
    const filled = {
      ...options,
      fileName: options.fileName ?? source.fileName,
      mimeType: options.mimeType ?? source.mimeType,
    };
    if (source.size > Math.min(options.formLimit ?? BLOCK_SIZE, BLOCK_SIZE))
      return uploadParts(this.#parts, source, filled);
    return uploadForm(this.#parts, await source.read(0, source.size), filled);
  }

  uploadStream(content: AsyncIterable<Uint8Array>, options: UploadOptions): Promise<UploadResult> {
    return uploadStream(this.#parts, content, options);
  }

  /** Abandons an upload that was begun and not completed; its parts are not kept. */
  async giveUp(uploadId: string, options: Pick<UploadOptions, 'token' | 'key' | 'signal'>): Promise<void> {
    await (await PartCalls.for(this.#parts, options)).giveUp(uploadId);
  }
}

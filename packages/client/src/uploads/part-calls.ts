/** The calls of an upload in parts: begin, put a part, list, complete, abandon. Each is retried where that may help. */
import { UPLOAD_SCHEME } from '@millpond/protocol';
import { etagOfBytes } from '../core/digests.ts';
import { MillpondError } from '../core/error.ts';
import { withRetries } from '../core/retry.ts';
import type { UnfinishedUpload } from './journal.ts';
import type { UploadOptions } from './options.ts';
import {
  bucketOfToken,
  type Exchange,
  type Exchanged,
  encodedKey,
  exchange,
  metadataFields,
  tokenOf,
  type UploadParts,
  variableFields,
} from './upload-request.ts';

export interface SentPart {
  readonly partNumber: number;
  readonly etag: string;
  readonly size: number;
}

type PartCall = Omit<Exchange, 'token' | 'signal'>;

export class PartCalls {
  readonly #parts: UploadParts;
  readonly #options: UploadOptions;
  readonly #path: string;

  private constructor(parts: UploadParts, options: UploadOptions, path: string) {
    this.#parts = parts;
    this.#options = options;
    this.#path = path;
  }

  static async for(parts: UploadParts, options: UploadOptions): Promise<PartCalls> {
    const bucket = bucketOfToken(await tokenOf(options));
    return new PartCalls(
      parts,
      options,
      `/buckets/${encodeURIComponent(bucket)}/objects/${encodedKey(options.key)}/uploads`,
    );
  }

  /** Identifies the object that is uploaded to. */
  get path(): string {
    return this.#path;
  }

  async begin(partSize: number): Promise<UnfinishedUpload> {
    // Beginning twice only leaves an upload that expires by itself.
    const { body } = await this.#call({ method: 'POST', path: this.#path });
    const { uploadId, expireAt } = body as { uploadId: string; expireAt: number };
    return { uploadId, expireAt, partSize };
  }

  /** The part's hash is computed here and checked against the answer. */
  async put(
    uploadId: string,
    partNumber: number,
    bytes: Uint8Array<ArrayBuffer>,
    etag: string,
  ): Promise<void> {
    await this.#call(
      {
        method: 'PUT',
        path: `${this.#path}/${encodeURIComponent(uploadId)}/${partNumber}`,
        headers: { 'content-type': 'application/octet-stream' },
        body: [bytes],
      },
      ({ body, reqid }) => {
        if (body.etag !== etag)
          throw new MillpondError('integrity', `part ${partNumber} arrived with different bytes`, { reqid });
      },
    );
  }

  /** All parts that the server has of an upload; undefined if it does not know the upload. */
  async list(uploadId: string): Promise<Map<number, SentPart> | undefined> {
    const found = new Map<number, SentPart>();
    for (let marker = 0; ; ) {
      const page = await this.#known({
        method: 'GET',
        path: `${this.#path}/${encodeURIComponent(uploadId)}?max-parts=1000&part-number_marker=${marker}`,
      });
      if (page === undefined) return undefined;
      const { parts, partNumberMarker } = page.body as { parts: SentPart[]; partNumberMarker: number };
      for (const part of parts) found.set(part.partNumber, part);
      if (!(partNumberMarker > marker)) return found;
      marker = partNumberMarker;
    }
  }

  complete(uploadId: string, sent: readonly SentPart[]): Promise<Exchanged> {
    return this.#call(this.#completion(uploadId, sent));
  }

  /** Completes again; undefined if the upload no longer exists. */
  completed(uploadId: string, sent: readonly SentPart[]): Promise<Exchanged | undefined> {
    return this.#known(this.#completion(uploadId, sent));
  }

  #completion(uploadId: string, sent: readonly SentPart[]): PartCall {
    const { fileName, mimeType } = this.#options;
    const metadata = Object.fromEntries(metadataFields(this.#parts, this.#options));
    const customVars = Object.fromEntries(variableFields(this.#options));
    const body = JSON.stringify({
      parts: sent.map(({ partNumber, etag }) => ({ partNumber, etag })),
      ...(fileName === undefined ? {} : { fname: fileName }),
      ...(mimeType === undefined ? {} : { mimeType }),
      ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
      ...(Object.keys(customVars).length === 0 ? {} : { customVars }),
    });
    const headers = { 'content-type': 'application/json' };
    return { method: 'POST', path: `${this.#path}/${encodeURIComponent(uploadId)}`, headers, body };
  }

  /** What no longer exists need not be abandoned. */
  async giveUp(uploadId: string): Promise<void> {
    await this.#known({ method: 'DELETE', path: `${this.#path}/${encodeURIComponent(uploadId)}` });
  }

  async etagOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
    return etagOfBytes(this.#parts.digests, bytes);
  }

  async #known(request: PartCall): Promise<Exchanged | undefined> {
    try {
      return await this.#call(request);
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  }

  #call(request: PartCall, check: (answered: Exchanged) => void = () => undefined): Promise<Exchanged> {
    const { signal, retry } = this.#options;
    return withRetries(
      async () => {
        const token = await tokenOf(this.#options);
        const headers = { ...request.headers, authorization: `${UPLOAD_SCHEME} ${token}` };
        const answered = await exchange(this.#parts, { ...request, token, headers, signal });
        check(answered);
        return answered;
      },
      retry,
      { signal, repeatable: true },
    );
  }
}

/** An upload that the server doesn't know: completed, abandoned, or too old. */
export function isGone(error: unknown): boolean {
  return error instanceof MillpondError && error.status === 612;
}

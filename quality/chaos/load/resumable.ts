/**
 * Uploads in parts and in blocks to a server that may break at any moment. A call either answers or throws `ConnectionError`,
 * after which the caller can't know whether it had an effect.
 */
import { encodeBase64Text } from '@millpond/protocol';
import { type Account, uploadToken } from '@millpond/testing';
import { Agent } from 'undici';
import { codeOf } from './client.ts';

/** No answer, or one that says nothing about what happened. */
export class ConnectionError extends Error {
  /** The server could not be reached at all. */
  get away(): boolean {
    return this.message === 'ECONNREFUSED';
  }
}

export interface Part {
  readonly partNumber: number;
  readonly etag: string;
}

interface UploadResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const PATIENCE_MS = 120_000;
const UNKNOWN_UPLOAD = 612;

export class ResumableClient {
  readonly #agent = new Agent({ headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS });
  readonly #url: string;
  readonly #account: Account;
  readonly #bucket: string;

  constructor(url: string, account: Account, bucket: string) {
    this.#url = url;
    this.#account = account;
    this.#bucket = bucket;
  }

  async begin(key: string): Promise<string> {
    return String(expectGood(await this.#call('POST', key, this.#uploads(key))).uploadId);
  }

  async putPart(key: string, id: string, partNumber: number, bytes: Uint8Array): Promise<Part> {
    const answer = await this.#call('PUT', key, `${this.#uploads(key)}/${id}/${partNumber}`, bytes);
    return { partNumber, etag: String(expectGood(answer).etag) };
  }

  /** Undefined: the upload no longer exists. */
  async parts(key: string, id: string): Promise<Part[] | undefined> {
    const answer = await this.#call('GET', key, `${this.#uploads(key)}/${id}`);
    return answer.status === UNKNOWN_UPLOAD ? undefined : (expectGood(answer).parts as Part[]);
  }

  /** The object's hash; undefined: the upload no longer exists. */
  async complete(key: string, id: string, parts: readonly Part[]): Promise<string | undefined> {
    const body = Buffer.from(JSON.stringify({ parts }));
    const answer = await this.#call('POST', key, `${this.#uploads(key)}/${id}`, body, 'application/json');
    return answer.status === UNKNOWN_UPLOAD ? undefined : String(expectGood(answer).hash);
  }

  async abort(key: string, id: string): Promise<void> {
    const answer = await this.#call('DELETE', key, `${this.#uploads(key)}/${id}`);
    if (answer.status !== UNKNOWN_UPLOAD) expectGood(answer);
  }

  /** The context of a block that begins with these bytes. */
  async beginBlock(key: string, size: number, bytes: Uint8Array): Promise<string> {
    return String(expectGood(await this.#call('POST', key, `/mkblk/${size}`, bytes)).ctx);
  }

  /** Undefined: the context is not the block's last one. */
  async addChunk(key: string, context: string, at: number, bytes: Uint8Array): Promise<string | undefined> {
    const answer = await this.#call('POST', key, `/bput/${context}/${at}`, bytes);
    return answer.status === 701 ? undefined : String(expectGood(answer).ctx);
  }

  /** The object's hash; undefined: the blocks are used up or gone. */
  async makeFile(key: string, size: number, contexts: readonly string[]): Promise<string | undefined> {
    const path = `/mkfile/${size}/key/${encodeBase64Text(key)}`;
    const answer = await this.#call('POST', key, path, Buffer.from(contexts.join(',')), 'text/plain');
    return answer.status === 701 ? undefined : String(expectGood(answer).hash);
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  #uploads(key: string): string {
    return `/buckets/${this.#bucket}/objects/${encodeBase64Text(key)}/uploads`;
  }

  async #call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    key: string,
    path: string,
    body?: Uint8Array,
    type = 'application/octet-stream',
  ): Promise<UploadResponse> {
    const token = uploadToken(this.#account, { scope: `${this.#bucket}:${key}` });
    const headers = { authorization: `UpToken ${token}`, 'content-type': type };
    try {
      const answer = await this.#agent.request({
        origin: this.#url,
        path,
        method,
        headers,
        body: body ?? null,
      });
      const text = await answer.body.text();
      const status = answer.statusCode;
      if (status >= 500 && status <= 599) throw new ConnectionError(`${status} ${text}`);
      return { status, body: text === '' ? {} : (JSON.parse(text) as UploadResponse['body']) };
    } catch (error) {
      throw error instanceof ConnectionError ? error : new ConnectionError(codeOf(error));
    }
  }
}

function expectGood({ status, body }: UploadResponse): UploadResponse['body'] {
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

/** One client of a Millpond that may break at any moment: its requests, and what it can be sure of afterwards. */
import { createEtagStream, formatEntry } from '@millpond/protocol';
import { type Account, hashing, signedFetch, uploadToken } from '@millpond/testing';
import { Agent } from 'undici';
import type { Outcome } from '../checks/history.ts';
import type { FoundObject } from '../checks/objects.ts';
import type { Content } from './contents.ts';

export interface RequestOutcome {
  /** Absent if no answer came. */
  readonly status?: number;
  /** Undefined: the server could not be reached, so the request cannot have had an effect. */
  readonly outcome: Outcome | undefined;
  readonly error?: string;
  /** What was answered. */
  readonly text?: string;
}

export type ObjectRecord = Pick<FoundObject, 'hash' | 'fsize' | 'putTime'> & {
  readonly type: number;
  readonly mimeType: string;
};
export interface Bytes extends Pick<FoundObject, 'bytesHash' | 'bytesSize'> {
  /** The hash in the answer's header. */
  readonly etag: string;
  readonly mimeType: string;
}
export type ListedObject = Pick<ObjectRecord, 'hash' | 'mimeType'> & { readonly key: string };

export interface Upload {
  readonly key: string;
  readonly mode: 'insert' | 'overwrite';
  readonly content: Content;
  /** Storage class; default 0. */
  readonly fileType?: number;
  /** Further fields of the upload policy. */
  readonly policy?: Readonly<Record<string, string>>;
}

const BOUNDARY = 'millpond-chaos';
export const FORM_HEADERS = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
/** Longer than any timeout of the server. */
const PATIENCE_MS = 120_000;
/** Longer than any run: a token is made once for each scope. */
const TOKEN_SECONDS = 7 * 86_400;

export class Client {
  readonly #agent: Agent;
  readonly #patienceMs: number;
  readonly #account: Account;
  readonly #bucket: string;
  readonly #tokens = new Map<string, string>();

  /** After `patienceMs` without an answer the outcome of a request is unknown. */
  constructor(account: Account, bucket: string, patienceMs = PATIENCE_MS) {
    this.#account = account;
    this.#bucket = bucket;
    this.#patienceMs = patienceMs;
    this.#agent = new Agent({
      headersTimeout: patienceMs,
      bodyTimeout: patienceMs,
      connectTimeout: patienceMs,
    });
  }

  async upload(url: string, upload: Upload): Promise<RequestOutcome> {
    const { content, key } = upload;
    const fields = { token: this.#token(upload), key };
    try {
      const answer = await this.#agent.request({
        origin: url,
        path: '/',
        method: 'POST',
        headers: FORM_HEADERS,
        body: formOf(fields, content),
      });
      const text = await answer.body.text();
      return { status: answer.statusCode, text, ...classifyResponse(answer.statusCode, text, upload) };
    } catch (error) {
      const refused = codeOf(error) === 'ECONNREFUSED';
      return { outcome: refused ? undefined : 'unknown', error: codeOf(error) };
    }
  }

  /** Undefined if there is no such object. */
  async stat(url: string, key: string): Promise<ObjectRecord | undefined> {
    const { status, text } = await this.#signed(url, `/stat/${formatEntry(this.#bucket, key)}`, 'GET');
    if (status === 612) return undefined;
    if (status !== 200) throw new Error(`stat of ${key}: ${status} ${text}`);
    const { hash, fsize, type, mimeType } = JSON.parse(text) as Omit<ObjectRecord, 'putTime'>;
    return { hash, fsize, type, mimeType, putTime: BigInt(/"putTime":(\d+)/.exec(text)?.[1] ?? '') };
  }

  /** A management call on an object: `/<operation>/<entry>[/<rest>]`. */
  async manage(url: string, operation: string, key: string, rest?: string): Promise<RequestOutcome> {
    const end = rest === undefined ? '' : `/${rest}`;
    const target = `/${operation}/${formatEntry(this.#bucket, key)}${end}`;
    try {
      const { status } = await this.#signed(url, target, 'POST');
      return { status, outcome: status === 200 ? 'acknowledged' : isRefusal(status) ? 'refused' : 'unknown' };
    } catch (error) {
      const code = codeOf(error instanceof Error ? (error.cause ?? error) : error);
      return { outcome: code === 'ECONNREFUSED' ? undefined : 'unknown', error: code };
    }
  }

  /** At most a thousand. */
  async list(url: string, prefix: string): Promise<readonly ListedObject[]> {
    const query = new URLSearchParams({ bucket: this.#bucket, prefix });
    const { status, text } = await this.#signed(url, `/list?${query.toString()}`, 'GET');
    if (status !== 200) throw new Error(`list of ${prefix}: ${status} ${text}`);
    return (JSON.parse(text) as { items: ListedObject[] }).items;
  }

  /** Reads the whole object; rejects if the answer breaks off. */
  async get(url: string, key: string): Promise<Bytes> {
    const path = `/${this.#bucket}/${key}`;
    const answer = await this.#agent.request({ origin: url, path, method: 'GET' });
    if (answer.statusCode !== 200) {
      throw new Error(`GET of ${key}: ${answer.statusCode} ${await answer.body.text()}`);
    }
    const hashed = createEtagStream(hashing);
    let size = 0;
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      hashed.update(chunk);
      size += chunk.length;
    }
    const etag = String(answer.headers.etag).replaceAll('"', '');
    const mimeType = String(answer.headers['content-type']);
    return { bytesHash: hashed.digest().etag, bytesSize: size, etag, mimeType };
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #signed(
    url: string,
    target: string,
    method: 'GET' | 'POST',
  ): Promise<{ status: number; text: string }> {
    const signal = AbortSignal.timeout(this.#patienceMs);
    const answer = await signedFetch(url, this.#account, target, { method, signal });
    return { status: answer.status, text: await answer.text() };
  }

  #token({ key, mode, fileType = 0, policy }: Upload): string {
    const scope = mode === 'insert' ? this.#bucket : `${this.#bucket}:${key}`;
    const name = `${scope} ${fileType} ${JSON.stringify(policy)}`;
    let token = this.#tokens.get(name);
    if (token === undefined) {
      const deadline = Math.floor(Date.now() / 1000) + TOKEN_SECONDS;
      const others = fileType === 0 ? {} : { fileType };
      token = uploadToken(this.#account, { scope, deadline, ...others, ...policy });
      this.#tokens.set(name, token);
    }
    return token;
  }
}

/** An answer of 500 or above may hide a commit whose answer was lost; below that the server refused. */
function classifyResponse(
  status: number,
  text: string,
  { key, content }: Upload,
): Omit<RequestOutcome, 'status'> {
  if (status === 200) {
    const answer = JSON.parse(text) as { hash?: string; key?: string };
    const right = answer.hash === content.hash && answer.key === key;
    return right
      ? { outcome: 'acknowledged' }
      : { outcome: 'unknown', error: `200 for something else: ${text}` };
  }
  return { outcome: isRefusal(status) ? 'refused' : 'unknown', error: text };
}

function isRefusal(status: number): boolean {
  return status < 500 || status === 573 || (status > 599 && status < 700);
}

export function formOf(fields: Readonly<Record<string, string>>, content: Pick<Content, 'bytes'>): Buffer {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n`;
  return Buffer.concat([
    Buffer.from(parts.join('') + file),
    ...content.bytes,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
}

export function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}

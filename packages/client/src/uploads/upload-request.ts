/** One request of an upload and its JSON answer, checked. */
import { dialects, encodeBase64Text, tryDecodeBase64 } from '@millpond/protocol';
import type { Digests } from '../core/digests.ts';
import { MillpondError, notJson } from '../core/error.ts';
import { metadataPairs } from '../core/metadata.ts';
import { refusalOf } from '../core/response-error.ts';
import type { RequestBody, Transport } from '../core/transport.ts';
import type { Journal } from './journal.ts';
import type { UploadOptions } from './options.ts';

export interface UploadParts {
  /** Base URL of the upload host, without a slash at its end. */
  readonly url: string;
  readonly transport: Transport;
  readonly digests: Digests;
  readonly journal?: Journal | undefined;
  readonly dialect: keyof typeof dialects;
}

export interface Exchanged {
  readonly body: Record<string, unknown>;
  readonly reqid: string;
}

export interface Exchange {
  readonly method: string;
  readonly path: string;
  /** The token that the request carries, in whichever place. */
  readonly token: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  readonly signal?: AbortSignal | undefined;
}

export async function exchange(parts: UploadParts, request: Exchange): Promise<Exchanged> {
  const { path, token, headers = {}, ...rest } = request;
  const answer = await parts.transport({ ...rest, headers, url: parts.url + path });
  if (answer.status !== 200) throw await refusalOf(answer, token);
  const reqid = answer.header('x-reqid') ?? '';
  const text = await answer.text();
  try {
    const body: unknown = text === '' ? {} : JSON.parse(text);
    return { body: (typeof body === 'object' && body !== null ? body : { value: body }) as never, reqid };
  } catch (cause) {
    throw notJson(answer.status, text, { reqid, cause });
  }
}

export async function tokenOf({ token }: UploadOptions): Promise<string> {
  return typeof token === 'string' ? token : token();
}

/** The bucket that a token is for: its policy names it, for all to read. */
export function bucketOfToken(token: string): string {
  const bytes = tryDecodeBase64(token.slice(token.lastIndexOf(':') + 1));
  try {
    const { scope } = JSON.parse(new TextDecoder().decode(bytes)) as { scope: string };
    return scope.split(':', 1)[0] ?? '';
  } catch (cause) {
    throw new MillpondError('usage', 'this is not an upload token', { cause });
  }
}

/** `~` if the server is to name the object. */
export function encodedKey(key: string | undefined): string {
  return key === undefined ? '~' : encodeBase64Text(key);
}

export function metadataFields({ dialect }: UploadParts, options: UploadOptions): [string, string][] {
  return metadataPairs(dialects[dialect], options);
}

export function variableFields(options: UploadOptions): [string, string][] {
  return Object.entries(options.variables ?? {}).map(([name, value]) => [`x:${name}`, value]);
}

/** The answered hash must match what was sent; an answer without a hash can't be checked. */
export function checkHash(answered: unknown, hash: string, reqid: string): void {
  if (typeof answered !== 'string' || !/^[\w-]{28}$/.test(answered) || answered === hash) return;
  throw new MillpondError('integrity', `the server stored ${answered}, but ${hash} was sent`, { reqid });
}

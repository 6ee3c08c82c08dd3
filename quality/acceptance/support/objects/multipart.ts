/** Uploads in parts (v2), call by call: each gives the plain answer, so that a test can send what no client would. */
import { encodeBase64Text, etagOf } from '@millpond/protocol';
import { type Account, hashing, uploadToken } from '@millpond/testing';
import { expect } from 'vitest';
import { target } from '../target.ts';

export interface Site {
  readonly url: string;
  readonly account: Pick<Account, 'accessKey' | 'secretKey'>;
}

export interface NamedPart {
  readonly partNumber: number;
  readonly etag: string;
}

export interface MultipartOptions {
  /** Undefined: no key, `~` in the path. */
  readonly key?: string;
  readonly policy?: Readonly<Record<string, unknown>>;
  readonly site?: Site;
}

export interface Multipart {
  readonly uploadId: string;
  readonly expireAt: number;
  put(
    number: number | string,
    content: Uint8Array | string,
    headers?: Record<string, string>,
  ): Promise<Response>;
  list(query?: string): Promise<Response>;
  abort(): Promise<Response>;
  complete(parts: readonly NamedPart[], more?: Readonly<Record<string, unknown>>): Promise<Response>;
  /** The same upload, by another policy, another account, another key in the path, or another gateway. */
  by(change: Partial<MultipartOptions> & { readonly token?: string }): Multipart;
}

export function uploadsPath(bucket: string, key: string | undefined): string {
  return `/buckets/${bucket}/objects/${key === undefined ? '~' : encodeBase64Text(key)}/uploads`;
}

export function beginAnswer(
  bucket: string,
  options: MultipartOptions & { readonly token?: string } = {},
): Promise<Response> {
  const { url, authorization } = credentials(bucket, options);
  return fetch(url + uploadsPath(bucket, options.key), { method: 'POST', headers: { authorization } });
}

export async function beginUpload(bucket: string, options: MultipartOptions = {}): Promise<Multipart> {
  const answer = await beginAnswer(bucket, options);
  expect(answer.status, await answer.clone().text()).toBe(200);
  const begun = (await answer.json()) as { uploadId: string; expireAt: number };
  return calls(bucket, begun, options);
}

function calls(
  bucket: string,
  begun: { uploadId: string; expireAt: number },
  options: MultipartOptions & { readonly token?: string },
): Multipart {
  const { url, authorization } = credentials(bucket, options);
  const path = `${url}${uploadsPath(bucket, options.key)}/${begun.uploadId}`;
  return {
    ...begun,
    put: (number, content, headers = {}) =>
      fetch(`${path}/${number}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/octet-stream', ...headers, authorization },
        body: typeof content === 'string' ? content : new Uint8Array(content),
      }),
    list: (query = '') => fetch(path + query, { headers: { authorization } }),
    abort: () => fetch(path, { method: 'DELETE', headers: { authorization } }),
    complete: (parts, more = {}) =>
      fetch(path, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/json', authorization },
        body: JSON.stringify({ parts, ...more }),
      }),
    by: (change) => calls(bucket, begun, { ...options, ...change }),
  };
}

function credentials(
  bucket: string,
  { site = target, policy, token }: MultipartOptions & { readonly token?: string },
): { url: string; authorization: string } {
  const signed = token ?? uploadToken(site.account, { scope: bucket, ...policy });
  return { url: site.url, authorization: `UpToken ${signed}` };
}

/** Puts a part and expects it to be taken. */
export async function putPart(
  upload: Multipart,
  number: number,
  content: Uint8Array | string,
): Promise<NamedPart> {
  const answer = await upload.put(number, content);
  expect(answer.status, await answer.clone().text()).toBe(200);
  const { etag } = (await answer.json()) as { etag: string };
  expect(etag).toBe(etagOf(hashing, Buffer.from(content)));
  return { partNumber: number, etag };
}

/** All parts at once, numbered from 1. */
export function putParts(
  upload: Multipart,
  contents: readonly (Uint8Array | string)[],
): Promise<NamedPart[]> {
  return Promise.all(contents.map((content, index) => putPart(upload, index + 1, content)));
}

/** Begins, puts all parts and completes. */
export async function uploadInParts(
  bucket: string,
  contents: readonly (Uint8Array | string)[],
  options: MultipartOptions = {},
): Promise<Response> {
  const upload = await beginUpload(bucket, options);
  return upload.complete(await putParts(upload, contents));
}

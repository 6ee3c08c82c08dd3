/** Fetch, prefetch and mirror calls in short words, and origins that give files. */
import { type AccessKeyPair, encodeBase64Text, formatEntry } from '@millpond/protocol';
import { signedFetch } from '@millpond/testing';
import { expect } from 'vitest';
import type { RawResponse } from '../raw.ts';
import type { Script } from '../receivers/receiver.ts';
import { type Secure, secureSigned } from '../running/secure.ts';
import { newBucket, target } from '../target.ts';

export interface FetchOptions {
  readonly key?: string;
  readonly host?: string;
  readonly url?: string;
  readonly keys?: AccessKeyPair;
}

export function fetchPath(from: string, bucket: string, { key, host }: FetchOptions = {}): string {
  const end = host === undefined ? '' : `/host/${encodeBase64Text(host)}`;
  return `/fetch/${encodeBase64Text(from)}/to/${formatEntry(bucket, key)}${end}`;
}

/** The call with an empty body, as the interface has it. */
export function fetchInto(bucket: string, from: string, options: FetchOptions = {}): Promise<Response> {
  const { url = target.url, keys = target.account } = options;
  return signedFetch(url, keys, fetchPath(from, bucket, options));
}

export function prefetch(
  bucket: string,
  key: string,
  { url = target.url, keys = target.account }: Pick<FetchOptions, 'url' | 'keys'> = {},
): Promise<Response> {
  return signedFetch(url, keys, `/prefetch/${formatEntry(bucket, key)}`);
}

/** Sets the mirror sources of a bucket. */
export function image(
  bucket: string,
  sources: string,
  { host, url = target.url, keys = target.account }: Omit<FetchOptions, 'key'> = {},
): Promise<Response> {
  const end = host === undefined ? '' : `/host/${encodeBase64Text(host)}`;
  return signedFetch(url, keys, `/image/${bucket}/from/${encodeBase64Text(sources)}${end}`);
}

export function unimage(bucket: string): Promise<Response> {
  return signedFetch(target.url, target.account, `/unimage/${bucket}`);
}

/** A new bucket whose missing files come from these sources. */
export async function mirroredBucket(...sources: readonly string[]): Promise<string> {
  const bucket = await newBucket();
  const answer = await image(bucket, sources.join(';'));
  expect(answer.status, await answer.text()).toBe(200);
  return bucket;
}

export interface AsyncStatus {
  readonly id: string;
  readonly wait: number;
  readonly state: string;
  readonly error?: string;
  readonly key?: string;
  readonly hash?: string;
  readonly fsize?: number;
  readonly mimeType?: string;
}

interface At {
  readonly at?: Secure;
  readonly keys?: AccessKeyPair;
}

export function asyncFetch(fields: Readonly<Record<string, unknown>>, signer: At = {}): Promise<RawResponse> {
  const body = JSON.stringify(fields);
  return secureSigned({ target: '/sisyphus/fetch', contentType: 'application/json', body }, signer);
}

export function asyncStatus(id: string, signer: At = {}): Promise<RawResponse> {
  return secureSigned({ method: 'GET', target: `/sisyphus/fetch?id=${id}` }, signer);
}

/** The status of a fetch once it has come to its end. */
export async function endOf(id: string, signer: At = {}): Promise<AsyncStatus> {
  const read = async () => (await asyncStatus(id, signer)).json() as AsyncStatus;
  await expect.poll(async () => (await read()).state).not.toBe('waiting');
  return read();
}

/** Gives these bytes, with their length. */
export function file(content: Uint8Array | string, headers: Readonly<Record<string, string>> = {}): Script {
  return (response) => {
    response
      .writeHead(200, { 'content-length': String(Buffer.byteLength(content)), ...headers })
      .end(content);
  };
}

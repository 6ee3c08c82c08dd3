/** Presigned URLs and signed chunks, by code of the tests' own that shares nothing with the server's. */
import { createHash, createHmac } from 'node:crypto';
import type { Account } from '@millpond/testing';
import { target } from '../target.ts';
import type { S3Response } from './signed.ts';

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Uint8Array, text: string) => createHmac('sha256', key).update(text).digest();
const EMPTY_SHA256 = sha256('');

function signingOf(account: Account, time: string) {
  const scope = `${time.slice(0, 8)}/us-east-1/s3/aws4_request`;
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${account.secretKey}`);
  const sign = (kind: string, rest: string) =>
    hmac(key, `AWS4-HMAC-SHA256${kind}\n${time}\n${scope}\n${rest}`).toString('hex');
  return { scope, sign };
}

const timeOf = (date: Date) => date.toISOString().replace(/[-:]|\.\d+/g, '');

export interface Presigning {
  readonly by?: Account;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly expires?: number;
  readonly at?: Date;
}

/** Path and query. */
export function presigned(method: string, path: string, presigning: Presigning = {}): string {
  const { by = target.account, parameters = {}, expires = 60, at = new Date() } = presigning;
  const time = timeOf(at);
  const { scope, sign } = signingOf(by, time);
  const all = {
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${by.accessKey}/${scope}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(expires),
    'X-Amz-SignedHeaders': 'host',
    ...parameters,
  };
  const query = Object.entries(all)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .toSorted()
    .join('&');
  const { host } = new URL(target.s3.url);
  const canonical = `${method}\n${path}\n${query}\nhost:${host}\n\nhost\nUNSIGNED-PAYLOAD`;
  return `${path}?${query}&X-Amz-Signature=${sign('', sha256(canonical))}`;
}

export interface Chunked {
  /** Changes the body after it was signed. */
  readonly change?: (body: string) => string;
  /** What the headers say; by default the truth. */
  readonly decodedLength?: number;
}

/** PutObject with each chunk signed, as restic and mc send it: without Content-Encoding. */
export async function putChunked(
  path: string,
  chunks: readonly string[],
  chunked: Chunked = {},
): Promise<S3Response> {
  const { change = (body) => body, decodedLength = Buffer.byteLength(chunks.join('')) } = chunked;
  const time = timeOf(new Date());
  const { scope, sign } = signingOf(target.account, time);
  const headers: Record<string, string> = {
    host: new URL(target.s3.url).host,
    'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
    'x-amz-date': time,
    'x-amz-decoded-content-length': String(decodedLength),
  };
  const names = Object.keys(headers).toSorted();
  const lines = names.map((name) => `${name}:${headers[name]}\n`).join('');
  const canonical = `PUT\n${path}\n\n${lines}\n${names.join(';')}\n${headers['x-amz-content-sha256']}`;
  const seed = sign('', sha256(canonical));
  let previous = seed;
  let body = '';
  for (const chunk of [...chunks, '']) {
    previous = sign('-PAYLOAD', `${previous}\n${EMPTY_SHA256}\n${sha256(chunk)}`);
    const size = Buffer.byteLength(chunk).toString(16);
    body += `${size};chunk-signature=${previous}\r\n${chunk}\r\n`;
  }
  const { host: _, ...sent } = headers;
  const answer = await fetch(target.s3.url + path, {
    method: 'PUT',
    headers: {
      ...sent,
      authorization: `AWS4-HMAC-SHA256 Credential=${target.account.accessKey}/${scope},SignedHeaders=${names.join(';')},Signature=${seed}`,
    },
    body: change(body),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

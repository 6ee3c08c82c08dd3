/** Signed requests to the S3 listener, by code of the tests' own that shares nothing with the server's. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Account } from '@millpond/testing';
import { expect } from 'vitest';
import { target, upload } from '../target.ts';

export interface S3Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** Who signs it; by default the main account. */
  readonly by?: Account | 'nobody';
  readonly url?: string;
}

export interface S3Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** `path` is what goes on the wire, query included: encoded as the caller wants it. */
export async function s3(path: string, call: S3Call = {}): Promise<S3Answer> {
  const { method = 'GET', by = target.account, url = target.s3.url, body } = call;
  const given = { ...call.headers, host: new URL(url).host };
  const headers = by === 'nobody' ? given : signed(by, { method, path, headers: given, body: body ?? '' });
  const { host: _, ...sent } = headers;
  const answer = await fetch(url + path, { method, headers: sent, ...(body !== undefined && { body }) });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

interface Signed {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

function signed(account: Account, { method, path, headers, body }: Signed): Record<string, string> {
  const [place = '', query = ''] = path.split('?', 2);
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = `${time.slice(0, 8)}/us-east-1/s3/aws4_request`;
  const hash = createHash('sha256').update(body).digest('hex');
  const all: Record<string, string> = { ...headers, 'x-amz-date': time, 'x-amz-content-sha256': hash };
  const names = Object.keys(all).toSorted();
  const canonical = [
    ...[method, place, canonicalQuery(query)],
    ...names.map((name) => `${name}:${all[name]?.trim()}`),
    ...['', names.join(';'), hash],
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(canonical).digest('hex')].join(
    '\n',
  );
  const key = scope
    .split('/')
    .reduce<string | Buffer>(
      (secret, part) => createHmac('sha256', secret).update(part).digest(),
      `AWS4${account.secretKey}`,
    );
  const signature = createHmac('sha256', key).update(text).digest('hex');
  const credential = `Credential=${account.accessKey}/${scope}`;
  const authorization = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
  return { ...all, authorization };
}

function canonicalQuery(query: string): string {
  const encode = (text: string) =>
    encodeURIComponent(text).replace(
      /[!'()*]/g,
      (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  return [...new URLSearchParams(query)]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&');
}

/** The code in the body of a refusal. */
export function codeOf({ text }: S3Answer): string | undefined {
  return /<Code>(\w+)<\/Code>/.exec(text)?.[1];
}

export function expectS3Refusal(answer: S3Answer, status: number, code: string): void {
  expect(`${answer.status} ${codeOf(answer)}`).toBe(`${status} ${code}`);
}

/** The texts of all elements of this name. */
export function elementsIn({ text }: S3Answer, name: string): string[] {
  return [...text.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, inside = '']) => inside);
}

/** A new bucket of the main account, made by S3. */
export async function newS3Bucket(headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const name = `s3-${randomBytes(6).toString('hex')}`;
  expect((await s3(`/${name}`, { method: 'PUT', headers })).status).toBe(200);
  return name;
}

/** Any bytes as an object of the main account, by our own protocol. */
export async function putNatively(bucket: string, key: string, content: string): Promise<void> {
  const answer = await upload({ scope: `${bucket}:${key}` }, content, { key });
  expect(answer.status, await answer.text()).toBe(200);
}

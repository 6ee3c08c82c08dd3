/** Signed requests to the S3 listener, by code of the tests' own that shares nothing with the server's. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Account } from '@millpond/testing';
import { expect } from 'vitest';
import { target, upload } from '../target.ts';

const agent = new Agent({ keepAlive: true });

export interface S3Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** Who signs it; by default the main account. */
  readonly by?: Account | 'nobody';
  readonly url?: string;
}

export interface S3Response {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** `path` is what goes on the wire, query included: encoded as the caller wants it. */
export async function s3(path: string, call: S3Call = {}): Promise<S3Response> {
  const { method = 'GET', by = target.account, url = target.s3.url, body } = call;
  const given = { ...call.headers, host: new URL(url).host };
  const headers = by === 'nobody' ? given : signed(by, { method, path, headers: given, body: body ?? '' });
  return send(url, path, { method, headers, body: body ?? '' });
}

/** Not by `fetch`, which resolves `..` in paths and adds headers of its own. */
async function send(
  url: string,
  path: string,
  { method, headers, body }: Omit<Signed, 'path'>,
): Promise<S3Response> {
  const { hostname, port } = new URL(url);
  const asked = request({ hostname, port, path, method, headers, agent });
  // As bytes: with a text, Node would write the headers in its encoding.
  asked.end(Buffer.from(body as string));
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const shown = Object.entries(answer.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  return { status: answer.statusCode ?? 0, headers: new Headers(shown), text: await text(answer) };
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
    method,
    place.split('/').map(escaped).join('/'),
    canonicalQuery(query),
    ...names.map((name) => `${name}:${all[name]?.trim()}`),
    '',
    names.join(';'),
    hash,
  ].join('\n');
  const toSign = [
    'AWS4-HMAC-SHA256',
    time,
    scope,
    createHash('sha256').update(canonical, 'latin1').digest('hex'),
  ].join('\n');
  const key = scope
    .split('/')
    .reduce<string | Buffer>(
      (secret, part) => createHmac('sha256', secret).update(part).digest(),
      `AWS4${account.secretKey}`,
    );
  const signature = createHmac('sha256', key).update(toSign).digest('hex');
  const credential = `Credential=${account.accessKey}/${scope}`;
  const authorization = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
  return { ...all, authorization };
}

/** In whichever way it was written. */
function escaped(segment: string): string {
  return encode(decodeURIComponent(segment));
}

function encode(part: string): string {
  return encodeURIComponent(part).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function canonicalQuery(query: string): string {
  return [...new URLSearchParams(query)]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&');
}

/** The code in the body of a refusal. */
export function codeOf({ text: body }: S3Response): string | undefined {
  return /<Code>(\w+)<\/Code>/.exec(body)?.[1];
}

export function expectS3Refusal(answer: S3Response, status: number, code: string): void {
  expect(`${answer.status} ${codeOf(answer)}`).toBe(`${status} ${code}`);
}

/** The texts of all elements of this name. */
export function elementsIn({ text: body }: S3Response, name: string): string[] {
  return [...body.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, inside = '']) => inside);
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

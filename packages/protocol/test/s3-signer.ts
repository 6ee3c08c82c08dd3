/** Signs S3 requests as a client does, for tests: straight from Amazon's description, with Node's own functions. */
import { createHash, createHmac } from 'node:crypto';

export const KEY = 'AKIAIOSFODNN7EXAMPLE';
export const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
export const DATE = '20130524T000000Z';
export const TIME = Date.UTC(2013, 4, 24);
export const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export interface Draft {
  readonly method: string;
  /** Decoded, without escapes. */
  readonly path: string;
  readonly parameters?: readonly (readonly [name: string, value: string])[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly region?: string;
  readonly date?: string;
  readonly service?: string;
  readonly accessKey?: string;
}

export interface SignedRequest {
  method: string;
  path: string;
  query: string | undefined;
  rawHeaders: string[];
}

export const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

export function signingKey(region = 'us-east-1', date = DATE, service = 's3'): Buffer {
  return [region, service, 'aws4_request'].reduce(hmac, hmac(`AWS4${SECRET}`, date.slice(0, 8)));
}

const escapeText = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** Every header of the draft is signed; `x-amz-date` is added. The payload is what `x-amz-content-sha256` says. */
export function signHeader(draft: Draft): SignedRequest {
  const date = draft.date ?? DATE;
  const headers = [...draft.headers, ['x-amz-date', date] as const];
  const payload = headers.find(([name]) => name.toLowerCase() === 'x-amz-content-sha256')?.[1] ?? '';
  const { signature, scope, names, query } = sign(draft, headers, draft.parameters ?? [], payload, date);
  const authorization = `AWS4-HMAC-SHA256 Credential=${draft.accessKey ?? KEY}/${scope},SignedHeaders=${names},Signature=${signature}`;
  return {
    method: draft.method,
    path: escapeText(draft.path).replaceAll('%2F', '/'),
    query: query === '' ? undefined : query,
    rawHeaders: [...headers, ['Authorization', authorization]].flat() as string[],
  };
}

export function presign(draft: Draft, expires = 3600): SignedRequest {
  const date = draft.date ?? DATE;
  const names = [...new Set(draft.headers.map(([name]) => name.toLowerCase()))].sort().join(';');
  const scope = `${date.slice(0, 8)}/${draft.region ?? 'us-east-1'}/${draft.service ?? 's3'}/aws4_request`;
  const parameters: (readonly [string, string])[] = [
    ...(draft.parameters ?? []),
    ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
    ['X-Amz-Credential', `${draft.accessKey ?? KEY}/${scope}`],
    ['X-Amz-Date', date],
    ['X-Amz-Expires', String(expires)],
    ['X-Amz-SignedHeaders', names],
  ];
  const { signature, query } = sign(draft, draft.headers, parameters, 'UNSIGNED-PAYLOAD', date);
  return {
    method: draft.method,
    path: escapeText(draft.path).replaceAll('%2F', '/'),
    query: `${query}&X-Amz-Signature=${signature}`,
    rawHeaders: draft.headers.flat() as string[],
  };
}

function sign(
  draft: Draft,
  headers: readonly (readonly [string, string])[],
  parameters: readonly (readonly [string, string])[],
  payload: string,
  date: string,
) {
  const byName = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const values = byName.get(name.toLowerCase()) ?? [];
    values.push(value.trim().replace(/\s+/g, ' '));
    byName.set(name.toLowerCase(), values);
  }
  const sorted = [...byName].sort(([a], [b]) => (a < b ? -1 : 1));
  const names = sorted.map(([name]) => name).join(';');
  const lines = sorted.map(([name, values]) => `${name}:${values.join(',')}\n`).join('');
  const query = parameters
    .map(([name, value]) => [escapeText(name), escapeText(value)] as const)
    .sort(([a, b], [c, d]) => (a === c ? (b < d ? -1 : 1) : a < c ? -1 : 1))
    .map((pair) => pair.join('='))
    .join('&');
  const path = escapeText(draft.path).replaceAll('%2F', '/');
  const canonical = [draft.method, path, query, lines, names, payload].join('\n');
  const scope = `${date.slice(0, 8)}/${draft.region ?? 'us-east-1'}/${draft.service ?? 's3'}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n');
  const key = signingKey(draft.region ?? 'us-east-1', date, draft.service);
  return { signature: hmac(key, text).toString('hex'), scope, names, query };
}

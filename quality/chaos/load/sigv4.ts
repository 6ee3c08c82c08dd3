/** Signatures of S3 (AWS Signature Version 4, in headers), shared with nothing of the server. */
import { createHash, createHmac } from 'node:crypto';

export interface S3Keys {
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

export interface UnsignedRequest {
  readonly method: string;
  readonly host: string;
  /** Each segment encoded as on the wire. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** By lower-case name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** SHA-256 of the body in hex; by default that of an empty one. */
  readonly bodyHash?: string;
}

export interface SignedRequest {
  /** With the query. */
  readonly path: string;
  readonly headers: Record<string, string>;
}

const EMPTY_HASH = createHash('sha256').digest('hex');

export function signS3(keys: S3Keys, request: UnsignedRequest): SignedRequest {
  const { method, host, path, query = {}, bodyHash = EMPTY_HASH } = request;
  const search = Object.entries(query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&');
  const date = `${new Date().toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
  const headers: Record<string, string> = {
    ...request.headers,
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': date,
  };
  const signed = Object.entries({ ...headers, host }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const names = signed.map(([name]) => name).join(';');
  const lines = signed.map(([name, value]) => `${name}:${value}\n`).join('');
  const canonical = [method, path, search, lines, names, bodyHash].join('\n');
  const scope = `${date.slice(0, 8)}/${keys.region}/s3/aws4_request`;
  const digest = createHash('sha256').update(canonical).digest('hex');
  let key: string | Buffer = `AWS4${keys.secretKey}`;
  for (const part of scope.split('/')) key = createHmac('sha256', key).update(part).digest();
  const signature = createHmac('sha256', key)
    .update(`AWS4-HMAC-SHA256\n${date}\n${scope}\n${digest}`)
    .digest('hex');
  headers.authorization = `AWS4-HMAC-SHA256 Credential=${keys.accessKey}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return { path: search === '' ? path : `${path}?${search}`, headers };
}

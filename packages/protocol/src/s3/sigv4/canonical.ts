/** The text that version 4 signs, and the keys it signs with. All strings are byte strings. */
import type { SecretKey } from '../../hashing.ts';
import { canonicalEscapes } from '../encodings.ts';
import type { S3Hashing } from '../hashing.ts';
import type { Parameter, RequestHead } from './head.ts';

export const V4_ALGORITHM = 'AWS4-HMAC-SHA256';

export interface SignedParts {
  /** The names as they were sent, with `;` between them. */
  readonly signedHeaders: string;
  /** The value of `x-amz-content-sha256`, or what stands for it. */
  readonly payloadHash: string;
}

export function canonicalRequest(head: RequestHead, { signedHeaders, payloadHash }: SignedParts): string {
  let lines = '';
  for (const name of signedHeaders.split(';'))
    lines += `${name.toLowerCase()}:${head.headers.get(name.toLowerCase()) ?? ''}\n`;
  const path = canonicalEscapes(head.path, 'path');
  return `${head.method}\n${path}\n${canonicalQuery(head.parameters)}\n${lines}\n${signedHeaders}\n${payloadHash}`;
}

/** Sorted by name, then by value, as bytes. A presigned request can't sign its own signature. */
function canonicalQuery(parameters: readonly Parameter[]): string {
  return parameters
    .filter(({ name }) => name !== 'X-Amz-Signature')
    .sort((a, b) => order(a.escapedName, b.escapedName) || order(a.escapedValue, b.escapedValue))
    .map(({ escapedName, escapedValue }) => `${escapedName}=${escapedValue}`)
    .join('&');
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function stringToSign(hashing: S3Hashing, canonical: string, date: string, scope: string): string {
  return `${V4_ALGORITHM}\n${date}\n${scope}\n${hashing.sha256HexOf(canonical)}`;
}

/** Depends only on the secret, the day and the region: worth keeping. */
export function deriveSigningKey(
  hashing: S3Hashing,
  secretKey: SecretKey,
  day: string,
  region: string,
): Uint8Array {
  let key = hashing.hmacSha256(firstKey(secretKey), [day]);
  for (const text of [region, 's3', 'aws4_request']) key = hashing.hmacSha256(key, [text]);
  return key;
}

function firstKey(secretKey: SecretKey): SecretKey {
  if (typeof secretKey === 'string') return `AWS4${secretKey}`;
  const key = new Uint8Array(4 + secretKey.length);
  key.set([0x41, 0x57, 0x53, 0x34]);
  key.set(secretKey, 4);
  return key;
}

export function signatureOf(hashing: S3Hashing, signingKey: Uint8Array, text: string): string {
  return hashing.hmacSha256HexOf(signingKey, text);
}

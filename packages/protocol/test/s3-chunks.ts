/** Writes aws-chunked bodies as clients do, for tests. */
import { createHmac } from 'node:crypto';
import { DATE, EMPTY_SHA256, sha256, signingKey } from './s3-signer.ts';

export const SCOPE = '20130524/us-east-1/s3/aws4_request';

export interface ChunkedOptions {
  /** The request's signature; without it nothing is signed. */
  readonly seed?: string | undefined;
  readonly trailers?: readonly (readonly [name: string, value: string])[];
  /** What ends a trailer's line. */
  readonly lineEnd?: string;
}

export interface Chunked {
  readonly body: Buffer;
  readonly signatures: readonly string[];
}

export function writeChunks(chunks: readonly Buffer[], options: ChunkedOptions = {}): Chunked {
  const { seed, trailers = [], lineEnd = '\r\n' } = options;
  const signatures: string[] = [];
  let previous = seed ?? '';
  const sign = (kind: string, hashes: string): string => {
    const text = `AWS4-HMAC-SHA256-${kind}\n${DATE}\n${SCOPE}\n${previous}\n${hashes}`;
    previous = createHmac('sha256', signingKey()).update(text).digest('hex');
    signatures.push(previous);
    return previous;
  };
  const pieces: Buffer[] = [];
  for (const chunk of [...chunks, Buffer.alloc(0)]) {
    const size = chunk.length.toString(16);
    const signature =
      seed === undefined ? '' : `;chunk-signature=${sign('PAYLOAD', `${EMPTY_SHA256}\n${sha256(chunk)}`)}`;
    pieces.push(Buffer.from(`${size}${signature}\r\n`), chunk, Buffer.from(chunk.length > 0 ? '\r\n' : ''));
  }
  for (const [name, value] of trailers) pieces.push(Buffer.from(`${name}:${value}${lineEnd}`));
  if (seed !== undefined && trailers.length > 0) {
    const lines = trailers.map(([name, value]) => `${name}:${value}\n`).join('');
    pieces.push(Buffer.from(`x-amz-trailer-signature:${sign('TRAILER', sha256(lines))}\r\n`));
  }
  pieces.push(Buffer.from('\r\n'));
  return { body: Buffer.concat(pieces), signatures };
}

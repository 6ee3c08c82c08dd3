/** What `x-amz-content-sha256` says of the body. It alone decides whether a body is aws-chunked: clients that chunk may
 * send no `Content-Encoding`. */
import { S3Fault } from '../fault.ts';

export type Payload =
  /** `sha256` in lower-case hex, of the body as it is. */
  | { readonly kind: 'hashed'; readonly sha256: string }
  | { readonly kind: 'unsigned' }
  /** aws-chunked; `trailers`: those that `x-amz-trailer` announces follow. */
  | { readonly kind: 'chunked'; readonly signed: boolean; readonly trailers: boolean };

export const UNSIGNED_PAYLOAD = 'UNSIGNED-PAYLOAD';

const payloads: ReadonlyMap<string, Payload> = new Map<string, Payload>([
  [UNSIGNED_PAYLOAD, { kind: 'unsigned' }],
  ['STREAMING-AWS4-HMAC-SHA256-PAYLOAD', { kind: 'chunked', signed: true, trailers: false }],
  ['STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER', { kind: 'chunked', signed: true, trailers: true }],
  ['STREAMING-UNSIGNED-PAYLOAD-TRAILER', { kind: 'chunked', signed: false, trailers: true }],
]);

/** `chain`: whether the request has a signature from which those of chunks can follow. */
export function readPayload(value: string, { chain }: { chain: boolean }): Payload {
  if (/^[0-9a-f]{64}$/.test(value)) return { kind: 'hashed', sha256: value };
  const payload = payloads.get(value);
  if (payload === undefined) {
    if (/^STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD(?:-TRAILER)?$/.test(value))
      throw new S3Fault('NotImplemented', { details: { Header: 'x-amz-content-sha256' } });
    throw new S3Fault('InvalidArgument', {
      message:
        'x-amz-content-sha256 must be UNSIGNED-PAYLOAD, STREAMING-UNSIGNED-PAYLOAD-TRAILER, STREAMING-AWS4-HMAC-SHA256-PAYLOAD, STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER or a valid sha256 value.',
      details: { ArgumentName: 'x-amz-content-sha256', ArgumentValue: value.slice(0, 128) },
    });
  }
  if (payload.kind === 'chunked' && payload.signed && !chain)
    throw new S3Fault('InvalidRequest', {
      message: 'Signed chunks need a request that is signed in its Authorization header.',
    });
  return payload;
}

/** Whether credentials are right: first the time, then what is signed, then the signature. */

import { equalTexts } from '../../equal-bytes.ts';
import type { SecretKey } from '../../hashing.ts';
import { MAX_CLOCK_SKEW_SECONDS } from '../../limits/limits.ts';
import { encodeUtf8 } from '../../utf8.ts';
import { encodeHex } from '../encodings.ts';
import { S3Fault } from '../fault.ts';
import type { S3Hashing } from '../hashing.ts';
import { canonicalRequest, deriveSigningKey, signatureOf, stringToSign } from './canonical.ts';
import type { KeyCredentials } from './credentials.ts';
import { formatBasicDate, formatSeconds } from './dates.ts';
import type { RequestHead } from './head.ts';
import type { HeaderCredentials } from './header-form.ts';
import type { PresignedCredentials } from './presigned.ts';
import { verifyV2 } from './v2.ts';

const MAX_SKEW_MS = MAX_CLOCK_SKEW_SECONDS * 1000;

/** What the signatures of chunks and trailers follow from. */
export interface ChunkSigning {
  readonly accessKey: string;
  readonly signingKey: Uint8Array;
  readonly date: string;
  readonly scope: string;
  /** The request's own signature. */
  readonly seed: string;
}

export interface VerifyOptions {
  /** In milliseconds. */
  readonly now: number;
  /** To keep the keys of the day; else each is derived anew. */
  readonly signingKeyOf?: (secretKey: SecretKey, day: string, region: string) => Uint8Array;
}

/** Returns undefined for version 2, whose requests have no chunks to sign. */
export function verifyCredentials(
  hashing: S3Hashing,
  credentials: KeyCredentials,
  secretKey: SecretKey,
  { now, signingKeyOf }: VerifyOptions,
): ChunkSigning | undefined {
  if (credentials.kind === 'presignedV2') {
    verifyV2(hashing, credentials, secretKey, now);
    return undefined;
  }
  if (credentials.kind === 'header') checkSkew(credentials, now);
  else checkLifetime(credentials, now);
  checkSigned(credentials.head, credentials.signedHeaders);
  const { accessKey, day, region, date, scope, signature } = credentials;
  const signingKey =
    signingKeyOf?.(secretKey, day, region) ?? deriveSigningKey(hashing, secretKey, day, region);
  const canonical = canonicalRequest(credentials.head, credentials);
  const text = stringToSign(hashing, canonical, date, scope);
  if (!equalTexts(signatureOf(hashing, signingKey, text), signature)) {
    throw new S3Fault('SignatureDoesNotMatch', {
      hint: 'compare CanonicalRequest with what the client signed; a proxy must pass on Host, path and headers as they are',
      details: {
        AWSAccessKeyId: accessKey,
        StringToSign: text,
        SignatureProvided: signature.slice(0, 128),
        StringToSignBytes: spacedHex(text),
        CanonicalRequest: canonical,
      },
    });
  }
  return { accessKey, signingKey, date, scope, seed: signature };
}

function checkSkew({ time }: HeaderCredentials, now: number): void {
  if (Math.abs(now - time) <= MAX_SKEW_MS) return;
  throw new S3Fault('RequestTimeTooSkewed', {
    details: {
      RequestTime: formatBasicDate(time),
      ServerTime: formatSeconds(now),
      MaxAllowedSkewMilliseconds: String(MAX_SKEW_MS),
    },
  });
}

function checkLifetime({ time, expiresSeconds }: PresignedCredentials, now: number): void {
  const end = time + expiresSeconds * 1000;
  if (expiresSeconds <= 0 || now > end)
    throw new S3Fault('AccessDenied', {
      message: 'Request has expired',
      details: {
        'X-Amz-Expires': String(expiresSeconds),
        Expires: formatSeconds(end),
        ServerTime: formatSeconds(now),
      },
    });
  if (time - now > MAX_SKEW_MS)
    throw new S3Fault('AccessDenied', {
      message: 'Request is not valid yet',
      details: { 'X-Amz-Date': formatSeconds(time), ServerTime: formatSeconds(now) },
    });
}

/** Without this, a presigned PUT to which `x-amz-copy-source` is added would read any object of whoever signed it. */
function checkSigned({ headers }: RequestHead, signedHeaders: string): void {
  const signed = new Set(signedHeaders.toLowerCase().split(';'));
  const missing = [...headers.keys()].filter((name) => name.startsWith('x-amz-') && !signed.has(name));
  if (!signed.has('host')) missing.unshift('host');
  if (missing.length > 0)
    throw new S3Fault('AccessDenied', {
      message: 'There were headers present in the request which were not signed',
      details: { HeadersNotSigned: missing.join(', ') },
    });
}

function spacedHex(text: string): string {
  return encodeHex(encodeUtf8(text)).replace(/..(?=.)/g, '$& ');
}

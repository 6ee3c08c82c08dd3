/** What all signatures of the API have in common: HMAC-SHA1 over a text, written `<access key>:<URL-safe Base64>`. */
import { encodeBase64, tryDecodeBase64 } from '../base64.ts';
import { equalBytes } from '../equal-bytes.ts';
import { Fault } from '../errors/fault.ts';
import type { HashInput, Hashing, SecretKey } from '../hashing.ts';

export interface AccessKeyPair {
  readonly accessKey: string;
  readonly secretKey: SecretKey;
}

/** A signature as received, not yet verified. */
export interface Signature {
  readonly accessKey: string;
  /** The 20 bytes of the HMAC. */
  readonly signature: Uint8Array;
}

const SIGNATURE_SIZE = 20;
// Access keys are looked up, so what can't be one stops here.
const ACCESS_KEY = /^[A-Za-z0-9_-]{1,128}$/;

export function signText(hashing: Hashing, keys: AccessKeyPair, inputs: readonly HashInput[]): string {
  return `${keys.accessKey}:${encodeBase64(hashing.hmacSha1(keys.secretKey, inputs))}`;
}

export function verifyText(
  hashing: Hashing,
  secretKey: SecretKey,
  inputs: readonly HashInput[],
  signature: Uint8Array,
): boolean {
  return equalBytes(hashing.hmacSha1(secretKey, inputs), signature);
}

/** Undefined unless the text is an access key, one colon and a whole HMAC; the padding may be missing. */
export function parseSignature(text: string): Signature | undefined {
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  return decodeSignature(text.slice(0, colon), text.slice(colon + 1));
}

export function decodeSignature(accessKey: string, encoded: string): Signature | undefined {
  // Check the length first: a long text must not be decoded just to find that it is not a signature.
  if (!ACCESS_KEY.test(accessKey) || encoded.length < 27 || encoded.length > 28) return undefined;
  const signature = tryDecodeBase64(encoded);
  return signature?.length === SIGNATURE_SIZE ? { accessKey, signature } : undefined;
}

/**
 * Refuses what can't be in one line of a signed text: a line break would let one request pass for another, and a
 * character above U+00FF is not a byte.
 */
export function assertSingleLine(text: string): string {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 10 || code === 13 || code > 255) {
      throw new Fault('invalidArgument', { detail: 'line break or wide character in text to sign' });
    }
  }
  return text;
}

/** The request target without the `?` of an empty query, which clients leave out of what they sign. */
export function signedTarget(target: string): string {
  const end = target.length - 1;
  return assertSingleLine(target.indexOf('?') === end && end >= 0 ? target.slice(0, end) : target);
}

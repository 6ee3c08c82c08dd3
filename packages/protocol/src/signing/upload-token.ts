/** Upload tokens: `<access key>:<signature>:<encoded policy>`, with the signature over the encoded policy as it is. */
import { encodeBase64Text } from '../base64.ts';
import type { Hashing, SecretKey } from '../hashing.ts';
import { type AccessKeyPair, decodeSignature, type Signature, signText, verifyText } from './hmac.ts';

export interface UploadToken extends Signature {
  /** URL-safe Base64 of the policy's JSON; not decoded, since nothing in it may be trusted before the signature is verified. */
  readonly encodedPolicy: string;
}

export function makeUploadToken(hashing: Hashing, keys: AccessKeyPair, policyJson: string): string {
  const encodedPolicy = encodeBase64Text(policyJson);
  return `${signText(hashing, keys, [encodedPolicy])}:${encodedPolicy}`;
}

/** Undefined unless there are exactly three parts, each well formed. */
export function splitUploadToken(token: string): UploadToken | undefined {
  const first = token.indexOf(':');
  const second = token.indexOf(':', first + 1);
  if (first < 0 || second < 0) return undefined;
  const signature = decodeSignature(token.slice(0, first), token.slice(first + 1, second));
  const encodedPolicy = token.slice(second + 1);
  if (signature === undefined || !/^[A-Za-z0-9_-]+={0,2}$/.test(encodedPolicy)) return undefined;
  return { ...signature, encodedPolicy };
}

export function verifyUploadToken(hashing: Hashing, secretKey: SecretKey, token: UploadToken): boolean {
  return verifyText(hashing, secretKey, [token.encodedPolicy], token.signature);
}

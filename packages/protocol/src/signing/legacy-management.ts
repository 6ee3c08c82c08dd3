/**
 * The old management signature: target and form body, no method, no host, no headers. An upload callback is signed the
 * same way, which is why a signature made for a receiver must never be sent to one of our own routes.
 */
import type { Dialect } from '../dialect.ts';
import type { HashInput, Hashing, SecretKey } from '../hashing.ts';
import { type AccessKeyPair, signedTarget, signText, verifyText } from './hmac.ts';

export const FORM_TYPE = 'application/x-www-form-urlencoded';

export interface LegacyRequest {
  /** The raw request target, `path[?query]`. */
  readonly target: string;
  readonly contentType: string | undefined;
  readonly body: Uint8Array | undefined;
}

export function legacyStringToSign(request: LegacyRequest): HashInput[] {
  const head = `${signedTarget(request.target)}\n`;
  const body = signedBody(request);
  return body === undefined ? [head] : [head, body];
}

/** Whether the signed text of a request includes its body: unless it is a form, the body can be replaced. */
export function isLegacyBodySigned(request: LegacyRequest): boolean {
  return signedBody(request) !== undefined;
}

function signedBody({ contentType, body }: LegacyRequest): Uint8Array | undefined {
  return contentType === FORM_TYPE && body?.length ? body : undefined;
}

/** The value of the Authorization header. */
export function signLegacyManagement(
  hashing: Hashing,
  keys: AccessKeyPair,
  request: LegacyRequest,
  dialect: Dialect,
): string {
  return `${dialect.callbackScheme} ${signText(hashing, keys, legacyStringToSign(request))}`;
}

export function verifyLegacyManagement(
  hashing: Hashing,
  secretKey: SecretKey,
  request: LegacyRequest,
  signature: Uint8Array,
): boolean {
  return verifyText(hashing, secretKey, legacyStringToSign(request), signature);
}

/**
 * The old management signature: target and form body, no method, no host, no headers. An upload callback is signed the
 * same way, which is why a signature made for a receiver must never be sent to one of our own routes.
 */
import type { Dialect } from '../dialect.ts';
import type { Hashing, Piece, SecretKey } from '../hashing.ts';
import { type AccessKeyPair, signedTarget, signText, verifyText } from './text.ts';

export const FORM_TYPE = 'application/x-www-form-urlencoded';

export interface OldRequest {
  /** The raw request target, `path[?query]`. */
  readonly target: string;
  readonly contentType: string | undefined;
  readonly body: Uint8Array | undefined;
}

export function oldText(request: OldRequest): Piece[] {
  const head = `${signedTarget(request.target)}\n`;
  const body = signedBody(request);
  return body === undefined ? [head] : [head, body];
}

/** Whether the signed text of a request includes its body: unless it is a form, the body can be replaced. */
export function isOldBodySigned(request: OldRequest): boolean {
  return signedBody(request) !== undefined;
}

function signedBody({ contentType, body }: OldRequest): Uint8Array | undefined {
  return contentType === FORM_TYPE && body?.length ? body : undefined;
}

/** The value of the Authorization header. */
export function signOld(
  hashing: Hashing,
  keys: AccessKeyPair,
  request: OldRequest,
  dialect: Dialect,
): string {
  return `${dialect.callbackScheme} ${signText(hashing, keys, oldText(request))}`;
}

export function verifyOld(
  hashing: Hashing,
  secretKey: SecretKey,
  request: OldRequest,
  signature: Uint8Array,
): boolean {
  return verifyText(hashing, secretKey, oldText(request), signature);
}

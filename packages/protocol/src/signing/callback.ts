/**
 * The signature of an upload callback: over the target and, for the form type only, the body, as its URL-safe Base64 or as
 * its bytes, which the dialect says. For any other content type it does not cover the body at all.
 */
import { encodeBase64 } from '../base64.ts';
import type { Dialect } from '../dialect.ts';
import { Fault } from '../errors/fault.ts';
import type { Hashing } from '../hashing.ts';
import { afterScheme } from './credential.ts';
import { type AccessKeyPair, parseSignature } from './hmac.ts';
import {
  FORM_TYPE,
  type LegacyRequest,
  signLegacyManagement,
  verifyLegacyManagement,
} from './legacy-management.ts';

/** The value of the Authorization header. */
export function signCallback(
  hashing: Hashing,
  keys: AccessKeyPair,
  request: LegacyRequest,
  dialect: Dialect,
): string {
  // A text that begins with anything but a path could be made to look like a signed request of the new form.
  if (!request.target.startsWith('/'))
    throw new Fault('invalidArgument', { hint: 'a callback must have a path' });
  return signLegacyManagement(hashing, keys, asSigned(request, dialect), dialect);
}

/** For receivers. Also false for a signature with another access key. */
export function verifyCallback(
  hashing: Hashing,
  keys: AccessKeyPair,
  request: LegacyRequest,
  authorization: string | undefined,
  dialect: Dialect,
): boolean {
  const given = parseSignature(afterScheme(authorization, dialect.callbackScheme) ?? '');
  if (given?.accessKey !== keys.accessKey) return false;
  return verifyLegacyManagement(hashing, keys.secretKey, asSigned(request, dialect), given.signature);
}

function asSigned(request: LegacyRequest, { signedBody }: Dialect): LegacyRequest {
  if (signedBody === 'raw' || request.contentType !== FORM_TYPE || request.body === undefined) return request;
  return { ...request, body: new TextEncoder().encode(encodeBase64(request.body)) };
}

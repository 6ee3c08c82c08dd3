/**
 * Reads the Authorization header. A value with a colon is a signature or invalid, one without is an access token or
 * invalid: a request must not be tried first as one and then as the other.
 */
import { type Dialect, UPLOAD_SCHEME } from '../dialect.ts';
import { parseSignature, type Signature } from './hmac.ts';

export type Credential =
  | ({ readonly kind: 'signature'; readonly scheme: 'new' | 'old' } & Signature)
  | { readonly kind: 'token'; readonly token: string };

const ACCESS_TOKEN = /^[A-Za-z0-9\-._~+/]{1,4096}={0,2}$/;

/**
 * The credential of a management call. `Bearer` is what HTTP libraries write before a token. Undefined means a bad
 * credential, whatever is wrong with it.
 */
export function parseCredential(authorization: string | undefined, dialect: Dialect): Credential | undefined {
  const credential = afterScheme(authorization, dialect.scheme);
  if (credential !== undefined) {
    if (credential.includes(':')) return signatureCredential('new', credential);
    return tokenCredential(credential);
  }
  const bearer = afterScheme(authorization, 'Bearer');
  if (bearer !== undefined) return tokenCredential(bearer);
  if (!dialect.oldSigning) return undefined;
  return signatureCredential('old', afterScheme(authorization, dialect.callbackScheme));
}

/** The upload token of a call of a resumable upload, not yet split. */
export function parseUploadAuthorization(authorization: string | undefined): string | undefined {
  return afterScheme(authorization, UPLOAD_SCHEME) || undefined;
}

/** What follows the scheme word and one space. */
export function afterScheme(authorization: string | undefined, scheme: string): string | undefined {
  return authorization?.startsWith(`${scheme} `) ? authorization.slice(scheme.length + 1) : undefined;
}

function tokenCredential(token: string): Credential | undefined {
  return ACCESS_TOKEN.test(token) ? { kind: 'token', token } : undefined;
}

function signatureCredential(scheme: 'new' | 'old', text: string | undefined): Credential | undefined {
  const signature = text === undefined ? undefined : parseSignature(text);
  return signature && { kind: 'signature', scheme, ...signature };
}

/** ID tokens as a provider, or somebody who would like to be one, could write them. */
import { createHmac, type KeyObject, sign } from 'node:crypto';

type Part = Readonly<Record<string, unknown>>;

const encoded = (value: Part) => Buffer.from(JSON.stringify(value)).toString('base64url');

export function signedByKey(claims: Part, key: KeyObject, kid: string): string {
  const text = `${encoded({ alg: 'RS256', kid })}.${encoded(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}

export function signedBySecret(claims: Part, secret: string | Buffer, kid?: string): string {
  const text = `${encoded({ alg: 'HS256', kid })}.${encoded(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

export function unsigned(claims: Part, alg = 'none'): string {
  return `${encoded({ alg })}.${encoded(claims)}.`;
}

/** Other claims under the signature of these. */
export function changedAfterwards(claims: Part, changed: Part, key: KeyObject, kid: string): string {
  const [head, , signature] = signedByKey(claims, key, kid).split('.');
  return `${head}.${encoded(changed)}.${signature}`;
}

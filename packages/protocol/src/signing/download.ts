/**
 * Private download URLs: `<url>?e=<unix seconds>&token=<access key>:<signature>`, the signature over all that stands
 * before `&token`. The token comes last, so no parameter can be added to a signed URL.
 */
import { Fault } from '../errors/fault.ts';
import type { Hashing, SecretKey } from '../hashing.ts';
import {
  type AccessKeyPair,
  checkLine,
  parseSignature,
  type Signature,
  signText,
  verifyText,
} from './text.ts';

export interface DownloadToken extends Signature {
  /** The request target up to the token, as it was signed. */
  readonly signedTarget: string;
  /** Unix seconds. */
  readonly deadline: number;
}

/** The URL must be absolute and percent-encoded as it will be sent. It may have a query, but no fragment. */
export function signDownloadUrl(
  hashing: Hashing,
  keys: AccessKeyPair,
  url: string,
  deadline: number,
): string {
  if (!/^https?:\/\//.test(url) || url.includes('#')) {
    throw new Fault('invalidArgument', { hint: 'an absolute http or https URL without fragment is needed' });
  }
  if (!Number.isSafeInteger(deadline) || deadline < 0) {
    throw new Fault('invalidArgument', { hint: 'the deadline is in whole unix seconds' });
  }
  const signed = checkLine(`${url}${url.includes('?') ? '&' : '?'}e=${deadline}`);
  return `${signed}&token=${signText(hashing, keys, [signed])}`;
}

/**
 * Takes a raw request target apart. Undefined when it ends in no well-formed token. Of several `e` the one beside the
 * token counts: it is the one the signer added.
 */
export function splitDownloadToken(target: string): DownloadToken | undefined {
  const query = target.indexOf('?');
  const at = target.lastIndexOf('&token=');
  if (query < 0 || at < query) return undefined;
  const signedTarget = target.slice(0, at);
  const signature = parseSignature(target.slice(at + '&token='.length));
  const separator = Math.max(signedTarget.lastIndexOf('&'), query);
  const digits = /^e=([0-9]{1,15})$/.exec(signedTarget.slice(separator + 1))?.[1];
  if (signature === undefined || digits === undefined) return undefined;
  return { ...signature, signedTarget, deadline: Number(digits) };
}

/** Behind a proxy the scheme that the client saw is not known for sure, so a signature of either form is good. */
export function verifyDownloadToken(
  hashing: Hashing,
  secretKey: SecretKey,
  host: string,
  token: DownloadToken,
): boolean {
  return ['http', 'https'].some((scheme) =>
    verifyText(hashing, secretKey, [`${scheme}://${host}${token.signedTarget}`], token.signature),
  );
}

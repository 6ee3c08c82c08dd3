/**
 * Private download URLs: `<url>?e=<unix seconds>&token=<access key>:<signature>`, with the signature over everything
 * before `&token`. The output of query builders is accepted too: a percent-encoded token, and parameters in any order.
 * Only what was signed counts.
 */
import { Fault } from '../errors/fault.ts';
import type { Hashing, SecretKey } from '../hashing.ts';
import { decodePercent } from '../percent.ts';
import {
  type AccessKeyPair,
  assertSingleLine,
  parseSignature,
  type Signature,
  signText,
  verifyText,
} from './hmac.ts';

/** A request target without its token, as it may have been signed. */
export interface SignedTarget {
  readonly target: string;
  /** Unix seconds. */
  readonly deadline: number;
}

export interface DownloadToken extends Signature {
  /**
   * Up to the token; and if more follows, the whole without the token. The signature is for one of them, and only its
   * parameters may be trusted.
   */
  readonly candidates: readonly [SignedTarget, ...SignedTarget[]];
}

/** The URL must be absolute and percent-encoded as it will be sent. It may have a query, but no fragment. */
export function signDownloadUrl(
  hashing: Hashing,
  keys: AccessKeyPair,
  url: string,
  deadline: number,
): string {
  if (!/^https?:\/\//.test(url) || url.includes('#')) {
    throw new Fault('invalidArgument', {
      hint: 'the URL must be absolute, http or https, without a fragment',
    });
  }
  if (!Number.isSafeInteger(deadline) || deadline < 0) {
    throw new Fault('invalidArgument', { hint: 'the deadline must be in whole unix seconds' });
  }
  const signed = assertSingleLine(`${url}${url.includes('?') ? '&' : '?'}e=${deadline}`);
  return `${signed}&token=${signText(hashing, keys, [signed])}`;
}

/**
 * Splits a raw request target; undefined if it has no token, a fault that says what is wrong if it has a bad one. Of
 * several `token` parameters the last counts, and likewise of several `e`: it is the one the signer added.
 */
export function splitDownloadToken(target: string): DownloadToken | undefined {
  const mark = target.indexOf('?');
  const parameters = mark < 0 ? [] : target.slice(mark + 1).split('&');
  const at = parameters.findLastIndex((parameter) => parameter.startsWith(TOKEN));
  if (at < 0) return undefined;
  const signature = parseSignature(textAfter(parameters[at], TOKEN));
  if (signature === undefined)
    throw invalidDownloadSignature(
      'token must be <access key>:<signature>, with the signature in URL-safe Base64',
    );
  const [path, before, after] = [target.slice(0, mark), parameters.slice(0, at), parameters.slice(at + 1)];
  const orders = after.length === 0 ? [before] : [before, [...before, ...after]];
  const [first, ...more] = orders.flatMap((order) => signedTarget(path, order));
  if (first === undefined)
    throw invalidDownloadSignature(
      parameters.some(isEnd)
        ? 'e must be in unix seconds'
        : 'e is missing: the time until which the URL is valid, in unix seconds, signed with it',
    );
  return { ...signature, candidates: [first, ...more] };
}

/**
 * The target that was signed. Behind a proxy we can't be sure which scheme the client saw, so a signature for either is
 * accepted.
 */
export function verifyDownloadToken(
  hashing: Hashing,
  secretKey: SecretKey,
  host: string,
  { candidates, signature }: DownloadToken,
): SignedTarget | undefined {
  return candidates.find(({ target }) =>
    ['http', 'https'].some((scheme) =>
      verifyText(hashing, secretKey, [`${scheme}://${host}${target}`], signature),
    ),
  );
}

const TOKEN = 'token=';
const END = 'e=';

function isEnd(parameter: string): boolean {
  return parameter.startsWith(END);
}

/** Empty if no `e` gives an expiry. */
function signedTarget(path: string, parameters: readonly string[]): SignedTarget[] {
  const seconds = textAfter(parameters.findLast(isEnd), END);
  if (!/^[0-9]{1,15}$/.test(seconds)) return [];
  return [{ target: `${path}?${parameters.join('&')}`, deadline: Number(seconds) }];
}

function textAfter(parameter: string | undefined, name: string): string {
  return decodePercent(parameter?.slice(name.length) ?? '') ?? '';
}

function invalidDownloadSignature(hint: string): Fault {
  return new Fault('badToken', { hint });
}

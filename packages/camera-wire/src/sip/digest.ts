/**
 * Digest authentication (RFC 2617) as cameras speak it: MD5, with `qop=auth` or, for older cameras, without. GB/T 28181 asks
 * for MD5; nothing else of ours relies on it.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import { SipParseError } from './fault.ts';

export interface Credentials {
  readonly username: string;
  readonly realm: string;
  readonly nonce: string;
  readonly uri: string;
  readonly response: string;
  /** Undefined: without `qop`. */
  readonly count: { readonly nc: string; readonly cnonce: string } | undefined;
}

const MAX_LENGTH = 2_048;
const PARAMETER = /[ \t]*([A-Za-z0-9_-]{1,32})[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))[ \t]*(?:,|$)/y;
const RESPONSE = /^[0-9a-f]{32}$/i;

/** Reads an Authorization header. */
export function parseCredentials(header: string): Credentials {
  const begin = /^Digest[ \t]+/i.exec(header)?.[0].length;
  if (begin === undefined || header.length > MAX_LENGTH) throw new SipParseError('no digest credentials');
  const parameters = readParameters(header, begin);
  const needed = (name: string): string => {
    const value = parameters.get(name);
    if (value === undefined || value === '') throw new SipParseError(`the credentials lack ${name}`);
    return value;
  };
  const algorithm = parameters.get('algorithm') ?? 'MD5';
  const qop = parameters.get('qop');
  if (algorithm.toUpperCase() !== 'MD5') throw new SipParseError('the algorithm is not MD5');
  if (qop !== undefined && qop !== 'auth') throw new SipParseError('the qop is not auth');
  const response = needed('response');
  if (!RESPONSE.test(response)) throw new SipParseError('the response is malformed');
  return {
    username: needed('username'),
    realm: needed('realm'),
    nonce: needed('nonce'),
    uri: needed('uri'),
    response: response.toLowerCase(),
    count: qop === undefined ? undefined : { nc: readCount(needed('nc')), cnonce: needed('cnonce') },
  };
}

function readParameters(header: string, begin: number): Map<string, string> {
  const parameters = new Map<string, string>();
  PARAMETER.lastIndex = begin;
  while (PARAMETER.lastIndex < header.length) {
    const found = PARAMETER.exec(header);
    if (found === null) throw new SipParseError('the credentials are malformed');
    const [, name = '', quoted, bare] = found;
    const key = name.toLowerCase();
    if (parameters.has(key)) throw new SipParseError(`the credentials give ${key} twice`);
    parameters.set(key, quoted?.replace(/\\(.)/g, '$1') ?? bare ?? '');
  }
  return parameters;
}

function readCount(nc: string): string {
  if (!/^[0-9a-f]{8}$/i.test(nc)) throw new SipParseError('nc is malformed');
  return nc;
}

/** What somebody who knows the password would have written. */
export function digestResponse(
  credentials: Omit<Credentials, 'response'>,
  password: string,
  method: string,
): string {
  const { username, realm, nonce, uri, count } = credentials;
  const secret = md5(`${username}:${realm}:${password}`);
  const asked = md5(`${method}:${uri}`);
  return count === undefined
    ? md5(`${secret}:${nonce}:${asked}`)
    : md5(`${secret}:${nonce}:${count.nc}:${count.cnonce}:auth:${asked}`);
}

export function isResponseOf(credentials: Credentials, password: string, method: string): boolean {
  const expected = digestResponse(credentials, password, method);
  return timingSafeEqual(Buffer.from(expected), Buffer.from(credentials.response));
}

/** Headers are read byte by byte, so they are hashed that way; non-ASCII text stays the bytes that the camera sent. */
function md5(text: string): string {
  return hash('md5', Buffer.from(text, 'latin1'), 'hex');
}

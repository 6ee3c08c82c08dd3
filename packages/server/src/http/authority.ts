/**
 * Which host a request is for, and which target there (RFC 9112, 3.2 and 3.3). Signatures cover the host followed by the
 * target: a Host that holds more than host and port would move the border between the two, and a signed URL would open a
 * different one.
 */
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

/** Host and target, both as received; or what is wrong with them. */
export type Authority =
  | { readonly host: string; readonly target: string; readonly hint?: undefined }
  | { readonly host?: undefined; readonly target?: undefined; readonly hint: string };

/** RFC 3986: an IPv6 address in brackets, a name or an IPv4 address; then a port. No userinfo: it is not sent over the wire. */
const HOST = /^(?:\[([0-9A-Fa-f:.]+)\]|(?:[\w.~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+)(?::\d{0,5})?$/;
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/is;

export function isHost(text: string): boolean {
  const [found, address] = HOST.exec(text) ?? [];
  return found !== undefined && (address === undefined || isIPv6(address));
}

/**
 * A target in absolute form names the host itself, and the Host header is then ignored. The signer of such a URL signed its
 * path and its host, so it is read as if it had been sent in two pieces.
 */
export function authorityOf(request: IncomingMessage): Authority {
  const host = request.headers.host;
  const target = request.url ?? '/';
  if (host === undefined ? request.httpVersion !== '1.0' : !isHost(host))
    return { hint: 'a request must have one Host header, written `host` or `host:port`' };
  if (hasSeveralHosts(request.rawHeaders))
    return { hint: 'a request must have one Host header, not several' };
  if (target.startsWith('/') || target === '*') return { host: host ?? '', target };
  const [, named, rest = ''] = ABSOLUTE.exec(target) ?? [];
  if (named === undefined || !isHost(named))
    return {
      hint: 'the target must be a path with its query, or a full http or https URL without a user name',
    };
  if (rest === '' && request.method === 'OPTIONS') return { host: named, target: '*' };
  return { host: named, target: rest.startsWith('/') ? rest : `/${rest}` };
}

function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count > 1;
}

/**
 * What a user's URL must satisfy before anything is looked up. The text is parsed once, by the WHATWG rules; host, port and
 * path are used as parsed from then on, never as written.
 */
import { isIP } from 'node:net';
import { OutboundError } from './faults.ts';

export interface TargetRules {
  /** Ports that URLs may name. */
  readonly ports: 'any' | readonly number[];
  /** Whether `host` or `host:port` (lower case, no trailing dot) is a name that we serve. */
  readonly isOwnHost: (host: string) => boolean;
}

export interface CheckedUrl {
  readonly secure: boolean;
  /** `https://example.com:8443`, as a pool's key; the default port is left out. */
  readonly origin: string;
  /** Host name in ASCII, or an address without brackets; no trailing dot. */
  readonly hostname: string;
  readonly port: number;
  /** `host[:port]`, as in the Host header. */
  readonly host: string;
  /** Path with query, as it is sent. */
  readonly path: string;
}

const MAX_URL_BYTES = 2048;
const MAX_HOST_LENGTH = 253;
/** WHATWG parsing would drop or trim these; two readers of one URL must not see two hosts. */
const INVISIBLE = /[\s\p{Cc}]/u;
const START = /^https?:\/\/([^/\\?#]+)/i;
const HOST_OVERRIDE = /^(?:[^\s/\\?#@:[\]%]+|\[[0-9a-fA-F:.]+\])(?::[1-9]\d{0,4})?$/;

/** Names of the services behind the metadata addresses, for resolvers and proxies that know these names although we do not. */
const METADATA_NAMES = new Set([
  'metadata.google.internal',
  'metadata.goog',
  'metadata.tencentyun.com',
  'instance-data',
  'instance-data.ec2.internal',
]);

/** Throws OutboundError 'blocked'. */
export function parseCheckedUrl(text: string, rules: TargetRules): CheckedUrl {
  if (Buffer.byteLength(text) > MAX_URL_BYTES) throw malformed('the URL is longer than 2048 bytes');
  if (INVISIBLE.test(text)) throw malformed('the URL contains white space or control characters');
  const authority = START.exec(text)?.[1];
  if (authority === undefined) throw malformed('the URL does not begin with http:// or https:// and a host');
  const url = URL.parse(text);
  if (url === null) throw malformed('the URL is not valid');
  if (authority.includes('@') || url.username !== '' || url.password !== '')
    throw malformed('the URL contains a user name or password', { host: url.hostname, reason: 'userinfo' });
  const hostname = plainHostname(url.hostname);
  const secure = url.protocol === 'https:';
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  if (hostname.length === 0 || hostname.length > MAX_HOST_LENGTH || port === 0)
    throw malformed('the URL is not valid');
  if (rules.ports !== 'any' && !rules.ports.includes(port))
    throw urlRejected(hostname, 'port', 'this port is not allowed');
  checkName(hostname, port, rules);
  const named = isIP(hostname) === 6 ? `[${hostname}]` : hostname;
  const host = url.port === '' ? named : `${named}:${url.port}`;
  return {
    secure,
    origin: `${url.protocol}//${host}`,
    hostname,
    port,
    host,
    path: url.pathname + url.search,
  };
}

/** `host[:port]` in canonical form, for the Host header and TLS only. Throws OutboundError 'blocked'. */
export function parseHostOverride(text: string, rules: TargetRules): string {
  const url =
    text.length <= MAX_HOST_LENGTH + 6 && HOST_OVERRIDE.test(text) && !INVISIBLE.test(text)
      ? URL.parse(`http://${text}/`)
      : null;
  if (url === null || url.hostname === '' || url.pathname !== '/')
    throw malformed('the host must be written host[:port]');
  const hostname = plainHostname(url.hostname);
  const port = /:(\d+)$/.exec(text)?.[1];
  checkName(hostname, port === undefined ? undefined : Number(port), rules);
  const named = isIP(hostname) === 6 ? `[${hostname}]` : hostname;
  return port === undefined ? named : `${named}:${Number(port)}`;
}

/** The name part of `host[:port]` for TLS; undefined for addresses, which have none. */
export function serverNameOf(host: string): string | undefined {
  const name = host.startsWith('[') ? '' : host.replace(/:\d+$/, '');
  return name === '' || isIP(name) !== 0 ? undefined : name;
}

function checkName(hostname: string, port: number | undefined, rules: TargetRules): void {
  if (METADATA_NAMES.has(hostname)) throw urlRejected(hostname, 'metadata', 'this host is not allowed');
  const named = isIP(hostname) === 6 ? `[${hostname}]` : hostname;
  if (rules.isOwnHost(named) || (port !== undefined && rules.isOwnHost(`${named}:${port}`)))
    throw urlRejected(hostname, 'ownHost', 'this host is served by this service itself');
}

function plainHostname(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
}

function urlRejected(host: string, reason: string, detail: string): OutboundError {
  return new OutboundError('blocked', detail, { blocked: { host, address: undefined, reason } });
}

/** `logged` is for what is tried to lead us elsewhere. */
function malformed(detail: string, logged?: { host: string; reason: string }): OutboundError {
  const blocked = logged && { ...logged, address: undefined };
  return new OutboundError('blocked', detail, { isMalformed: true, ...(blocked && { blocked }) });
}

/**
 * Response headers that an object's owner may set: metadata names that begin with `!`. Headers that control a connection, a
 * proxy or a browser's protections are not among them.
 */
import {
  type Dialect,
  Fault,
  type MetadataChange,
  parseMetadataChange,
  responseHeaderName,
  responseHeaderNames,
} from '@millpond/protocol';

const OTHERS = new Set(['content-type', 'last-modified']);
/**
 * Servers in front, and the platforms they run on, obey these: they send another file or URL instead, cache, purge, or count
 * for somebody else.
 */
const PROXY_CONTROLS = [
  'accel',
  'sendfile',
  'lighttpd',
  'litespeed',
  'lscache',
  'lsadc',
  'reproxy',
  'archive',
  'envoy',
  'varnish',
  'esi',
  'appengine',
  'middleware',
  'nextjs',
  'vercel',
  'netlify',
  'amz',
  'goog',
  'ms',
  'azure',
  'fastly',
  'cf',
  'akamai',
  'edge',
  'cdn',
  'mod',
  'pagespeed',
  'proxy',
  'upstream',
  'backend',
  'internal',
  'redirect',
  'rewrite',
  'original',
  'cache',
  'forwarded',
  'real',
  'log',
  'set',
  'cookie',
  'http',
  'method',
  'host',
  'url',
  'location',
  'forward',
  'surrogate',
  'purge',
  'ban',
  'auth',
  'authenticated',
  'remote',
];
/** Browsers base protections on these. */
const BROWSER_SECURITY = [
  'content',
  'frame',
  'xss',
  'permitted',
  'download',
  'dns',
  'ua',
  'webkit',
  'csrf',
  'xsrf',
  'sourcemap',
];
const SERVER_OWN = ['reqid', 'svc', 'qn', 'qiniu', 'millpond'];
/** Matched as whole words: `x-login` is free for anybody. */
const RESERVED = new RegExp(
  `^x-(?:${[...PROXY_CONTROLS, ...BROWSER_SECURITY, ...SERVER_OWN].join('|')})(?![a-z])`,
);

/** One pair as received, by whichever route: `name` is what follows the dialect's prefix. */
export function readMetadataPair(
  name: string,
  value: string,
  dialect: Pick<Dialect, 'setsOtherHeaders'>,
): MetadataChange {
  const change = parseMetadataChange(name, value);
  if (change.kind === 'headers' && !maySet(change.name, dialect))
    throw invalidHeader(`the header ${change.name} can't be set, only ${responseHeaderNames.join(', ')}`);
  return change;
}

/** Which of all headers ever stored go out with a download: rules have been added since some were stored. */
export function isOwnersHeader(name: string): boolean {
  return responseHeaderName(name) !== undefined || OTHERS.has(name) || isOpenName(name);
}

function isOpenName(name: string): boolean {
  return name.startsWith('x-') && !RESERVED.test(name);
}

function maySet(name: string, { setsOtherHeaders }: Pick<Dialect, 'setsOtherHeaders'>): boolean {
  if (responseHeaderName(name) !== undefined) return true;
  return setsOtherHeaders && (OTHERS.has(name) || isOpenName(name));
}

function invalidHeader(hint: string): Fault {
  return new Fault('invalidArgument', { hint });
}

/**
 * Signs the URIs of a playlist that name objects of the playlist's own bucket. All others stay as they are: other buckets,
 * other hosts, and anything that is not an HTTP address.
 *
 * Players resolve and send URIs in different ways, and the signature covers what they send. So a URI made only of
 * characters that all players send alike keeps its form, and any other is written out. The key that is checked is the one
 * in the very path that is signed.
 */
import {
  type AccessKeyPair,
  decodePercent,
  printPm3u8,
  signDownloadUrl,
  type UriKind,
} from '@millpond/protocol';
import { nodeHashing } from '../../platform/hashing.ts';

export interface UriSigning {
  readonly keys: AccessKeyPair;
  /** Unix seconds. */
  readonly end: number;
  /** Only keys with this prefix may be signed. */
  readonly prefix: string | undefined;
  /** Host and raw path of the playlist, as requested. */
  readonly host: string;
  readonly path: string;
  /** The path prefix of the bucket's objects by host: `/`, or `/<bucket>/`. Hosts without one are not ours. */
  readonly roots: ReadonlyMap<string, string>;
}

/** A URI as it will be written. */
interface SignedUri {
  /** As written in the playlist, up to its query. */
  readonly text: string;
  /** As sent by the player. */
  readonly path: string;
  /** Without any earlier signature. */
  readonly query: readonly string[];
}

/** Characters that no player changes before sending. (Some change an apostrophe.) */
const PLAIN = /^[A-Za-z0-9._~!$&()*+,;=:@/?%[\]-]*$/;
const NOT_PLAIN = /[^A-Za-z0-9._~!$&()*+,;=:@/?%[\]-]/gu;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const OURS_BEFORE = /^(?:e=|token=|pm3u8(?:\/|$))/;

export class UriSigner {
  readonly #signing: UriSigning;
  readonly #base: URL;
  readonly #command: string;

  constructor(signing: UriSigning) {
    this.#signing = signing;
    this.#base = baseOf(signing);
    const { end: deadline, prefix } = signing;
    // Not `expires`: nothing that a playlist leads to may be valid for longer than the playlist said.
    this.#command = printPm3u8({ expires: undefined, deadline, prefix });
  }

  sign(uri: string, kind: UriKind): string {
    const { keys, end, prefix = '', host, roots } = this.#signing;
    const url = addressOf(uri, this.#base);
    const root = url && roots.get(url.host);
    if (url === undefined || root === undefined || !url.pathname.startsWith(root)) return uri;
    const { text, path, query } = this.#written(uri, url);
    const key = decodePercent(path.slice(root.length));
    if (key === undefined || key === '' || !key.startsWith(prefix)) return uri;
    const pieces = kind === 'playlist' ? [this.#command, ...query] : query;
    // The player will name its host the same way again.
    const place = `http://${url.host === this.#base.host ? host : url.host}${path}`;
    const unsigned = pieces.length === 0 ? place : `${place}?${pieces.join('&')}`;
    return text + signDownloadUrl(nodeHashing, keys, unsigned, end).slice(place.length);
  }

  #written(uri: string, url: URL): SignedUri {
    const [address = ''] = uri.split('#', 1);
    const [before = ''] = address.split('?', 1);
    const isRelative = !SCHEME.test(address) && !/^[\\/]{2}/.test(address);
    // The playlist's own path may be one that not all players send alike.
    const isBasePlain = this.#base.pathname === this.#signing.path;
    if (isRelative && isBasePlain && PLAIN.test(address))
      return { text: before, path: url.pathname, query: piecesOf(address.slice(before.length + 1)) };
    const path = encoded(url.pathname);
    return {
      text: this.#place(address, url, path) + path,
      path,
      query: piecesOf(encoded(url.search.slice(1))),
    };
  }

  /** Scheme and host, as far as they are needed. */
  #place(address: string, url: URL, path: string): string {
    if (SCHEME.test(address)) return url.origin;
    // Two slashes at the start of a path would be read as those before a host.
    return url.host === this.#base.host && !path.startsWith('//') ? '' : `//${url.host}`;
  }
}

/** The URI's host if it differs from the playlist's own; otherwise undefined. */
export function otherHostOf(uri: string, at: Pick<UriSigning, 'host' | 'path'>): string | undefined {
  // Only these can name a host.
  if (!SCHEME.test(uri) && !/^\s*[\\/]/.test(uri)) return undefined;
  const base = baseOf(at);
  const host = addressOf(uri, base)?.host;
  return host === base.host ? undefined : host;
}

export function hostOf({ host, path }: Pick<UriSigning, 'host' | 'path'>): string {
  return baseOf({ host, path }).host;
}

export function baseOf({ host, path }: Pick<UriSigning, 'host' | 'path'>): URL {
  return new URL(`http://${host}${path}`);
}

/** Undefined if it can't be one of our addresses. */
export function addressOf(uri: string, base: URL): URL | undefined {
  // Another scheme (data:, skd:), or a variable that only the player knows.
  if ((SCHEME.test(uri) && !/^https?:\/\//i.test(uri)) || uri.includes('{$')) return undefined;
  const url = URL.parse(uri, base);
  return url === null || url.username !== '' || url.password !== '' ? undefined : url;
}

/** Parameters of a query, without any earlier signature. */
export function piecesOf(query: string): string[] {
  return query.split('&').filter((piece) => piece !== '' && !OURS_BEFORE.test(piece));
}

/** As all players send it. */
export function encoded(text: string): string {
  return text.replace(NOT_PLAIN, (character) => (character === "'" ? '%27' : encodeURIComponent(character)));
}

/**
 * Signs the URIs of a playlist that name objects of the playlist's own bucket. All others stay as they are: other buckets,
 * other hosts, and what is no address of http.
 *
 * Players resolve URIs and send them in their own ways, and the signature goes over what they send. So a URI that has only
 * characters that everybody sends alike keeps its form, and any other is written out. The key that is judged is that
 * of the very path that is signed.
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
  /** Keys that may be signed begin with it. */
  readonly prefix: string | undefined;
  /** Host and raw path of the playlist, as they were asked for. */
  readonly host: string;
  readonly path: string;
  /** The path under which the bucket's objects stand at a host: `/`, or `/<bucket>/`. Hosts without one are not ours. */
  readonly roots: ReadonlyMap<string, string>;
}

/** A URI as it is going to be. */
interface Written {
  /** In the playlist, up to its query. */
  readonly text: string;
  /** As it is sent. */
  readonly path: string;
  /** Without what signed it before. */
  readonly query: readonly string[];
}

/** Characters that no player changes before it sends them. (Some change an apostrophe.) */
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
    // Not `expires`: nothing that a playlist leads to is good for longer than the playlist said.
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
    // As the player names its own host, so it will again.
    const place = `http://${url.host === this.#base.host ? host : url.host}${path}`;
    const unsigned = pieces.length === 0 ? place : `${place}?${pieces.join('&')}`;
    return text + signDownloadUrl(nodeHashing, keys, unsigned, end).slice(place.length);
  }

  #written(uri: string, url: URL): Written {
    const [address = ''] = uri.split('#', 1);
    const [before = ''] = address.split('?', 1);
    const isRelative = !SCHEME.test(address) && !/^[\\/]{2}/.test(address);
    // The player's own path may be one that not everybody would send so.
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

  /** Scheme and host, as far as they must be named. */
  #place(address: string, url: URL, path: string): string {
    if (SCHEME.test(address)) return url.origin;
    // Two slashes at the beginning of a path would be read as those before a host.
    return url.host === this.#base.host && !path.startsWith('//') ? '' : `//${url.host}`;
  }
}

/** The host of another address than the playlist's own; undefined where there is none. */
export function otherHostOf(uri: string, at: Pick<UriSigning, 'host' | 'path'>): string | undefined {
  // Only these can name one.
  if (!SCHEME.test(uri) && !/^\s*[\\/]/.test(uri)) return undefined;
  const base = baseOf(at);
  const host = addressOf(uri, base)?.host;
  return host === base.host ? undefined : host;
}

export function hostOf({ host, path }: Pick<UriSigning, 'host' | 'path'>): string {
  return baseOf({ host, path }).host;
}

function baseOf({ host, path }: Pick<UriSigning, 'host' | 'path'>): URL {
  return new URL(`http://${host}${path}`);
}

/** Undefined where it can't be an address of ours. */
function addressOf(uri: string, base: URL): URL | undefined {
  // Of another kind (data:, skd:), or with a variable that only the player knows.
  if ((SCHEME.test(uri) && !/^https?:\/\//i.test(uri)) || uri.includes('{$')) return undefined;
  const url = URL.parse(uri, base);
  return url === null || url.username !== '' || url.password !== '' ? undefined : url;
}

function piecesOf(query: string): string[] {
  return query.split('&').filter((piece) => piece !== '' && !OURS_BEFORE.test(piece));
}

function encoded(text: string): string {
  return text.replace(NOT_PLAIN, (character) => (character === "'" ? '%27' : encodeURIComponent(character)));
}

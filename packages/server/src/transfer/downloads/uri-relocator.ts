/**
 * Writes the URIs of a playlist for a session of the console, which reads the bucket's objects on its own origin, without
 * signatures: those that name an object of the playlist's own bucket, by whatever host, are written relative to the playlist, so
 * that the browser asks the same origin for them. All others stay as they are.
 */
import { decodePercent, printPm3u8, type UriKind } from '@millpond/protocol';
import { addressOf, baseOf, encoded, piecesOf, type UriSigning } from './uri-signer.ts';

export type UriBase = Pick<UriSigning, 'prefix' | 'host' | 'path' | 'roots'>;

export class UriRelocator {
  readonly #place: UriBase;
  readonly #base: URL;
  readonly #command: string;
  /** From the playlist to the bucket's objects: `./`, or `../` for each folder that it is in. */
  readonly #up: string;

  constructor(place: UriBase) {
    this.#place = place;
    this.#base = baseOf(place);
    this.#command = printPm3u8({ expires: undefined, deadline: undefined, prefix: place.prefix });
    const root = place.roots.get(this.#base.host) ?? '/';
    this.#up = '../'.repeat(this.#base.pathname.slice(root.length).split('/').length - 1) || './';
  }

  write(uri: string, kind: UriKind): string {
    const { prefix = '', roots } = this.#place;
    const url = addressOf(uri, this.#base);
    const root = url && roots.get(url.host);
    if (url === undefined || root === undefined || !url.pathname.startsWith(root)) return uri;
    const path = encoded(url.pathname.slice(root.length));
    const key = decodePercent(path);
    if (key === undefined || key === '' || !key.startsWith(prefix)) return uri;
    const query = piecesOf(encoded(url.search.slice(1)));
    const pieces = kind === 'playlist' ? [this.#command, ...query] : query;
    return `${this.#up}${path}${pieces.length === 0 ? '' : `?${pieces.join('&')}`}`;
  }
}

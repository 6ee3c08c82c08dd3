/**
 * HLS playlists (RFC 8216), line by line: each URI can be replaced, and everything else stays the same, to the byte.
 * Not all tags need to be known: an attribute `URI` is one in every tag that has it.
 */

/** What a URI leads to: another playlist, or anything to be played, used for decoding or shown. */
export type UriKind = 'playlist' | 'file';

export type ReplaceUri = (uri: string, kind: UriKind) => string;

/** Tags whose own URI names a playlist. */
const PLAYLIST_TAGS = new Set([
  'EXT-X-MEDIA',
  'EXT-X-I-FRAME-STREAM-INF',
  'EXT-X-IMAGE-STREAM-INF',
  'EXT-X-RENDITION-REPORT',
]);
/** The tag whose URI is the next line. */
const VARIANT_TAG = 'EXT-X-STREAM-INF';
const TAG = /^#(EXT[A-Z0-9-]*)(?::(.*))?$/s;
const ATTRIBUTE = /([A-Z0-9-]+)=("[^"]*"|[^",]*)(,|$)/y;

/** Whether a text is a playlist at all. */
export function isPlaylist(text: string): boolean {
  return /^\uFEFF?#EXTM3U[ \t]*(?:\r?\n|$)/.test(text);
}

export class PlaylistRewriter {
  readonly #replace: ReplaceUri;
  #isVariantNext = false;

  constructor(replace: ReplaceUri) {
    this.#replace = replace;
  }

  /** One line, without its line feed; a carriage return before that is allowed, and stays. */
  line(line: string): string {
    const end = line.endsWith('\r') ? line.length - 1 : line.length;
    const text = line.slice(0, end);
    if (text.trim() === '') return line;
    return (text.startsWith('#') ? this.#tag(text) : this.#uri(text)) + line.slice(end);
  }

  #uri(text: string): string {
    const kind = this.#isVariantNext || namesPlaylist(text) ? 'playlist' : 'file';
    this.#isVariantNext = false;
    const uri = text.trim();
    return text.replace(uri, () => this.#replace(uri, kind));
  }

  #tag(text: string): string {
    const [, name = '', attributes] = TAG.exec(text) ?? [];
    if (name === VARIANT_TAG) this.#isVariantNext = true;
    if (attributes === undefined || !attributes.includes('URI="')) return text;
    const written: string[] = [];
    ATTRIBUTE.lastIndex = 0;
    let at = 0;
    for (let found = ATTRIBUTE.exec(attributes); found !== null; found = ATTRIBUTE.exec(attributes)) {
      const [whole, attribute = '', value = '', comma = ''] = found;
      written.push(
        attribute === 'URI' && value.startsWith('"')
          ? `URI="${this.#attribute(name, value.slice(1, -1))}"${comma}`
          : whole,
      );
      at = ATTRIBUTE.lastIndex;
      if (at >= attributes.length) break;
    }
    // Whatever is no longer an attribute list stays as it is.
    return `#${name}:${written.join('')}${attributes.slice(at)}`;
  }

  #attribute(tag: string, uri: string): string {
    return this.#replace(uri, PLAYLIST_TAGS.has(tag) || namesPlaylist(uri) ? 'playlist' : 'file');
  }
}

function namesPlaylist(uri: string): boolean {
  return /\.m3u8?$/i.test(uri.replace(/[?#].*$/s, ''));
}

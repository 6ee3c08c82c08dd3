/** Where a list begins that need not be read from its top: markers are keys, so there is one for any place. */
import { encodeListMarker, MAX_KEY_BYTES } from '@millpond/protocol';

const LAST = '\u{10ffff}';

/** The marker after which `key`, if there is one, comes first: of the last key before it that anybody would use. */
export function markerBefore(key: string): string | undefined {
  const signs = Array.from(cut(key));
  const last = signs.pop()?.codePointAt(0);
  if (last === undefined) return undefined;
  const start = signs.join('');
  // There is nothing between a text and the same text with the lowest sign that keys may have.
  if (last <= 1) return encodeListMarker(start);
  const before = `${start}${String.fromCodePoint(last === 0xe000 ? 0xd7ff : last - 1)}`;
  return encodeListMarker(bytesOf(before + LAST) > MAX_KEY_BYTES ? before : before + LAST);
}

/** Longer ones are no keys. */
function cut(key: string): string {
  if (bytesOf(key) <= MAX_KEY_BYTES) return key;
  let [text, size] = ['', 0];
  for (const sign of key) {
    size += bytesOf(sign);
    if (size > MAX_KEY_BYTES) break;
    text += sign;
  }
  return text;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

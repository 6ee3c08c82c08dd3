/**
 * Ranges of keys in byte order. A range always has an end: with "no end, or before this key" PostgreSQL's plan would read
 * on to the end of the bucket wherever a folder is smaller than a page.
 */
import { MAX_KEY_BYTES } from '@millpond/protocol';

const LAST_CHARACTER = '\u{10ffff}';
/** Greater than every key: no key is long enough to begin with it, and no character comes after its own. */
export const AFTER_EVERY_KEY = LAST_CHARACTER.repeat(Math.floor(MAX_KEY_BYTES / 4) + 1);

/** The smallest text greater than everything with this prefix: UTF-8 sorts in code point order. */
export function firstAfterPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.length > 0) {
    const last = points.pop() ?? 0;
    if (last === 0x10_ff_ff) continue;
    // Surrogates are not characters: U+D7FF is followed by U+E000.
    return String.fromCodePoint(...points, last === 0xd7_ff ? 0xe0_00 : last + 1);
  }
  return undefined;
}

/** Where the keys with this prefix end (exclusive). */
export function endOfPrefix(prefix: string): string {
  return firstAfterPrefix(prefix) ?? AFTER_EVERY_KEY;
}

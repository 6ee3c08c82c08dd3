/**
 * JSON as received: bytes that must be UTF-8, and texts that can be encoded in it. A lone surrogate, which JSON can
 * spell, would be stored as U+FFFD and so become another text.
 */
import { decodeUtf8 } from './utf8.ts';

/** The escapes that stand for a character: two that are a pair of surrogates, one that is none of them, and the short ones. */
const WHOLE_ESCAPES =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u(?![dD][89a-fA-F])[\da-fA-F]{4}|[^u])/g;
const SURROGATE = /\\u[dD][89a-fA-F]/;

/** Undefined if it is not JSON. */
export function decodeJson(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    // By the text: looking at each value takes thirty times as long as parsing, and whoever sends the text decides how many there are.
    return SURROGATE.test(text) && text.replace(WHOLE_ESCAPES, '').includes('\\') ? undefined : value;
  } catch {
    return undefined;
  }
}

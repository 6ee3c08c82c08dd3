/**
 * JSON as it came: bytes that must be UTF-8, and texts that can be written as it. Half a surrogate pair, which JSON can
 * spell, would be stored as U+FFFD and so be another text.
 */
import { decodeUtf8 } from './utf8.ts';

const SURROGATE = /\\u[dD][89a-fA-F]/;

/** Undefined where it is none. */
export function decodeJson(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  if (text === undefined) return undefined;
  try {
    // Looking at each value costs far more than reading them, and few texts have a surrogate.
    return SURROGATE.test(text) ? JSON.parse(text, wellFormed) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function wellFormed(name: string, value: unknown): unknown {
  if (!name.isWellFormed() || (typeof value === 'string' && !value.isWellFormed()))
    throw new Error('half a surrogate pair');
  return value;
}

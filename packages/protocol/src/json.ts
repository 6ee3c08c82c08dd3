/**
 * JSON as received: bytes that must be UTF-8, and texts that can be encoded in it. A lone surrogate, which JSON can
 * spell, would be stored as U+FFFD and so become another text.
 */
import { decodeUtf8 } from './utf8.ts';

const SURROGATE = /\\u[dD][89a-fA-F]/;

/** Undefined if it is not JSON. */
export function decodeJson(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  if (text === undefined) return undefined;
  try {
    // Checking each value costs far more than parsing, and few texts have a surrogate.
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

/** Hexadecimal, plain Base64 and percent-encoding, as S3 writes them. */
import { encodeBase64, tryDecodeBase64 } from '../base64.ts';

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const ESCAPES = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  return /[A-Za-z0-9._~-]/.test(character) ? character : `%${(HEX[byte] ?? '').toUpperCase()}`;
});
const SLASH = 0x2f;
const PLUS = 0x2b;
const PERCENT = 0x25;

/** Lower case. */
export function encodeHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += HEX[byte];
  return text;
}

/** Undefined unless it is an even number of digits, of either case. */
export function decodeHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) return undefined;
  const bytes = new Uint8Array(text.length / 2);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(text.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}

/** With `+`, `/` and padding, unlike the interface's own. */
export function encodePlainBase64(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll('-', '+').replaceAll('_', '/');
}

/** Undefined unless it is the one plain encoding of some bytes. */
export function decodePlainBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || text.includes('-') || text.includes('_')) return undefined;
  return tryDecodeBase64(text.replaceAll('+', '-').replaceAll('/', '_'));
}

export function isUnreserved(text: string): boolean {
  return /^[A-Za-z0-9._~-]*$/.test(text);
}

/** Text as RFC 3986 escapes it: all but letters, digits and `-._~`. */
export function encodeUnreserved(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => ESCAPES[character.charCodeAt(0)] ?? '');
}

/** As `encoding-type=url` wants it in lists: a slash stays, and a space is never `+`, which not all clients decode. */
export function encodeListText(text: string): string {
  return encodeUnreserved(text).replaceAll('%2F', '/');
}

/** The bytes that escapes stand for, one per character; what is no escape stands for itself. */
export function decodeEscapes(text: string, plus: 'plus' | 'space'): string {
  if (!text.includes('%') && (plus === 'plus' || !text.includes('+'))) return text;
  let decoded = '';
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const escaped = code === PERCENT ? escapedByte(text, at) : -1;
    if (escaped >= 0) {
      decoded += String.fromCharCode(escaped);
      at += 2;
    } else decoded += code === PLUS && plus === 'space' ? ' ' : text[at];
  }
  return decoded;
}

/**
 * Escapes in the one way that is signed, whatever way they were written in: SDKs escape `$&()!`, others send them bare,
 * and both sign them escaped. In a path a slash stays and a plus is a plus; in a query a plus is a space.
 */
export function canonicalEscapes(text: string, where: 'path' | 'query'): string {
  if (where === 'path' ? /^[A-Za-z0-9._~/-]*$/.test(text) : isUnreserved(text)) return text;
  let escaped = '';
  for (let at = 0; at < text.length; at++) {
    let code = text.charCodeAt(at);
    if (code === SLASH && where === 'path') {
      escaped += '/';
      continue;
    }
    if (code === PLUS && where === 'query') code = 0x20;
    else if (code === PERCENT) {
      const byte = escapedByte(text, at);
      if (byte >= 0) {
        code = byte;
        at += 2;
      }
    }
    // An escaped slash of a path is the same byte as a bare one.
    escaped += code === SLASH && where === 'path' ? '/' : (ESCAPES[code & 0xff] ?? '');
  }
  return escaped;
}

/** The byte of `%XX` at that place; -1 if it is not an escape. */
function escapedByte(text: string, at: number): number {
  const high = digit(text.charCodeAt(at + 1));
  const low = digit(text.charCodeAt(at + 2));
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

function digit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : -1;
}

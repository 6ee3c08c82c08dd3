/**
 * URL-safe Base64 as the API uses it: written with padding, read with or without, and nothing else accepted. Strictness
 * is by re-encoding: a lenient decoder would let two paths name one object.
 */
import { Fault } from './errors/fault.ts';
import { decodeUtf8 } from './utf8.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const VALUES = new Int8Array(128).fill(-1);
for (let i = 0; i < ALPHABET.length; i++) VALUES[ALPHABET.charCodeAt(i)] = i;

const utf8Encoder = new TextEncoder();

export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const a = bytes[i] ?? 0;
    const b = bytes[i + 1];
    const c = bytes[i + 2];
    text += ALPHABET[a >> 2];
    text += ALPHABET[((a & 3) << 4) | ((b ?? 0) >> 4)];
    text += b === undefined ? '=' : ALPHABET[((b & 15) << 2) | ((c ?? 0) >> 6)];
    text += c === undefined ? '=' : ALPHABET[c & 63];
  }
  return text;
}

export function encodeBase64Text(text: string): string {
  return encodeBase64(utf8Encoder.encode(text));
}

/** Undefined if the text is anything but exactly one encoding of some bytes. */
export function tryDecodeBase64(text: string): Uint8Array | undefined {
  let length = text.length;
  if (length % 4 === 0 && text.endsWith('=')) length -= text.endsWith('==') ? 2 : 1;
  if (length % 4 === 1) return undefined;
  const bytes = new Uint8Array((length * 3) >> 2);
  let bits = 0;
  let bitCount = 0;
  let at = 0;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    const value = code < 128 ? (VALUES[code] ?? -1) : -1;
    if (value < 0) return undefined;
    bits = ((bits << 6) | value) & 0xffffff;
    bitCount += 6;
    if (bitCount >= 8) {
      bitCount -= 8;
      bytes[at++] = (bits >> bitCount) & 0xff;
    }
  }
  // Left-over bits must be zero, or several texts would decode to the same bytes.
  if ((bits & ((1 << bitCount) - 1)) !== 0) return undefined;
  return bytes;
}

export function decodeBase64(text: string): Uint8Array {
  const bytes = tryDecodeBase64(text);
  if (bytes !== undefined) return bytes;
  const hint = hintAbout(text);
  throw new Fault('invalidArgument', hint === undefined ? { detail: 'not URL-safe Base64' } : { hint });
}

/** Base64 of text. `notUtf8` is the fault for bytes that are not text. */
export function decodeBase64Text(
  encoded: string,
  notUtf8 = () => new Fault('invalidArgument', { hint: 'a value in the path is not UTF-8' }),
): string {
  const text = decodeUtf8(decodeBase64(encoded));
  if (text === undefined) throw notUtf8();
  return text;
}

/** For the two mistakes that libraries make on behalf of their users. */
function hintAbout(text: string): string | undefined {
  if (/%3d/i.test(text)) return 'write the Base64 = unescaped or leave it out: %3D is not decoded here';
  if (text.includes('+') || text.includes('/'))
    return 'this is plain Base64: the URL-safe form has - for + and _ for /';
  return undefined;
}

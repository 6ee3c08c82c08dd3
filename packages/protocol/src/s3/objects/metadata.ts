/**
 * Headers that are kept with an object: the metadata of users, and `Content-Encoding`. Node reads and writes header values as
 * one byte per character; values are kept as the UTF-8 that those bytes are, and given back as they came.
 */
import { decodeUtf8, encodeUtf8 } from '../../utf8.ts';
import { S3Fault } from '../fault.ts';

const META_PREFIX = 'x-amz-meta-';
/** Names and values together. */
const MAX_BYTES = 2048;

export function metadataIn(
  headers: Iterable<readonly [name: string, value: string]>,
): Record<string, string> {
  const meta: Record<string, string> = {};
  let bytes = 0;
  for (const [name, value] of headers) {
    if (!name.startsWith(META_PREFIX)) continue;
    const short = name.slice(META_PREFIX.length);
    bytes += short.length + value.length;
    if (bytes > MAX_BYTES)
      throw new S3Fault('MetadataTooLarge', {
        details: { Size: String(bytes), MaxSizeAllowed: String(MAX_BYTES) },
      });
    Object.defineProperty(meta, short, { value: decodeByteString(value), enumerable: true });
  }
  return meta;
}

/** With the prefix, by lower-case name. What can't be a header is left out: other protocols store more. */
export function metadataHeaders(
  meta: Readonly<Record<string, string>>,
  prefix = META_PREFIX,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(meta)) {
    const bytes = encodeByteString(value);
    if (/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(bytes))
      headers[prefix + name.toLowerCase()] = bytes;
  }
  return headers;
}

/** Invalid UTF-8 is returned unchanged. */
export function decodeByteString(value: string): string {
  return decodeUtf8(Uint8Array.from(value, (character) => character.charCodeAt(0))) ?? value;
}

/** One character per byte of the UTF-8. */
export function encodeByteString(text: string): string {
  let bytes = '';
  for (const byte of encodeUtf8(text)) bytes += String.fromCharCode(byte);
  return bytes;
}

/** `Content-Encoding` as it is kept: `aws-chunked` describes the request, not the object. */
export function storedContentEncoding(header: string | undefined): string | undefined {
  const codings = (header ?? '')
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding.toLowerCase() !== 'aws-chunked');
  return codings.length === 0 ? undefined : codings.join(', ');
}

/**
 * EncodedEntryURI: URL-safe Base64 of `<bucket>:<key>`, or of `<bucket>` alone. It splits at the first colon, so keys
 * may contain colons. `bucket:` has the empty key and `bucket` has none: they are different entries.
 */
import { decodeBase64Text, encodeBase64Text } from './base64.ts';
import { Fault } from './errors/fault.ts';
import { MAX_KEY_BYTES } from './limits/limits.ts';
import { checkKey } from './names.ts';

export interface Entry {
  readonly bucket: string;
  readonly key: string | undefined;
}

export interface ObjectEntry {
  readonly bucket: string;
  readonly key: string;
}

/** Routers limit the length of path parameters: the limit must be at least this, or long keys are not found. */
export const MAX_ENCODED_ENTRY_LENGTH = 4 * Math.ceil((63 + 1 + MAX_KEY_BYTES) / 3);

/**
 * Checks the key; of the bucket only that it could be looked up, since a name that can't exist is answered like one
 * that doesn't.
 */
export function parseEntry(encoded: string): Entry {
  const text = decodeBase64Text(encoded, () => new Fault('keyNotUtf8'));
  const colon = text.indexOf(':');
  const bucket = colon < 0 ? text : text.slice(0, colon);
  if (bucket === '') throw new Fault('invalidArgument', { detail: 'the entry names no bucket' });
  if (bucket.includes('\0'))
    throw new Fault('invalidArgument', { detail: 'a bucket name must not contain NUL' });
  if (colon < 0) return { bucket, key: undefined };
  const key = text.slice(colon + 1);
  checkKey(key);
  return { bucket, key };
}

/** For the calls that act on one object: a bucket alone is refused. */
export function parseObjectEntry(encoded: string): ObjectEntry {
  const { bucket, key } = parseEntry(encoded);
  if (key === undefined) throw new Fault('invalidArgument', { detail: 'the entry names no key' });
  return { bucket, key };
}

export function formatEntry(bucket: string, key?: string): string {
  // A colon in the bucket would be read back as the end of its name.
  if (bucket === '' || bucket.includes(':') || bucket.includes('\0') || !bucket.isWellFormed()) {
    throw new Fault('invalidArgument', { detail: 'not a bucket name' });
  }
  if (key === undefined) return encodeBase64Text(bucket);
  checkKey(key);
  return encodeBase64Text(`${bucket}:${key}`);
}

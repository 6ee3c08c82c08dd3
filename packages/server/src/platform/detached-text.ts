/**
 * A copy of a text, for what is remembered longer than the request that it came with. A part of a string holds on to the whole
 * of it: a key of forty letters cut from a token of half a megabyte keeps half a megabyte.
 */
export function detachedText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

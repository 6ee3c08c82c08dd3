/**
 * Copies a text that is kept longer than the request it came with. A substring keeps the whole string alive: a key of forty
 * letters cut from a token of half a megabyte keeps half a megabyte.
 */
export function copyString(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

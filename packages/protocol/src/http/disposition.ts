/** Content-Disposition for downloads: RFC 6266, with the RFC 5987 form for names beyond ASCII. */
import { QUOTED, TOKEN } from './grammar.ts';

const MAX_NAME_LENGTH = 255;

/** A browser saves the file at most under the last part of a path, so separators are made harmless. */
export function formatAttachment(fileName = ''): string {
  const name = fileName
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed()
    .replace(/[\p{Cc}/\\]/gu, '_');
  if (name === '') return 'attachment';
  // `%` is replaced too: some browsers decode it in the plain form.
  const plain = name.replace(/[^\x20-\x7e]|["%]/gu, '_');
  const header = `attachment; filename="${plain}"`;
  return plain === name ? header : `${header}; filename*=UTF-8''${encodeExtended(name)}`;
}

function encodeExtended(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const PARAMETER = ` *; *(${TOKEN})=(${TOKEN}|${QUOTED})`;
const DISPOSITION = new RegExp(`^${TOKEN}(?:${PARAMETER})*$`);
const EXTENDED = /^(?:UTF-8|ISO-8859-1)'[A-Za-z0-9-]*'(?:%[0-9A-Fa-f]{2}|[!#$&+.^_`|~0-9A-Za-z-])*$/i;

/** Whether all browsers read it alike: a type, and parameters without duplicates. */
export function isDisposition(text: string): boolean {
  if (!DISPOSITION.test(text)) return false;
  const names = new Set<string>();
  for (const [, name = '', value = ''] of text.matchAll(new RegExp(PARAMETER, 'g'))) {
    const lower = name.toLowerCase();
    if (names.has(lower) || (name.endsWith('*') && !EXTENDED.test(value))) return false;
    names.add(lower);
  }
  return true;
}

/** The same names, but to be saved and never shown; a value that is not understood becomes a plain attachment. */
export function asAttachment(disposition: string): string {
  return isDisposition(disposition) ? disposition.replace(/^[^ ;]+/, 'attachment') : formatAttachment();
}

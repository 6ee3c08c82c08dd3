/** MIME types as the API allows them, and which of them a browser would run as a page of ours. */
import { Fault } from '../errors/fault.ts';
import { MAX_MIME_TYPE_BYTES } from '../limits/limits.ts';

export const DEFAULT_MIME_TYPE = 'application/octet-stream';

/** The one character set for MIME types and metadata values. It has no control characters, so headers stay intact. */
const ALLOWED = /^[a-zA-Z0-9.+/\-;=,_ ]*$/;

export function hasMimeCharacters(text: string): boolean {
  return ALLOWED.test(text);
}

/** The empty type is valid: it asks for the type detected from the content. */
export function isValidMimeType(mimeType: string): boolean {
  return mimeType.length <= MAX_MIME_TYPE_BYTES && hasMimeCharacters(mimeType);
}

export function validateMimeType(mimeType: string): void {
  if (!isValidMimeType(mimeType)) throw new Fault('invalidMimeType');
}

/** `text/html; charset=utf-8` → `text/html`. A comma ends it too: browsers split a doubled header there. */
export function essenceOf(mimeType: string): string {
  const end = mimeType.search(/[;,]/);
  return (end < 0 ? mimeType : mimeType.slice(0, end)).trim().toLowerCase();
}

const ACTIVE = new Set([
  'text/html',
  'application/xhtml+xml',
  'text/xml',
  'application/xml',
  'text/xsl',
  'image/svg',
  'application/pdf',
  'application/x-pdf',
  'text/javascript',
  'text/ecmascript',
  'text/jscript',
  'text/livescript',
  'text/x-javascript',
  'text/x-ecmascript',
  'application/javascript',
  'application/ecmascript',
  'application/x-javascript',
  'application/x-ecmascript',
  'application/x-shockwave-flash',
  'application/futuresplash',
  'text/x-component',
  'message/rfc822',
  'multipart/related',
  'multipart/x-mixed-replace',
  'application/x-mimearchive',
]);

/**
 * Types that run or render as a document: served as attachments unless the bucket has its own domain. A comma-joined
 * value is active if any part is, and a value that names no type at all is active too, since a browser may then sniff
 * the bytes.
 */
export function isActiveType(mimeType: string): boolean {
  return mimeType.split(',').some((part) => {
    const essence = essenceOf(part);
    return !/^[^/ ]+\/[^/ ]+$/.test(essence) || ACTIVE.has(essence) || essence.endsWith('+xml');
  });
}

/**
 * Text formats by their first words. HTML is detected as browsers do it, because some of them would still run a page
 * that we call plain text.
 */
const HTML_START =
  /^<(?:!doctype html|html|head|body|script|iframe|style|title|table|div|h1|p|a|b|br|font)(?=[\s>/]|$)/i;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** `whole`: the bytes are the file to its end. */
export function sniffText(bytes: Uint8Array, whole: boolean): string | undefined {
  const text = decodeText(bytes);
  if (text === undefined) return undefined;
  const start = skipComments(text);
  if (HTML_START.test(start)) return 'text/html';
  if (/^<svg[\s>]/.test(start)) return 'image/svg+xml';
  if (/^<\?xml\s/.test(start)) return xmlType(start);
  if (/^(?:\{\s*(?:"|\}\s*$)|\[\s*(?:["{[\]\d-]|true|false|null))/.test(start) && whole && isJson(text)) {
    return 'application/json';
  }
  // A page may begin with a comment longer than what we see; browsers take `<!--` alone for HTML.
  if (text.trimStart().startsWith('<!--')) return 'text/html';
  if (start.startsWith('#EXTM3U')) return 'application/vnd.apple.mpegurl';
  if (start.startsWith('WEBVTT')) return 'text/vtt';
  return 'text/plain';
}

/** Undefined for anything with a control character, or bytes that are not UTF-8 (the last character may be cut). */
function decodeText(bytes: Uint8Array): string | undefined {
  // Most uploads are not text, and show it within a few bytes; a decoder that throws costs far more.
  if (bytes.some(isControl)) return undefined;
  for (let cut = 0; cut < 4 && cut < bytes.length; cut++) {
    try {
      const text = decoder.decode(bytes.subarray(0, bytes.length - cut));
      return /[^\P{Cc}\t\n\f\r]/u.test(text) ? undefined : text;
    } catch {
      // The first bytes of a longer file may end inside a character: try with fewer.
    }
  }
  return undefined;
}

/** Tab, line feed, form feed and carriage return are text. */
function isControl(byte: number): boolean {
  return byte === 0x7f || (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13);
}

function skipComments(text: string): string {
  let rest = text.trimStart();
  while (rest.startsWith('<!--')) {
    const end = rest.indexOf('-->');
    if (end < 0) return '';
    rest = rest.slice(end + 3).trimStart();
  }
  return rest;
}

function xmlType(start: string): string {
  if (/<svg[\s>]/.test(start)) return 'image/svg+xml';
  if (/<(?:!doctype )?html[\s>]/i.test(start)) return 'application/xhtml+xml';
  return 'text/xml';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

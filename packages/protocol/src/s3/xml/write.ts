/**
 * XML answers, written by concatenation: a list has a thousand entries of a dozen elements. The shape of the value is
 * the shape of the document.
 */

/**
 * An element's content: text, or children by name in the order of the object's properties. A list repeats its element,
 * undefined leaves it out, and a name that begins with `@` is an attribute.
 */
export type XmlContent = string | number | boolean | XmlChildren;
export interface XmlChildren {
  readonly [name: string]: XmlContent | readonly XmlContent[] | undefined;
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = ' xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';

/** A whole document. Names are ours and written as they are; text is escaped. */
export function writeXml(root: string, content: XmlContent, options: { namespace?: boolean } = {}): string {
  return DECLARATION + element(root, content, options.namespace === false ? '' : NAMESPACE);
}

function element(name: string, content: XmlContent, attributes = ''): string {
  if (typeof content === 'string') return `<${name}${attributes}>${escapeXml(content)}</${name}>`;
  if (typeof content !== 'object') return `<${name}${attributes}>${content}</${name}>`;
  let inside = '';
  for (const child in content) {
    const value = content[child];
    if (value === undefined) continue;
    if (typeof value === 'string' && child.startsWith('@'))
      attributes += ` ${child.slice(1)}="${escapeXml(value)}"`;
    else if (isList(value)) for (const item of value) inside += element(child, item);
    else inside += element(child, value);
  }
  return `<${name}${attributes}>${inside}</${name}>`;
}

function isList(value: XmlContent | readonly XmlContent[]): value is readonly XmlContent[] {
  return Array.isArray(value);
}

/**
 * Text between tags. XML 1.0 can't contain most control characters at all; AWS writes them as numbers, and clients that
 * can't read those ask again with `encoding-type=url`. A bare CR would be read as a line feed.
 */
export function escapeXml(text: string): string {
  let escaped = '';
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const replacement = escapeOf(text.charCodeAt(at));
    if (replacement === undefined) continue;
    escaped += text.slice(from, at) + replacement;
    from = at + 1;
  }
  return from === 0 ? text : escaped + text.slice(from);
}

function escapeOf(code: number): string | undefined {
  // Nearly all characters are between these.
  if (code > 0x3e && code < 0xfffe) return undefined;
  switch (code) {
    case 0x26:
      return '&amp;';
    case 0x3c:
      return '&lt;';
    case 0x3e:
      return '&gt;';
    case 0x22:
      return '&quot;';
    case 0x09:
    case 0x0a:
      return undefined;
  }
  return code < 0x20 || code >= 0xfffe ? `&#x${code.toString(16)};` : undefined;
}

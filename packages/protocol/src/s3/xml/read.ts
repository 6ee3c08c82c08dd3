/**
 * A small strict reader for the XML that S3 speaks: elements, text, the five named entities and numeric ones, CDATA,
 * comments. Attributes are checked and dropped, and so are prefixes of namespaces. No document types, and no processing
 * instructions but the first line. Whatever the input, it returns a tree or throws XmlParseError, in time linear in its size.
 */

export interface XmlElement {
  /** Without the prefix of its namespace. */
  readonly name: string;
  /** The text directly inside, white space included; of an element with children, without the white space around them. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

export class XmlParseError extends Error {
  override readonly name = 'XmlParseError';
}

const DEEPEST = 16;
/** Elements, comments and CDATA: ten thousand parts with a number, an ETag and every checksum. */
const MAX_NODES = 100_000;

const DECLARATION = /^\uFEFF?\s*(?:<\?xml[^<>]*\?>)?/;
const NAME = '[A-Za-z_][\\w.-]*';
const QUALIFIED = `(?:${NAME}:)?${NAME}`;
const VALUE = `(?:"[^"<]*"|'[^'<]*')`;
const OPEN_TAG = new RegExp(`<(${QUALIFIED})(?:\\s+${QUALIFIED}\\s*=\\s*${VALUE})*\\s*(/?)>`, 'y');
const CLOSE_TAG = new RegExp(`</(${QUALIFIED})\\s*>`, 'y');

interface Open {
  /** With its prefix, which the closing tag must repeat. */
  readonly tag: string;
  text: string;
  readonly children: XmlElement[];
}

export function readXml(source: string): XmlElement {
  let at = DECLARATION.exec(source)?.[0].length ?? 0;
  const path: Open[] = [];
  let root: XmlElement | undefined;
  let nodes = 0;

  const match = (pattern: RegExp): RegExpExecArray => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found === null) throw new XmlParseError(`not well-formed at character ${at}`);
    at = pattern.lastIndex;
    return found;
  };
  const count = () => {
    if (++nodes > MAX_NODES) throw new XmlParseError('too many elements');
  };
  const upTo = (start: string, end: string): string => {
    count();
    const from = at + start.length;
    const found = source.indexOf(end, from);
    if (found < 0) throw new XmlParseError(`\`${start}\` without its \`${end}\``);
    at = found + end.length;
    return source.slice(from, found);
  };
  const finish = (tag: string, text: string, children: readonly XmlElement[]): void => {
    const element = { name: tag.slice(tag.indexOf(':') + 1), text, children };
    const parent = path.at(-1);
    if (parent !== undefined) parent.children.push(element);
    else if (root !== undefined) throw new XmlParseError('more than one root element');
    else root = element;
  };

  while (at < source.length) {
    const current = path.at(-1);
    if (source[at] !== '<') {
      const end = source.indexOf('<', at);
      const text = source.slice(at, end < 0 ? source.length : end);
      if (current !== undefined) current.text += decodeText(text);
      else if (text.trim() !== '') throw new XmlParseError('text outside the root element');
      at += text.length;
    } else if (source.startsWith('<!--', at)) {
      if (upTo('<!--', '-->').includes('--')) throw new XmlParseError('`--` inside a comment');
    } else if (source.startsWith('<![CDATA[', at)) {
      if (current === undefined) throw new XmlParseError('text outside the root element');
      current.text += upTo('<![CDATA[', ']]>');
    } else if (source[at + 1] === '/') {
      const [, tag] = match(CLOSE_TAG);
      if (current === undefined || current.tag !== tag)
        throw new XmlParseError(`\`</${tag}>\` closes nothing that is open`);
      path.pop();
      finish(tag, current.children.length > 0 ? current.text.trim() : current.text, current.children);
    } else {
      const [, tag = '', closed] = match(OPEN_TAG);
      count();
      if (closed === '/') finish(tag, '', []);
      else if (path.length >= DEEPEST) throw new XmlParseError('nested too deeply');
      else path.push({ tag, text: '', children: [] });
    }
  }
  if (path.length > 0) throw new XmlParseError('ends inside an element');
  if (root === undefined) throw new XmlParseError('no element');
  return root;
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** A line break of any kind is a line feed, unless it is written as a number. */
function decodeText(text: string): string {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  if (!lines.includes('&')) return lines;
  return lines.replace(/&([^;&]*);?/g, (whole, body: string) => {
    if (!whole.endsWith(';')) throw new XmlParseError('an entity without its end');
    return NAMED.get(body) ?? numericEntity(body);
  });
}

/** Control characters too, which XML 1.0 forbids: keys may contain them. */
function numericEntity(body: string): string {
  const match = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))$/.exec(body);
  const code = match
    ? Number.parseInt(match[1] ?? match[2] ?? '', match[1] === undefined ? 10 : 16)
    : Number.NaN;
  const surrogate = code >= 0xd800 && code <= 0xdfff;
  if (!(code > 0 && code <= 0x10ffff) || surrogate) throw new XmlParseError('an unknown entity');
  return String.fromCodePoint(code);
}

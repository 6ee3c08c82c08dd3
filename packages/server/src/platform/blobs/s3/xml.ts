/**
 * A small strict reader for the XML that S3 engines answer with: elements, text, the five named entities and numeric ones,
 * CDATA. Attributes are checked and dropped. No document types, and no processing instructions except the first line. Whatever
 * the input, it returns a tree or throws XmlFault.
 *
 * fast-xml-parser, which other code here uses, will not do: even behind its validator it accepts unknown and impossible
 * entities, and document types and instructions inside elements. A key that is read differently from what the engine means is a
 * blob that a sweep takes for garbage.
 */

export interface XmlElement {
  readonly name: string;
  /** The text directly inside; empty if there are only children. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

export class XmlFault extends Error {
  override readonly name = 'XmlFault';
}

const DEEPEST = 16;
const MOST_ELEMENTS = 100_000;

const DECLARATION = /^\uFEFF?\s*(?:<\?xml[^<>]*\?>)?\s*/;
const OPEN_TAG =
  /<([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const CLOSE_TAG = /<\/([A-Za-z_][\w.:-]*)\s*>/y;
const TEXT = /[^<]+/y;
const COMMENT = /<!--(?:(?!--)[\s\S])*-->/y;
const CDATA = /<!\[CDATA\[([\s\S]*?)\]\]>/y;

interface Open {
  name: string;
  text: string;
  children: XmlElement[];
}

export function readXml(source: string): XmlElement {
  let at = DECLARATION.exec(source)?.[0].length ?? 0;
  const path: Open[] = [];
  let root: XmlElement | undefined;
  let elements = 0;

  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const finish = (element: XmlElement): void => {
    const parent = path.at(-1);
    if (parent) parent.children.push(element);
    else if (root) throw new XmlFault('more than one root element');
    else root = element;
  };

  while (at < source.length) {
    const current = path.at(-1);
    let found = match(TEXT);
    if (found) {
      if (current) current.text += decodeEntities(found[0]);
      else if (found[0].trim() !== '') throw new XmlFault('text outside the root element');
      continue;
    }
    if (match(COMMENT)) continue;
    found = match(OPEN_TAG);
    if (found) {
      if (++elements > MOST_ELEMENTS) throw new XmlFault('too many elements');
      const name = found[1] ?? '';
      if (found[3] === '/') finish({ name, text: '', children: [] });
      else if (path.length >= DEEPEST) throw new XmlFault('nested too deeply');
      else path.push({ name, text: '', children: [] });
      continue;
    }
    found = match(CLOSE_TAG);
    if (found) {
      if (!current || current.name !== found[1]) throw new XmlFault('closing tag does not match');
      path.pop();
      finish(current.children.length > 0 ? { ...current, text: current.text.trim() } : current);
      continue;
    }
    found = match(CDATA);
    if (!found || !current) throw new XmlFault(`not well formed at character ${at}`);
    current.text += found[1];
  }
  if (path.length > 0) throw new XmlFault('ends inside an element');
  if (!root) throw new XmlFault('no element');
  return root;
}

/** The text of the first child of that name, or undefined. */
export function childText(element: XmlElement, name: string): string | undefined {
  return element.children.find((child) => child.name === name)?.text;
}

export function childrenNamed(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&([^;&]*);?/g, (whole, body: string) => {
    if (!whole.endsWith(';')) throw new XmlFault('an entity without its end');
    return NAMED.get(body) ?? numericEntity(body);
  });
}

function numericEntity(body: string): string {
  const match = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))$/.exec(body);
  const code = match
    ? Number.parseInt(match[1] ?? match[2] ?? '', match[1] === undefined ? 10 : 16)
    : Number.NaN;
  const surrogate = code >= 0xd800 && code <= 0xdfff;
  if (!(code > 0 && code <= 0x10ffff) || surrogate) throw new XmlFault('an unknown entity');
  return String.fromCodePoint(code);
}

/** Escapes text for use between tags. */
export function escapeXml(text: string): string {
  return text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

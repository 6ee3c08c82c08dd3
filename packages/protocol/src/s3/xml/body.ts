/** XML bodies of requests: read strictly, and asked for their elements. Whatever they lack is 400 `MalformedXML`. */
import { MIB } from '../../limits/bytes.ts';
import { decodeUtf8 } from '../../utf8.ts';
import { S3Fault } from '../fault.ts';
import { readXml, type XmlElement, XmlParseError } from './read.ts';

/** A completion of 10,000 parts with their checksums, or 1,000 keys of 750 bytes, all escaped. */
export const MAX_XML_BYTES = 2 * MIB;

/** `root`: what the document must be. */
export function parseXml(bytes: Uint8Array, root?: string): XmlElement {
  if (bytes.length > MAX_XML_BYTES)
    throw new S3Fault('MaxMessageLengthExceeded', {
      details: { MaxMessageLengthBytes: String(MAX_XML_BYTES) },
    });
  const text = decodeUtf8(bytes);
  if (text === undefined) throw malformed('it is not UTF-8');
  const element = read(text);
  if (root !== undefined && element.name !== root) throw malformed(`the root element must be ${root}`);
  return element;
}

function read(text: string): XmlElement {
  try {
    return readXml(text);
  } catch (error) {
    throw error instanceof XmlParseError ? malformed(error.message) : error;
  }
}

export function malformed(hint: string): S3Fault {
  return new S3Fault('MalformedXML', { hint });
}

/** The first child of that name. */
export function childOf(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((child) => child.name === name);
}

export function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

export function childText(element: XmlElement, name: string): string | undefined {
  return childOf(element, name)?.text;
}

export function requiredText(element: XmlElement, name: string): string {
  const text = childText(element, name);
  if (text === undefined) throw malformed(`${element.name} has no ${name}`);
  return text;
}

/** A whole number from 0 on, with white space around it. */
export function childNumber(element: XmlElement, name: string): number | undefined {
  const text = childText(element, name)?.trim();
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw malformed(`${name} must be a whole number`);
  return Number(text);
}

/** `true` or `false` in any case. */
export function childFlag(element: XmlElement, name: string): boolean | undefined {
  const text = childText(element, name)?.trim().toLowerCase();
  if (text === undefined) return undefined;
  if (text !== 'true' && text !== 'false') throw malformed(`${name} must be true or false`);
  return text === 'true';
}

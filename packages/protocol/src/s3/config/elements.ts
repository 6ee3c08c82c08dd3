/** What readers of configurations share: elements that we don't carry out are refused by name, never ignored. */
import { S3Fault } from '../fault.ts';
import { childrenOf, malformed } from '../xml/body.ts';
import type { XmlElement } from '../xml/read.ts';

/** Refuses children other than these. */
export function allowOnlyChildren(element: XmlElement, names: readonly string[]): void {
  for (const { name } of element.children) {
    if (!names.includes(name)) throw notImplemented(`${element.name}/${name} is not supported here`);
  }
}

/** The only child of that name; a second one would be ignored in silence. */
export function onlyChild(element: XmlElement, name: string): XmlElement | undefined {
  const [found, second] = childrenOf(element, name);
  if (second !== undefined) throw malformed(`${element.name} has more than one ${name}`);
  return found;
}

export function neededChild(element: XmlElement, name: string): XmlElement {
  const found = onlyChild(element, name);
  if (found === undefined) throw malformed(`${element.name} has no ${name}`);
  return found;
}

/** A whole number of at most `most`, with white space around it. */
export function numberOf(element: XmlElement, most: number): number {
  const text = element.text.trim();
  if (!/^-?\d{1,15}$/.test(text)) throw malformed(`${element.name} must be a whole number`);
  const value = Number(text);
  if (value < 0 || value > most)
    throw new S3Fault('InvalidArgument', { message: `'${element.name}' must be from 0 to ${most}` });
  return value;
}

export function notImplemented(message: string): S3Fault {
  return new S3Fault('NotImplemented', { message });
}

/** Ids of namespaces and templates: twelve letters and digits, the first a letter. */
import { randomInt } from 'node:crypto';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const CHARACTERS = `${LETTERS}0123456789`;
const LENGTH = 12;

const NAMESPACE_ID = /^[a-z][a-z0-9]{11}$/;
const STREAM_ID = /^[A-Za-z0-9_-]{1,100}$/;

export function newLiveId(): string {
  const rest = Array.from({ length: LENGTH - 1 }, () => CHARACTERS[randomInt(CHARACTERS.length)]);
  return `${LETTERS[randomInt(LETTERS.length)]}${rest.join('')}`;
}

export function isNamespaceId(text: string): boolean {
  return NAMESPACE_ID.test(text);
}

export function isStreamId(text: string): boolean {
  return STREAM_ID.test(text);
}

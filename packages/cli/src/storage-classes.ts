/** Storage classes, by their numbers on the wire and by words. */
import type { ObjectRecord } from '@millpond/client/server';
import { InvalidArgumentError } from 'commander';

const CLASSES = ['standard', 'infrequent access', 'archive', 'deep archive'] as const;
/** As options take them. */
const WORDS: readonly string[] = ['standard', 'infrequent', 'archive', 'deep-archive'];

export const CLASS_OPTION = `${WORDS.join(', ')} (or 0, 1, 2, 3)`;

export function readClass(text: string): ObjectRecord['type'] {
  const number = /^[0-3]$/.test(text) ? Number(text) : WORDS.indexOf(text);
  if (number < 0) throw new InvalidArgumentError(`must be one of ${CLASS_OPTION}`);
  return number as ObjectRecord['type'];
}

export function classText(number: ObjectRecord['type']): string {
  return CLASSES[number];
}

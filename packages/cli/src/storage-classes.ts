/** Storage classes, by their numbers on the wire and by words. */
import type { ObjectRecord } from '@millpond/client/server';
import { storageClasses } from '@millpond/protocol';
import { InvalidArgumentError } from 'commander';

const numbers = storageClasses.map(({ number }) => number).join(', ');
export const CLASS_OPTION = `${storageClasses.map(({ word }) => word).join(', ')} (or ${numbers})`;

export function readClass(text: string): ObjectRecord['type'] {
  const row = storageClasses.find(({ number, word }) => text === word || text === String(number));
  if (row === undefined) throw new InvalidArgumentError(`must be one of ${CLASS_OPTION}`);
  return row.number;
}

export function classText(number: ObjectRecord['type']): string {
  return storageClasses[number].name;
}

const RESTORES = ['frozen', 'restoring', 'restored'];
const FIRST_FROZEN = 2;

/** Whether an object of an archive class can be read; undefined for other classes. */
export function restoreText({
  type,
  restoreStatus = 0,
}: Pick<ObjectRecord, 'type' | 'restoreStatus'>): string | undefined {
  return type < FIRST_FROZEN ? undefined : RESTORES[restoreStatus];
}

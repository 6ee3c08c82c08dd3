/**
 * Storage classes: this table holds all that distinguishes them; limits, texts, command-line options and conditions of
 * statements follow from it. restore-times.ts says how long a restore takes.
 */
import { Fault } from './errors/fault.ts';

interface StorageClassRow {
  readonly number: number;
  readonly name: string;
  /** As command-line options take it. */
  readonly word: string;
  readonly meaning: string;
  /** Where the engine stores its bytes. */
  readonly tier: 'STANDARD' | 'COLD';
  /** The days after which a lifecycle rule moves objects into it. */
  readonly afterDays?: string;
  /** Objects can't be read, copied, moved or changed unless restored; this is how such a call is refused. */
  readonly frozen?: 'archiveUnrestored' | 'deepArchiveUnrestored';
}

/** From the warmest to the coldest: lifecycle rules go down the list, and statements recognise frozen ones by their number. */
export const storageClasses = [
  { number: 0, name: 'standard', word: 'standard', meaning: 'read often', tier: 'STANDARD' },
  {
    number: 1,
    name: 'infrequent access',
    word: 'infrequent',
    meaning: 'rarely read, at once',
    tier: 'STANDARD',
    afterDays: 'to_line_after_days',
  },
  {
    number: 2,
    name: 'archive',
    word: 'archive',
    meaning: 'restored within minutes',
    tier: 'COLD',
    afterDays: 'to_archive_after_days',
    frozen: 'archiveUnrestored',
  },
  {
    number: 3,
    name: 'deep archive',
    word: 'deep-archive',
    meaning: 'restored within hours',
    tier: 'COLD',
    afterDays: 'to_deep_archive_after_days',
    frozen: 'deepArchiveUnrestored',
  },
] as const satisfies readonly StorageClassRow[];

export type StorageClass = (typeof storageClasses)[number]['number'];

const rows: readonly StorageClassRow[] = storageClasses;

/** Classes from this number on are frozen. */
export const FIRST_ARCHIVE_CLASS: number = rows.findIndex(({ frozen }) => frozen !== undefined);

/** `0 standard, 1 infrequent access, …`, for texts. */
export const STORAGE_CLASS_TEXT: string = rows.map(({ number, name }) => `${number} ${name}`).join(', ');

export function isStorageClass(value: unknown): value is StorageClass {
  return rows.some(({ number }) => number === value);
}

/** As in a path: `/chtype/<entry>/type/<n>`. */
export function parseStorageClass(text: string): StorageClass {
  const row = storageClasses.find(({ number }) => String(number) === text);
  if (row === undefined)
    throw new Fault('invalidArgument', { hint: `storage classes: ${STORAGE_CLASS_TEXT}` });
  return row.number;
}

export function tierOfClass(storageClass: number): StorageClassRow['tier'] {
  return rows[storageClass]?.tier ?? 'STANDARD';
}

export function isArchiveClass(storageClass: number): boolean {
  return rows[storageClass]?.frozen !== undefined;
}

/** How a call on a frozen object of this class is refused; undefined for classes that are never frozen. */
export function unrestoredFault(storageClass: number): Fault | undefined {
  const frozen = rows[storageClass]?.frozen;
  return frozen && new Fault(frozen);
}

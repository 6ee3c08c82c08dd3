/** Storage classes, and the restoring of the frozen ones. */
import { Fault } from './errors/fault.ts';

interface StorageClassRow {
  readonly number: 0 | 1 | 2 | 3;
  readonly name: string;
  /** Cannot be read, copied, moved or changed unless restored; and how such a call is refused. */
  readonly unrestored?: 'archiveUnrestored' | 'deepArchiveUnrestored';
  readonly meaning: string;
}

export const storageClasses = [
  { number: 0, name: 'standard', meaning: 'read often' },
  { number: 1, name: 'infrequent access', meaning: 'read seldom, at once' },
  { number: 2, name: 'archive', unrestored: 'archiveUnrestored', meaning: 'restored within minutes' },
  { number: 3, name: 'deep archive', unrestored: 'deepArchiveUnrestored', meaning: 'restored within hours' },
] as const satisfies readonly StorageClassRow[];

export type StorageClass = (typeof storageClasses)[number]['number'];

/** As it stands in a path: `/chtype/<entry>/type/<n>`. */
export function parseStorageClass(text: string): StorageClass {
  const row = storageClasses.find(({ number }) => String(number) === text);
  if (row === undefined) throw new Fault('invalidArgument', { hint: 'storage classes are 0, 1, 2 and 3' });
  return row.number;
}

export function isArchiveClass(storageClass: number): boolean {
  return storageClass === 2 || storageClass === 3;
}

/** How a call on a frozen object of this class is refused; undefined for classes that are never frozen. */
export function unrestoredFault(storageClass: number): Fault | undefined {
  const row: StorageClassRow | undefined = storageClasses[storageClass];
  return row?.unrestored === undefined ? undefined : new Fault(row.unrestored);
}

/** One digit and nothing else: `01`, `+1` and `1.0` are not days. */
export function parseFreezeAfterDays(text: string): number {
  if (!/^[1-7]$/.test(text)) throw new Fault('invalidFreezeAfterDays');
  return Number(text);
}

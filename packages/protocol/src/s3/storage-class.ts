/** S3's names of storage classes. Clients send more than we answer: `LINE` is what clients of this interface's family say. */
import type { StorageClass } from '../storage-classes.ts';
import { S3Fault } from './fault.ts';

const NUMBERS: ReadonlyMap<string, StorageClass> = new Map([
  ['STANDARD', 0],
  ['STANDARD_IA', 1],
  ['ONEZONE_IA', 1],
  ['LINE', 1],
  ['GLACIER', 2],
  ['DEEP_ARCHIVE', 3],
]);

const NAMES = ['STANDARD', 'STANDARD_IA', 'GLACIER', 'DEEP_ARCHIVE'] as const;

/** The class that a request names; none is STANDARD. Names of classes that we don't have are refused. */
export function storageClassOf(name: string | undefined): StorageClass {
  const number = NUMBERS.get(name ?? 'STANDARD');
  if (number === undefined)
    throw new S3Fault('InvalidStorageClass', { hint: `use one of ${NAMES.join(', ')}` });
  return number;
}

/** As answers name it. */
export function storageClassName(number: number): string {
  return NAMES[number] ?? 'STANDARD';
}

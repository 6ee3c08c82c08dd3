/**
 * Unique names, and rows that others refer to. The database's own constraints decide: a check beforehand would not see
 * concurrent changes.
 */
import { Fault, type FaultName } from '@millpond/protocol';
import { databaseErrorOf, isSqlState } from './sqlstate.ts';

/** Returns no rows if the name is taken. A surrounding transaction can then only be rolled back. */
export async function emptyOnDuplicate<Row>(changing: Promise<Row[]>): Promise<Row[]> {
  try {
    return await changing;
  } catch (error) {
    if (isSqlState(error, 'uniqueViolation')) return [];
    throw error;
  }
}

/**
 * Returns no rows if the row to be deleted is now referred to, or the row referred to is gone. The same holds for the
 * transaction.
 */
export async function emptyOnForeignKey<Row>(changing: Promise<Row[]>): Promise<Row[]> {
  try {
    return await changing;
  } catch (error) {
    if (isSqlState(error, 'foreignKeyViolation')) return [];
    throw error;
  }
}

/** For cases that need a specific fault: `faultOf` gets the name of the constraint. */
export async function faultOnForeignKey<Result>(
  changing: Promise<Result>,
  faultOf: (constraint: string) => Fault,
): Promise<Result> {
  try {
    return await changing;
  } catch (error) {
    if (!isSqlState(error, 'foreignKeyViolation')) throw error;
    throw faultOf(databaseErrorOf(error).constraint ?? '');
  }
}

/** Rejects with this fault if the row's parent is gone. */
export function faultIfParentMissing<Result>(adding: Promise<Result>, fault: FaultName): Promise<Result> {
  return faultOnForeignKey(adding, () => new Fault(fault));
}

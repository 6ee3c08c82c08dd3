/**
 * Names that only one may have, and rows that others name. The database's own constraints are the judge: a look before would
 * not see another's change.
 */
import { Fault, type FaultName } from '@millpond/protocol';
import { databaseErrorOf, isSqlState } from './sqlstate.ts';

/** No rows where another has the name. A transaction that this was in can only be rolled back then. */
export async function noneWhereTaken<Row>(changing: Promise<Row[]>): Promise<Row[]> {
  try {
    return await changing;
  } catch (error) {
    if (isSqlState(error, 'uniqueViolation')) return [];
    throw error;
  }
}

/** No rows where what is to go has come to be named meanwhile, or what is named has gone. As above. */
export async function noneWhereUnlinked<Row>(changing: Promise<Row[]>): Promise<Row[]> {
  try {
    return await changing;
  } catch (error) {
    if (isSqlState(error, 'foreignKeyViolation')) return [];
    throw error;
  }
}

/** Where that is not all there is to say: `faultOf` has the name of the constraint. */
export async function faultWhereUnlinked<Result>(
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

/** Rejects with this fault where what a row belongs to is gone. */
export function faultWhereGone<Result>(adding: Promise<Result>, fault: FaultName): Promise<Result> {
  return faultWhereUnlinked(adding, () => new Fault(fault));
}

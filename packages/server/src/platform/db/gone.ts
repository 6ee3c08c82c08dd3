/** Rows that belong to another row. The database's own constraint is the judge: a look before would not see it go. */
import { Fault, type FaultName } from '@millpond/protocol';
import { isSqlState } from './sqlstate.ts';

/** Rejects with this fault where what the row belongs to is gone. */
export async function faultWhereGone<T>(adding: Promise<T>, fault: FaultName): Promise<T> {
  try {
    return await adding;
  } catch (error) {
    throw isSqlState(error, 'foreignKeyViolation') ? new Fault(fault, { cause: error }) : error;
  }
}

/** Rows that belong to another row. The database's own constraint is the judge: a look before would not see it go. */
import { Fault, type FaultName } from '@millpond/protocol';

const FOREIGN_KEY_VIOLATION = '23503';

/** Rejects with this fault where what the row belongs to is gone. */
export async function faultWhereGone<T>(adding: Promise<T>, fault: FaultName): Promise<T> {
  try {
    return await adding;
  } catch (error) {
    const cause = error instanceof Fault ? error.cause : undefined;
    if ((cause as { code?: string } | undefined)?.code === FOREIGN_KEY_VIOLATION)
      throw new Fault(fault, { cause: error });
    throw error;
  }
}

/** Names that only one may have. The database's own constraint is the judge: a look before would not see another's change. */
import { Fault } from '@millpond/protocol';

const UNIQUE_VIOLATION = '23505';

/** No rows where another has the name. A transaction that this was in can only be rolled back then. */
export async function noneWhereTaken<Row>(changing: Promise<Row[]>): Promise<Row[]> {
  try {
    return await changing;
  } catch (error) {
    const cause = error instanceof Fault ? error.cause : undefined;
    if ((cause as { code?: string } | undefined)?.code === UNIQUE_VIOLATION) return [];
    throw error;
  }
}

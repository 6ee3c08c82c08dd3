/**
 * Names that only one may have, and rows that others name. The database's own constraints are the judge: a look before would
 * not see another's change.
 */
import { Fault } from '@millpond/protocol';

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

/** No rows where another has the name. A transaction that this was in can only be rolled back then. */
export async function noneWhereTaken<Row>(changing: Promise<Row[]>): Promise<Row[]> {
  try {
    return await changing;
  } catch (error) {
    if (causeOf(error).code === UNIQUE_VIOLATION) return [];
    throw error;
  }
}

/** No rows where what is to go has come to be named meanwhile, or what is named has gone. As above. */
export async function noneWhereUnlinked<Row>(changing: Promise<Row[]>): Promise<Row[]> {
  try {
    return await changing;
  } catch (error) {
    if (causeOf(error).code === FOREIGN_KEY_VIOLATION) return [];
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
    const { code, constraint } = causeOf(error);
    throw code === FOREIGN_KEY_VIOLATION ? faultOf(constraint ?? '') : error;
  }
}

function causeOf(error: unknown): { readonly code?: string; readonly constraint?: string } {
  return (error instanceof Fault ? (error.cause as object | undefined) : undefined) ?? {};
}

/** JSON bodies of bucket calls: whatever is not as it should be is refused with a hint. */
import { decodeJson, Fault } from '@millpond/protocol';

/** Settings are small; anything larger is none. */
const LONGEST = 64 * 1024;

/** Whatever its Content-Type says: SDKs send JSON as a form. */
export function readJson(body: Buffer): unknown {
  const value = body.length > LONGEST ? undefined : decodeJson(body);
  if (value === undefined) throw refused(`the body is JSON in UTF-8, at most ${LONGEST} bytes`);
  return value;
}

export function fieldsOf(given: unknown): Readonly<Record<string, unknown>> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw refused('a JSON object was expected');
  return given as Record<string, unknown>;
}

export function refused(hint: string): Fault {
  return new Fault('invalidArgument', { hint });
}

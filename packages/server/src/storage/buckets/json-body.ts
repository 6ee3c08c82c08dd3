/** JSON bodies of bucket calls: anything malformed is refused with a hint. */
import { decodeJson, Fault } from '@millpond/protocol';

/** Settings are small; a larger body can't be one. */
const LONGEST = 64 * 1024;

/** Ignores the Content-Type: SDKs send JSON as a form. */
export function readJson(body: Buffer): unknown {
  const value = body.length > LONGEST ? undefined : decodeJson(body);
  if (value === undefined) throw refused(`the body must be JSON in UTF-8, at most ${LONGEST} bytes`);
  return value;
}

export function fieldsOf(given: unknown): Readonly<Record<string, unknown>> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw refused('the body must be a JSON object');
  return given as Record<string, unknown>;
}

export function refused(hint: string): Fault {
  return new Fault('invalidArgument', { hint });
}

/** JSON bodies of bucket calls: whatever is not as it should be is refused with a hint. */
import { decodeUtf8, Fault } from '@millpond/protocol';

/** Settings are small; anything larger is none. */
const LONGEST = 64 * 1024;

/** Whatever its Content-Type says: SDKs send JSON as a form. */
export function readJson(body: Buffer): unknown {
  const text = body.length > LONGEST ? undefined : decodeUtf8(body);
  if (text === undefined) throw refused(`the body is JSON in UTF-8, at most ${LONGEST} bytes`);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw refused('the body is not JSON');
  }
}

export function fieldsOf(given: unknown): Readonly<Record<string, unknown>> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw refused('a JSON object was expected');
  return given as Record<string, unknown>;
}

export function refused(hint: string): Fault {
  return new Fault('invalidArgument', { hint });
}

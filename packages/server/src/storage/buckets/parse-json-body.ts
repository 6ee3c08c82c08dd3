/** JSON bodies of bucket calls: anything malformed is refused with a hint. */
import { decodeJson, Fault } from '@millpond/protocol';

/** Settings are small; a larger body can't be one. */
const MAX_BODY_BYTES = 64 * 1024;

/** Ignores the Content-Type: SDKs send JSON as a form. */
export function parseJsonBody(body: Buffer): unknown {
  const value = body.length > MAX_BODY_BYTES ? undefined : decodeJson(body);
  if (value === undefined)
    throw invalidBodyFault(`the body must be JSON in UTF-8, at most ${MAX_BODY_BYTES} bytes`);
  return value;
}

export function requireJsonObject(given: unknown): Readonly<Record<string, unknown>> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalidBodyFault('the body must be a JSON object');
  return given as Record<string, unknown>;
}

export function invalidBodyFault(hint: string): Fault {
  return new Fault('invalidArgument', { hint });
}

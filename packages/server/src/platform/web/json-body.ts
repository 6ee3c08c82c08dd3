/** The body of a call whose body is a JSON object. */
import { decodeJson, Fault } from '@millpond/protocol';
import type { Call } from './call.ts';

export function jsonBody(call: Pick<Call, 'body'>): Record<string, unknown> {
  const value = decodeJson(call.body);
  if (value === undefined) throw new Fault('invalidArgument', { hint: 'the body is not JSON in UTF-8' });
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Fault('invalidArgument', { hint: 'the body is not a JSON object' });
  return value as Record<string, unknown>;
}

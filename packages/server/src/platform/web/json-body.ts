/** The body of a call whose body is a JSON object. */
import { decodeUtf8, Fault } from '@millpond/protocol';
import type { Call } from './call.ts';

export function jsonBody(call: Pick<Call, 'body'>): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(decodeUtf8(call.body) ?? '');
  } catch (cause) {
    throw new Fault('invalidArgument', { hint: 'the body is not JSON', cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Fault('invalidArgument', { hint: 'the body is not a JSON object' });
  return value as Record<string, unknown>;
}

/** A call's named values: from its query, or from the form in its body. */
import { decodeJson, Fault, parseFields } from '@millpond/protocol';
import type { RequestContext } from './call.ts';

/** The fault for a malformed value, in the interface of the call: account calls have their own, and take no broken escapes. */
type Refusal = 'invalidArgument' | 'badRequest';

const rulesOf = (refusal: Refusal | undefined) => ({ refusal, strictEscapes: refusal === 'badRequest' });

export function queryFields({ target }: Pick<RequestContext, 'target'>, refusal?: Refusal): URLSearchParams {
  return eachOnce(parseFields(target.query ?? '', rulesOf(refusal)), refusal);
}

export function formFields({ body }: Pick<RequestContext, 'body'>, refusal?: Refusal): URLSearchParams {
  return eachOnce(parseFields(body, rulesOf(refusal)), refusal);
}

/** An empty field counts as not filled in. */
export function optionalField(fields: URLSearchParams, name: string): string | undefined {
  return fields.get(name) || undefined;
}

export function requiredField(fields: URLSearchParams, name: string): string {
  const value = optionalField(fields, name);
  if (value === undefined) throw new Fault('invalidArgument', { hint: `${name} is missing` });
  return value;
}

/** If there are two, something on the way may have checked the other one. */
function eachOnce(fields: URLSearchParams, refusal: Refusal = 'invalidArgument'): URLSearchParams {
  const seen = new Set<string>();
  for (const name of fields.keys()) {
    if (seen.has(name))
      throw new Fault(refusal, { hint: `${JSON.stringify(name.slice(0, 40))} is given twice` });
    seen.add(name);
  }
  return fields;
}

export function jsonBody(call: Pick<RequestContext, 'body'>): Record<string, unknown> {
  const value = decodeJson(call.body);
  if (value === undefined) throw new Fault('invalidArgument', { hint: 'the body is not JSON in UTF-8' });
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Fault('invalidArgument', { hint: 'the body is not a JSON object' });
  return value as Record<string, unknown>;
}

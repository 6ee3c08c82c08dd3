/** What a call is asked by names and values: in its query, or in the form that is its body. */
import { Fault, parseFields } from '@millpond/protocol';
import type { Call } from './call.ts';

/** What a malformed one is, in the interface of the call. */
type Refusal = 'invalidArgument' | 'badRequest';

export function queryFields({ target }: Pick<Call, 'target'>, refusal?: Refusal): URLSearchParams {
  return parseFields(target.query ?? '', refusal);
}

/** Each at most once: of two, somebody on the way may have looked at the other one. */
export function formFields(
  { body }: Pick<Call, 'body'>,
  refusal: Refusal = 'invalidArgument',
): URLSearchParams {
  const fields = parseFields(body, refusal);
  const seen = new Set<string>();
  for (const name of fields.keys()) {
    if (seen.has(name))
      throw new Fault(refusal, { hint: `${JSON.stringify(name.slice(0, 40))} is given twice` });
    seen.add(name);
  }
  return fields;
}

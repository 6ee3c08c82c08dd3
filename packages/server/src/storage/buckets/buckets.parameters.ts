/** Parameters of bucket calls: SDKs put them into the query or the form, whatever the documentation says. */
import { FORM_TYPE } from '@millpond/protocol';
import { type Call, formFields, queryFields } from '../../platform/web/index.ts';

/** The form takes precedence. */
export function parametersOf(call: Call): URLSearchParams {
  const parameters = queryFields(call);
  const type = (call.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== FORM_TYPE) return parameters;
  for (const [name, value] of formFields(call)) parameters.set(name, value);
  return parameters;
}

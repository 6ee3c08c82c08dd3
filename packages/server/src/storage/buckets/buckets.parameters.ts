/** Parameters of bucket calls: SDKs put them into the query or the form, whatever the documentation says. */
import { FORM_TYPE } from '@millpond/protocol';
import { formFields, queryFields, type RequestContext } from '../../platform/web/index.ts';

/** The form takes precedence. */
export function parametersOf(context: RequestContext): URLSearchParams {
  const parameters = queryFields(context);
  const type = (context.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== FORM_TYPE) return parameters;
  for (const [name, value] of formFields(context)) parameters.set(name, value);
  return parameters;
}

/** The page of all calls, from their descriptions in the protocol. */
import type { CallDescription } from '@millpond/protocol';
import { code, page, table } from './markdown.ts';
import { answerOf } from './records.ts';

const ABOUT = `Every call by subject, with the host that answers it. The same as OpenAPI, with all parameters and answers:
\`GET {api_url}/v1/openapi.json\`. Fields of answers are in [records.md](records.md), statuses and texts of errors in [errors.md](errors.md).

Names and values are UTF-8: percent-encoded in queries and forms, as they are in JSON. Anything else answers 400, and so does a field
that a form has twice.`;

const CREDENTIALS = `**management**: \`Authorization: Svc <AccessKey>:<signature>\`; **token**: an access token of
\`POST /oauth2/token\` as \`Authorization: Svc <token>\` or \`Bearer <token>\`;
**upload token**: \`Authorization: UpToken <token>\`, or a field of the form; **download**: nothing for public buckets, \`e\` and
\`token\` in the URL for private ones.`;

export function callsPage(calls: readonly CallDescription[]): string {
  const groups = [...new Set(calls.map(({ group }) => group))];
  return page('Calls', 'packages/protocol/src/calls', [
    ABOUT,
    CREDENTIALS,
    ...groups.flatMap((group) => [`## ${group}`, tableOf(calls.filter((call) => call.group === group))]),
  ]);
}

function tableOf(calls: readonly CallDescription[]): string {
  return table(
    ['call', 'host', 'what it does', 'parameters', 'answer', 'credential'],
    calls.map((call) => [
      code(`${call.methods[0]} ${call.path}`),
      code(`{${call.role}_url}`),
      call.about,
      [...(call.query ?? []), ...(call.body?.fields ?? [])]
        .map(({ name, required }) => (required ? `**${code(name)}**` : code(name)))
        .join(', '),
      answerOf(call.answer?.schema),
      call.credential,
    ]),
  );
}

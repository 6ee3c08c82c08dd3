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

const HOSTS = `Each call belongs to a role, and is answered at the host of that role: its scheme, name and port are \`{rs_url}\` in the tables below,
and other pages say "the \`rs\` host". As long as an operator gives roles no names of their own (\`MILLPOND_HOSTS\` of [the settings](configuration.md)), all
are at one address: with [\`millpond dev\`](../local.md) that is \`http://127.0.0.1:8100\`, whatever the role. A name that was given to some roles answers their calls only.`;

/** What the call tables' second column means to a reader. */
const ROLES: Readonly<Record<CallDescription['role'], string>> = {
  up: 'uploads: forms, parts, blocks',
  io: 'downloads and images by URL, for which `<io host>` stands on other pages; fetch and prefetch',
  rs: 'objects, one by one and in batches',
  rsf: 'lists of objects',
  uc: 'buckets and their settings, and which hosts a bucket has',
  api: 'accounts, keys, signing, processing, deliveries, usage; over HTTPS',
  auth: 'access tokens for a password; over HTTPS',
  live: 'live streams and devices; over HTTPS',
};

const CLIENTS = `Clients take one address, or one for each role: \`url\` of the [library](../sdk.md), \`MILLPOND_ENDPOINT\` of the [command line](../cli.md#places).
They can ask for them: \`GET {uc_url}/regions\` names the hosts of every region, \`GET {uc_url}/v4/query\` those for a bucket.`;

export function callsPage(calls: readonly CallDescription[]): string {
  const groups = [...new Set(calls.map(({ group }) => group))];
  return page('Calls', 'packages/protocol/src/calls', [
    ABOUT,
    CREDENTIALS,
    '## Hosts and roles',
    HOSTS,
    table(
      ['role', 'what is asked there'],
      Object.entries(ROLES).map(([role, about]) => [code(role), about]),
    ),
    CLIENTS,
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

/** The page of the upload policy: its fields, and the variables that its templates may contain. */
import type { PolicyField, TemplateContext } from '@millpond/protocol';
import { code, page, table } from './markdown.ts';

export interface PolicyTables {
  readonly fields: Readonly<Record<string, PolicyField>>;
  readonly variables: Readonly<
    Record<
      string,
      { readonly places: readonly TemplateContext[]; readonly fields?: true; readonly meaning: string }
    >
  >;
}

const INTRODUCTION = `The upload policy is a JSON object. Whoever holds an access key writes it, signs it into an upload token, and
gives the token to a client, which may then upload only what the policy allows. A server ignores fields that are
not in this list; \`millpond token make\`, \`millpond token explain\` and \`uploadToken\` of the client library name them.`;

const VARIABLES = `Templates (\`saveKey\`, \`returnBody\`, \`callbackBody\`, \`persistentOps\`, \`callbackUrl\`) hold variables written
\`$(name)\`. A variable that is unknown, or that has no value at that place, is not an error: it becomes empty, or
\`null\` in JSON. \`$(x:<name>)\` is the form field \`x:<name>\` of the upload, wherever \`$(key)\` is allowed.`;

const PLACE_NAMES: Readonly<Record<TemplateContext, string>> = {
  saveKey: '`saveKey`',
  body: '`returnBody`, `callbackBody`',
  persistentOps: '`persistentOps`',
  callbackUrl: '`callbackUrl`',
};

export function uploadPolicyPage({ fields, variables }: PolicyTables): string {
  return page('Upload policy', 'packages/protocol/src/policy/fields.ts and template/variables.ts', [
    INTRODUCTION,
    '## Fields',
    table(
      ['field', 'type', 'meaning'],
      Object.entries(fields).map(([name, field]) => [code(name), typeOf(field), field.meaning]),
    ),
    '## Variables',
    VARIABLES,
    table(
      ['variable', 'where', 'value'],
      Object.entries(variables).map(([name, variable]) => [
        code(variable.fields ? `$(${name}.…)` : `$(${name})`),
        variable.places.map((place) => PLACE_NAMES[place]).join(', '),
        variable.meaning,
      ]),
    ),
  ]);
}

function typeOf(field: PolicyField): string {
  const bytes = field.maxBytes === undefined ? '' : ` of at most ${field.maxBytes} bytes`;
  switch (field.type) {
    case 'text':
      return `text${bytes}`;
    case 'texts':
      return `list of at most ${field.maxEntries} texts${field.maxBytes === undefined ? '' : `, each${bytes}`}`;
    case 'headers':
      return 'object of texts';
    case 'flag':
      return '`true` or `false`';
    case 'integer':
      return `whole number${limits(field)}`;
  }
}

/** A limit that no exact number can exceed is not worth mentioning. */
function limits({ min, max = Number.POSITIVE_INFINITY }: PolicyField): string {
  if (max > Number.MAX_SAFE_INTEGER) return min === undefined ? '' : `, at least ${min}`;
  return min === undefined ? `, at most ${max}` : ` from ${min} to ${max}`;
}

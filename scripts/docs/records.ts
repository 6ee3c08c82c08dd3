/** The page of records: what calls return and accept, and what events hold, from their schemas in the protocol. */
import { code, page, table } from './markdown.ts';

/** What of a JSON Schema the page shows. */
export interface RecordSchema {
  readonly [word: string]: unknown;
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: RecordSchema;
  readonly oneOf?: readonly RecordSchema[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, RecordSchema>>;
  readonly additionalProperties?: RecordSchema;
}

export interface EventDescription {
  readonly about: string;
  readonly body: RecordSchema;
}

const ABOUT = `What calls return and accept as JSON, by the names that [OpenAPI](calls.md) and the client library's types use. Fields in
bold are always there. Calls that create something take the \`New…\` record.`;

const EVENTS = `Sent to the callback of a namespace, [signed](../webhooks.md). A task's end is sent to its \`notifyURL\` as [Task](#task), and
an upload's callback has the body that its policy says.`;

export function recordsPage(
  records: Readonly<Record<string, RecordSchema>>,
  events: Readonly<Record<string, EventDescription>>,
): string {
  return page('Records', 'packages/protocol/src/records and event-types.ts', [
    ABOUT,
    ...Object.entries(records).flatMap(([name, schema]) => [`## ${name}`, ...shown(schema)]),
    '## Events',
    EVENTS,
    ...Object.entries(events).flatMap(([name, { about, body }]) => [
      `### ${name}`,
      `${about}.`,
      ...shown(body),
    ]),
  ]);
}

function shown(schema: RecordSchema): string[] {
  const isList = schema.type === 'array' && schema.items !== undefined;
  const described = [isList ? 'A list of these.' : '', schema.description ?? ''].filter(Boolean);
  const rows = rowsOf(isList ? (schema.items ?? {}) : schema, '');
  return [...described, table(['field', 'type', 'meaning'], rows)];
}

/** Fields of a record within a record follow it, as `media.state` or `items[].cmd`. */
function rowsOf({ properties = {}, required = [] }: RecordSchema, within: string): string[][] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = code(within + name);
    const row = [required.includes(name) ? `**${path}**` : path, typeOf(field), field.description ?? ''];
    const nested = field.items ?? field;
    return [row, ...rowsOf(nested, `${within}${name}${field.items ? '[]' : ''}.`)];
  });
}

/** For calls, what they answer: `Object`, `list of Account`, `page of Task`. Empty if it has no name. */
export function answerOf(schema: RecordSchema | undefined): string {
  const { $ref, items, properties } = schema ?? {};
  if ($ref !== undefined) return linkOf($ref);
  if (items?.$ref !== undefined) return `list of ${linkOf(items.$ref)}`;
  const paged = properties?.items?.items?.$ref;
  return paged === undefined ? '' : `page of ${linkOf(paged)}`;
}

function linkOf(ref: string): string {
  const name = ref.slice(ref.lastIndexOf('/') + 1);
  return `[${name}](records.md#${name.toLowerCase()})`;
}

function typeOf(schema: RecordSchema): string {
  if (schema.enum !== undefined) return schema.enum.map((value) => code(JSON.stringify(value))).join(', ');
  if (schema.oneOf !== undefined) return schema.oneOf.map(typeOf).join(' or ');
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`;
  if (schema.additionalProperties !== undefined) return `map of ${typeOf(schema.additionalProperties)}`;
  if (schema.format === 'date-time') return 'time, ISO 8601';
  return schema.type === 'object' ? 'record' : (schema.type ?? 'any');
}

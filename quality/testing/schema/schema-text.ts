/**
 * What is in a schema of a database, as SQL for people to read: the same text from every PostgreSQL that is supported. It is written from the
 * catalogs because pg_dump is one program for each version, and takes tables apart.
 */
import path from 'node:path';
import pg from 'pg';
import { createDatabase } from '../databases/databases.ts';
import { ensureTemplates } from '../databases/template-databases.ts';
import {
  COLUMNS,
  CONSTRAINTS,
  type Column,
  FUNCTIONS,
  INDEXES,
  PARTITIONS,
  type Part,
  TABLES,
  type Table,
  TRIGGERS,
  UNKNOWN,
} from './catalog.ts';

const FOLDER = path.join(import.meta.dirname, '../../../packages/server/schema');
const HEADER = `-- What the migrations make, to be read: \`npm run schema\` writes this file, and nothing runs it. Why it is so is in
-- packages/server/migrations. Left out are partitions that only time makes, such as those of a day.`;

/** Each file with its text, from databases that this checkout migrated. */
export async function schemaFiles(): Promise<Map<string, string>> {
  const templates = await ensureTemplates();
  return new Map([
    [path.join(FOLDER, 'control.sql'), await textOf(templates.control, ['control'])],
    [path.join(FOLDER, 'region.sql'), await textOf(templates.region, ['region', 'queue'])],
  ]);
}

/** Nobody can copy a template while somebody reads it, so a copy is read. */
async function textOf(template: string, schemas: readonly string[]): Promise<string> {
  const copy = await createDatabase('schema', template);
  try {
    return await schemaText(copy.url, schemas);
  } finally {
    await copy.drop();
  }
}

/** The schemas of a database that a server of Millpond uses, the most important first. */
export async function schemaText(url: string, schemas: readonly string[]): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const query = async <Row>(text: string, values: unknown) =>
    (await client.query(text, [values])).rows as Row[];
  try {
    // Then every name is written with its schema.
    await client.query('SET search_path TO pg_catalog');
    const unknown = await query<{ name: string }>(UNKNOWN, schemas);
    if (unknown.length > 0)
      throw new Error(`the writer of the schema does not know ${unknown.map(({ name }) => name).join(', ')}`);
    const tables = await query<Table>(TABLES, schemas);
    const oids = tables.map(({ oid }) => oid);
    const columns = await query<Column>(COLUMNS, oids);
    const constraints = await query<Part>(CONSTRAINTS, oids);
    const partitions = await query<Part>(PARTITIONS, oids);
    const indexes = await query<Part>(INDEXES, oids);
    const triggers = await query<Part>(TRIGGERS, oids);
    const functions = await query<Part>(FUNCTIONS, schemas);
    const of = <Of extends { readonly table: number }>(all: readonly Of[], { oid }: Table) =>
      all.filter(({ table }) => table === oid);
    return `${[
      HEADER,
      ...tables.map((table) =>
        [
          tableText(table, of(columns, table), of(constraints, table)),
          ...partitionsText(of(partitions, table)),
          ...of(indexes, table).map(({ text }) => `${text};`),
          ...of(triggers, table).map((trigger) =>
            described(
              trigger,
              trigger.text.replace(/ (?=(?:REFERENCING|FOR EACH|WHEN|EXECUTE) )/g, '\n  '),
              `TRIGGER ${trigger.name} ON ${table.name}`,
            ),
          ),
        ].join('\n'),
      ),
      ...functions.map((each) =>
        described(
          each,
          functionText(each.text),
          `${each.text.startsWith('CREATE AGGREGATE') ? 'AGGREGATE' : 'FUNCTION'} ${shortTypes(each.name)}`,
        ),
      ),
    ].join('\n\n')}\n`;
  } finally {
    await client.end();
  }
}

function tableText(table: Table, columns: readonly Column[], constraints: readonly Part[]): string {
  const [nameWidth, typeWidth] = [
    Math.max(...columns.map(({ name }) => name.length)),
    Math.max(...columns.map(({ type }) => shortTypes(type).length)),
  ];
  const lines = [
    ...columns.map(({ name, type, attributes }) => {
      const rest = attributes.filter((attribute) => attribute !== null).join(' ');
      return `${name.padEnd(nameWidth)} ${shortTypes(type).padEnd(rest === '' ? 0 : typeWidth)} ${shortTypes(rest)}`.trimEnd();
    }),
    ...constraints.map(({ name, text }) => `CONSTRAINT ${name} ${shortTypes(text)}`),
  ];
  const after = [
    table.partitioning === null ? '' : ` PARTITION BY ${table.partitioning}`,
    table.options.length === 0 ? '' : ` WITH (${table.options.join(', ').replaceAll('=', ' = ')})`,
  ].join('');
  const hasRows = table.rows > 0 && !table.name.endsWith('.migrations');
  const rows = hasRows
    ? `\n-- ${table.rows === 1 ? 'One row is' : `${table.rows} rows are`} in it from the beginning.`
    : '';
  return `CREATE TABLE ${table.name} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n)${after};${rows}`;
}

/** Many partitions differ by a number only: the first and the last are enough. */
function partitionsText(partitions: readonly Part[]): string[] {
  const texts = partitions.map(
    ({ text, comment }) => `${text.replaceAll('=', ' = ')};${comment === null ? '' : ` -- ${comment}`}`,
  );
  const [first = '', last = ''] = [texts[0], texts.at(-1)];
  return texts.length <= 2 ? texts : [first, `-- and so on, ${texts.length} in all, to`, last];
}

/** Without a sentence it says that one is missing: a test looks for those. */
function described({ comment }: Part, text: string, what: string): string {
  const sentence = comment === null ? 'NULL' : `'${comment.replaceAll("'", "''")}'`;
  return `${text};\nCOMMENT ON ${what} IS ${sentence};`;
}

function functionText(text: string): string {
  const [head = '', ...body] = shortTypes(text.trimEnd()).split('$function$');
  return [head.replace(/^ /gm, ''), ...body].join('$$');
}

function shortTypes(text: string): string {
  return text.replaceAll('timestamp with time zone', 'timestamptz');
}

/**
 * The page of what the databases do by themselves. The sentences are the comments of functions and triggers in the databases, as
 * packages/server/schema has them.
 */
import { code, page, table } from './markdown.ts';

const INTRODUCTION = `Rules that no statement may forget are in the databases: triggers hold them, whoever changes a row. Functions are what
several statements share, or what must happen beside the rows. The tables are in \`packages/server/schema/control.sql\` and
\`packages/server/schema/region.sql\` of a checkout; [the databases](../contributing/database.md) says how they are changed.`;

const TRIGGER =
  /^CREATE TRIGGER (\S+) (\w+ [A-Z ]+?)(?: OF ([^;]+?))? ON (\S+)\n[^;]*EXECUTE FUNCTION (\S+)\(\);\nCOMMENT ON TRIGGER \S+ ON \S+ IS '((?:[^']|'')*)';$/gm;
const FUNCTION = /^COMMENT ON (?:FUNCTION|AGGREGATE) (\S+)\(.*\) IS '((?:[^']|'')*)';$/gm;

/** `schemas`: the text of each file, by the title of its section. */
export function databasePage(schemas: Readonly<Record<string, string>>): string {
  return page('What the databases do', 'the comments of functions and triggers in packages/server/schema', [
    INTRODUCTION,
    ...Object.entries(schemas).flatMap(([title, text]) => [
      `## ${title}`,
      '### Triggers',
      table(
        ['table', 'trigger', 'when', 'calls', 'what it is for'],
        triggersIn(text).map(({ name, on, when, calls, about }) => [
          code(on),
          code(name),
          when,
          code(calls),
          about,
        ]),
      ),
      '### Functions',
      table(
        ['function', 'what it does'],
        functionsIn(text).map(({ name, about }) => [code(name), about]),
      ),
    ]),
  ]);
}

interface Trigger extends DatabaseFunction {
  readonly on: string;
  readonly when: string;
  readonly calls: string;
}

function triggersIn(text: string): Trigger[] {
  return [...text.matchAll(TRIGGER)].map(
    ([, name = '', event = '', columns, on = '', calls = '', about = '']) => ({
      name,
      on,
      calls,
      when: `${event.toLowerCase()}${columns === undefined ? '' : ` of ${columns}`}`,
      about: unquoted(about),
    }),
  );
}

interface DatabaseFunction {
  readonly name: string;
  readonly about: string;
}

function functionsIn(text: string): DatabaseFunction[] {
  return [...text.matchAll(FUNCTION)].map(([, name = '', about = '']) => ({ name, about: unquoted(about) }));
}

function unquoted(text: string): string {
  return text.replaceAll("''", "'");
}

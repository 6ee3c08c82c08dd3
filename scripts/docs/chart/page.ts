/** The page of the chart's values, from their schema and values.yaml. */
import { code, page, table } from '../markdown.ts';
import type { Schema } from './kinds.ts';

const INTRODUCTION = `Values of [deploy/helm/millpond](../../deploy/helm/millpond), which [kubernetes.md](../kubernetes.md) installs. Helm checks
them by the same schema that this page is made of: a name that is not here is refused, also one of a setting.`;

type Values = Readonly<Record<string, unknown>>;

export function chartPage(schema: Schema, values: Values): string {
  const entries = Object.entries(schema.properties ?? {}).filter(([name]) => name !== 'global');
  const isGroup = ([, each]: readonly [string, Schema]) => each.properties !== undefined;
  return page('Values of the Helm chart', 'scripts/docs/chart', [
    INTRODUCTION,
    valuesTable(
      entries.filter((each) => !isGroup(each)).flatMap(([name, each]) => rowsOf(name, each, values[name])),
    ),
    ...entries
      .filter(isGroup)
      .flatMap(([name, each]) => [
        `## ${name}`,
        each.description ?? '',
        valuesTable(
          Object.entries(each.properties ?? {}).flatMap(([inner, property]) =>
            rowsOf(`${name}.${inner}`, property, (values[name] as Values)[inner]),
          ),
        ),
      ]),
  ]);
}

function valuesTable(rows: readonly (readonly string[])[]): string {
  return table(['value', 'default', 'meaning'], rows);
}

function rowsOf(name: string, schema: Schema, value: unknown): readonly (readonly string[])[] {
  const { properties, description = '' } = schema;
  if (properties === undefined) return [[code(name), shown(value), meaningOf(schema)]];
  const inner = Object.entries(properties).flatMap(([each, property]) =>
    rowsOf(`${name}.${each}`, property, (value as Values | undefined)?.[each]),
  );
  return description === '' ? inner : [[code(name), '', description], ...inner];
}

function meaningOf({ description = '', enum: options }: Schema): string {
  if (!Array.isArray(options)) return description;
  const listed = options.filter((option) => option !== '').map((option) => code(String(option)));
  return `${description} One of ${listed.join(', ')}.`;
}

function shown(value: unknown): string {
  if (value === undefined || value === '') return '';
  return code(JSON.stringify(value).replaceAll('"', ''));
}

/**
 * Parameters of a command, `/name/value` in any order, each at most once, read with the command's own table. The hints
 * of faults and the reference page come from the same table.
 */
import { Fault } from '../errors/fault.ts';
import type { ValueSyntax } from './value-forms.ts';

export interface Parameter<Value = unknown> {
  readonly value: ValueSyntax<Value>;
  readonly meaning: string;
  readonly required?: true;
  /** Other names under which it is accepted. */
  readonly aliases?: readonly string[];
}

export type ParameterTable = Readonly<Record<string, Parameter>>;

type ValueOf<Row> = Row extends { readonly value: ValueSyntax<infer Value> } ? Value : never;

export type Values<Table extends ParameterTable> = {
  readonly [Name in keyof Table]: Table[Name] extends { readonly required: true }
    ? ValueOf<Table[Name]>
    : ValueOf<Table[Name]> | undefined;
};

/** A refusal that names the command and what is wrong with it. */
export function invalidCommand(hint: string): Fault {
  return new Fault('invalidArgument', { hint });
}

/** Known, but the engines we rely on can't do it. */
export function unsupportedCommand(hint: string): Fault {
  return new Fault('unsupportedCommand', { hint });
}

export function readParameters<Table extends ParameterTable>(
  command: string,
  segments: readonly string[],
  table: Table,
): Values<Table> {
  const values = new Map<string, unknown>();
  for (let at = 0; at < segments.length; at += 2) {
    const written = segments[at] ?? '';
    const text = segments[at + 1];
    const name = nameIn(table, written);
    if (name === undefined) throw invalidCommand(`${command} has no parameter ${show(written)}`);
    if (text === undefined) throw invalidCommand(`${command}: ${name} has no value`);
    if (values.has(name)) throw invalidCommand(`${command}: ${name} is given twice`);
    values.set(name, readValue(`${command}: ${name}`, text, table[name]?.value));
  }
  for (const [name, { required }] of Object.entries(table))
    if (required && !values.has(name)) throw invalidCommand(`${command}: ${name} is missing`);
  const read = Object.fromEntries(Object.keys(table).map((name) => [name, values.get(name)]));
  return read as Values<Table>;
}

/** The name of the table row for this spelling; undefined if there is none. */
export function nameIn(table: ParameterTable, written: string): string | undefined {
  if (Object.hasOwn(table, written)) return written;
  return Object.keys(table).find((name) => table[name]?.aliases?.includes(written));
}

/** A single value, by position. */
export function readValue<Value>(what: string, text: string | undefined, form?: ValueSyntax<Value>): Value {
  const value = text === undefined ? undefined : form?.read(text);
  if (value === undefined) throw invalidCommand(`${what} must be ${form?.form ?? 'known'}`);
  return value;
}

/** In the table's order: equal plans are written alike. */
export function printParameters<Table extends ParameterTable>(
  table: Table,
  values: { readonly [Name in keyof Table]: unknown },
): string[] {
  return Object.entries(table).flatMap(([name, { value }]) =>
    values[name] === undefined ? [] : [name, value.print(values[name])],
  );
}

export function readNothing(command: string, segments: readonly string[]): void {
  if (segments.length > 0) throw invalidCommand(`${command} has no parameters`);
}

/** What a user wrote, for a hint: short and on one line. */
export function show(text: string): string {
  const plain = text.replaceAll(/[^\x20-\x7e]/g, '?');
  return plain.length > 40 ? `"${plain.slice(0, 40)}…"` : `"${plain}"`;
}

/** JSON Schema with the TypeScript type of what it describes: one text for the reference, the server and the client. */

import type { JsonNumber } from '../json-number.ts';

declare const described: unique symbol;

/** `Described` stands only in the type: `TypeOf` reads it. */
export interface Schema<Described = unknown> {
  readonly [word: string]: unknown;
  readonly [described]?: Described;
}
export type TypeOf<S extends Schema> = S extends Schema<infer Described> ? Described : never;

type Fields = Readonly<Record<string, Schema>>;
type RecordOf<F extends Fields> = Flat<
  { readonly [Name in keyof F as Name extends `${string}?` ? never : Name]: TypeOf<F[Name]> } & {
    readonly [Name in keyof F as Name extends `${infer Plain}?` ? Plain : never]?:
      | TypeOf<F[Name]>
      | undefined;
  }
>;
/** Editors show the fields instead of how they came about. */
type Flat<T> = { [Name in keyof T]: T[Name] };

export const text: Schema<string> = { type: 'string' };
/** Said of every integer: a generated client would take 32 bits for bytes and times. */
const INT64 = { type: 'integer', format: 'int64' };
export const integer: Schema<number> = INT64;
/** Beyond 2^53, so that a number of JavaScript does not hold it. */
export const hundredNanoseconds: Schema<JsonNumber> = INT64;
export const number: Schema<number> = { type: 'number' };
export const flag: Schema<boolean> = { type: 'boolean' };
export const time: Schema<string> = { type: 'string', format: 'date-time' };
export const unixSeconds: Schema<number> = { ...INT64, description: 'unix seconds' };
export const binary: Schema<string> = { type: 'string', format: 'binary' };
export const anything: Schema = {};

export function withDescription<S extends Schema>(schema: S, description: string): S {
  return { ...schema, description };
}

export function oneOf<const Value extends string | number>(
  values: readonly Value[],
  description?: string,
): Schema<Value> {
  return { enum: values, ...(description !== undefined && { description }) };
}

export function nullable<Value>(schema: Schema<Value>): Schema<Value | null> {
  return { oneOf: [schema, { type: 'null' }] };
}

export function listOf<Item>(items: Schema<Item>): Schema<readonly Item[]> {
  return { type: 'array', items };
}

export function mapOf<Value>(values: Schema<Value>): Schema<Readonly<Record<string, Value>>> {
  return { type: 'object', additionalProperties: values };
}

/** Fields whose names end in `?` are optional. */
export function record<F extends Fields>(fields: F): Schema<RecordOf<F>> {
  const entries = Object.entries(fields);
  return {
    type: 'object',
    required: entries.map(([name]) => name).filter((name) => !name.endsWith('?')),
    properties: Object.fromEntries(entries.map(([name, schema]) => [plainName(name), schema])),
  };
}

type AllOf<F extends Fields> = {
  readonly [Name in keyof F as Name extends `${infer Plain}?` ? Plain : Name]: F[Name];
};

/** Makes all fields required: optional in requests, always in responses. */
export function allRequired<F extends Fields>(fields: F): AllOf<F> {
  const entries = Object.entries(fields).map(([name, schema]) => [plainName(name), schema]);
  return Object.fromEntries(entries) as AllOf<F>;
}

function plainName(name: string): string {
  return name.replace(/\?$/, '');
}

/**
 * Fields of resources as they come in JSON: each has a reader and a default value. A new resource takes the fields it knows
 * from the body (clients send fields that mean nothing here); a change names each field.
 */
import { Fault } from '@millpond/protocol';

export interface Field<T> {
  readonly fallback: T;
  /** Throws if the value is not valid. */
  read(value: unknown, name: string): T;
}
export type Shape = Readonly<Record<string, Field<unknown>>>;
export type ValuesOf<S extends Shape> = {
  readonly [K in keyof S]: S[K] extends Field<infer T> ? T : never;
};

const MAX_OPERATIONS = 100;

export function stringField(longest: number, fallback = ''): Field<string> {
  return {
    fallback,
    read(value, name) {
      if (typeof value !== 'string' || Buffer.byteLength(value) > longest || value.includes('\0'))
        throw invalidField(`${name} must be a string of at most ${longest} bytes`);
      return value;
    },
  };
}

export function patternField<T extends string = string>(
  form: RegExp,
  described: string,
  fallback: T = '' as T,
): Field<T> {
  return {
    fallback,
    read(value, name) {
      if (typeof value !== 'string' || !form.test(value)) throw invalidField(`${name} must be ${described}`);
      return value as T;
    },
  };
}

export function integerField<T extends number = number>(
  least: number,
  most: number,
  fallback: NoInfer<T>,
): Field<T> {
  return {
    fallback,
    read(value, name) {
      if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
        throw invalidField(`${name} must be a whole number from ${least} to ${most}`);
      return value as T;
    },
  };
}

export function booleanField(fallback = false): Field<boolean> {
  return {
    fallback,
    read(value, name) {
      if (typeof value !== 'boolean') throw invalidField(`${name} must be true or false`);
      return value;
    },
  };
}

export function parseCreate<S extends Shape>(shape: S, body: Readonly<Record<string, unknown>>): ValuesOf<S> {
  const values = Object.entries(shape).map(([name, field]) => {
    const given = body[name];
    return [name, given === undefined || given === null ? field.fallback : field.read(given, name)];
  });
  return Object.fromEntries(values) as ValuesOf<S>;
}

/** `{"operations": [{"op": "replace" | "delete", "key", "value"}]}`; a deleted field counts as never given. */
export function parsePatch<S extends Shape>(
  shape: S,
  body: Readonly<Record<string, unknown>>,
): Partial<ValuesOf<S>> {
  const { operations } = body;
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MAX_OPERATIONS)
    throw invalidField(`operations must be a list of 1 to ${MAX_OPERATIONS} operations`);
  return Object.fromEntries(operations.map((each) => readOperation(shape, each))) as Partial<ValuesOf<S>>;
}

function readOperation(shape: Shape, operation: unknown): [string, unknown] {
  const { op, key, value } = (operation ?? {}) as Record<string, unknown>;
  const field = typeof key === 'string' && Object.hasOwn(shape, key) ? shape[key] : undefined;
  if (typeof key !== 'string' || field === undefined)
    throw invalidField(`key must be one of ${Object.keys(shape).join(', ')}`);
  if (op === 'replace') return [key, field.read(value, key)];
  if (op === 'delete') return [key, field.fallback];
  throw invalidField('op must be replace or delete');
}

export function invalidField(hint: string): Fault {
  return new Fault('invalidArgument', { hint });
}

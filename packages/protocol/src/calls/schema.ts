/** Short forms for JSON Schema. */

export interface Schema {
  readonly [word: string]: unknown;
}

export const text: Schema = { type: 'string' };
export const integer: Schema = { type: 'integer' };
export const flag: Schema = { type: 'boolean' };
export const time: Schema = { type: 'string', format: 'date-time' };
export const unixSeconds: Schema = { type: 'integer', description: 'unix seconds' };
export const binary: Schema = { type: 'string', format: 'binary' };

export function said(schema: Schema, description: string): Schema {
  return { ...schema, description };
}

export function listOf(items: Schema): Schema {
  return { type: 'array', items };
}

export function mapOf(values: Schema): Schema {
  return { type: 'object', additionalProperties: values };
}

/** Fields whose names end in `?` are optional. */
export function record(fields: Readonly<Record<string, Schema>>): Schema {
  const entries = Object.entries(fields);
  return {
    type: 'object',
    required: entries.map(([name]) => name).filter((name) => !name.endsWith('?')),
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace(/\?$/, ''), schema])),
  };
}

export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

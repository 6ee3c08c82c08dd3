/** The kinds of values, as JSON schema. */

export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly $ref?: string;
  readonly [keyword: string]: unknown;
}

/** Nothing but these: a name that is not among them is a typo. */
export function object(description: string, properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', ...said(description), additionalProperties: false, properties };
}

export function map(description: string, values: Schema): Schema {
  return { type: 'object', ...said(description), additionalProperties: values };
}

export function list(description: string, items: Schema): Schema {
  return { type: 'array', ...said(description), items };
}

export function string(description: string): Schema {
  return { type: 'string', ...said(description) };
}

export function boolean(description: string): Schema {
  return { type: 'boolean', ...said(description) };
}

export function integer(description: string, minimum: number): Schema {
  return { type: 'integer', ...said(description), minimum };
}

export function choice(description: string, ...options: readonly string[]): Schema {
  return { type: 'string', ...said(description), enum: options };
}

/** Refers to one of the schema's definitions. The description is beside it in draft 7 only if it is a part of a whole. */
export function ref(name: string, description: string): Schema {
  return { ...said(description), allOf: [{ $ref: `#/definitions/${name}` }] };
}

function said(description: string): Pick<Schema, 'description'> {
  return description === '' ? {} : { description };
}

/** Holds an answer against its description: every field has the type that is said, and there is none beside them. */

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
}

/** What is wrong, each with its place; empty when all is as described. */
export function mismatches(
  value: unknown,
  schema: Schema,
  schemas: Readonly<Record<string, Schema>>,
  place = '$',
): string[] {
  if (schema.$ref !== undefined) {
    const named = schemas[schema.$ref.split('/').at(-1) ?? ''];
    return named === undefined
      ? [`${place}: ${schema.$ref} is missing`]
      : mismatches(value, named, schemas, place);
  }
  if (schema.oneOf !== undefined) {
    const tried = schema.oneOf.map((each) => mismatches(value, each, schemas, place));
    return tried.some((faults) => faults.length === 0) ? [] : tried.flat();
  }
  if (schema.enum !== undefined) return schema.enum.includes(value) ? [] : [`${place}: ${String(value)}`];
  if (schema.type !== undefined && !hasType(value, schema.type)) return [`${place}: not ${schema.type}`];
  if (Array.isArray(value)) {
    const { items = {} } = schema;
    return value.flatMap((item, index) => mismatches(item, items, schemas, `${place}[${index}]`));
  }
  if (typeof value !== 'object' || value === null) return [];
  return fieldFaults(value as Record<string, unknown>, schema, schemas, place);
}

function fieldFaults(
  value: Readonly<Record<string, unknown>>,
  { required = [], properties, additionalProperties }: Schema,
  schemas: Readonly<Record<string, Schema>>,
  place: string,
): string[] {
  const missing = required.filter((name) => !(name in value)).map((name) => `${place}.${name}: missing`);
  const wrong = Object.entries(value).flatMap(([name, field]) => {
    const known = properties?.[name] ?? additionalProperties ?? (properties === undefined ? {} : undefined);
    return known === undefined
      ? [`${place}.${name}: not described`]
      : mismatches(field, known, schemas, `${place}.${name}`);
  });
  return [...missing, ...wrong];
}

function hasType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}

import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  allRequired,
  integer,
  listOf,
  mapOf,
  oneOf,
  record,
  type TypeOf,
  text,
  withDescription,
} from './schema.ts';

const settings = { name: text, 'size?': withDescription(integer, 'bytes'), 'kind?': oneOf(['a', 'b']) };
const given = record(settings);
const shown = record({ id: text, ...allRequired(settings), tags: listOf(mapOf(text)) });

describe('a schema of a record', () => {
  it('requires the fields whose names have no question mark', () => {
    expect(given).toEqual({
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        size: { type: 'integer', format: 'int64', description: 'bytes' },
        kind: { enum: ['a', 'b'] },
      },
    });
    expect(shown).toMatchObject({ required: ['id', 'name', 'size', 'kind', 'tags'] });
  });

  it('is also the type of the record', () => {
    expectTypeOf<TypeOf<typeof given>>().toEqualTypeOf<{
      readonly name: string;
      readonly size?: number | undefined;
      readonly kind?: 'a' | 'b' | undefined;
    }>();
    expectTypeOf<TypeOf<typeof shown>>().toEqualTypeOf<{
      readonly id: string;
      readonly name: string;
      readonly size: number;
      readonly kind: 'a' | 'b';
      readonly tags: readonly Readonly<Record<string, string>>[];
    }>();
  });
});

import { Fault } from '@millpond/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  booleanField,
  integerField,
  parseCreate,
  parsePatch,
  patternField,
  stringField,
} from './resources.fields.ts';
import { readListQuery } from './resources.list-query.ts';

const shape = {
  name: patternField(/^[a-z]{1,5}$/, 'letters', 'none'),
  desc: stringField(10),
  count: integerField(1, 9, 3),
  on: booleanField(true),
};

describe('fields', () => {
  test('that are not given have their value, and others are none of ours', () => {
    expect(parseCreate(shape, { name: 'a', other: 1, desc: null })).toEqual({
      name: 'a',
      desc: '',
      count: 3,
      on: true,
    });
  });

  test('are changed one by one, and deleted back to what they were', () => {
    const operations = [
      { op: 'replace', key: 'count', value: 4 },
      { op: 'delete', key: 'name' },
    ];
    expect(parsePatch(shape, { operations })).toEqual({ count: 4, name: 'none' });
  });

  test.each([
    [{}],
    [{ operations: [] }],
    [{ operations: [null] }],
    [{ operations: [{ op: 'add', key: 'name', value: 'a' }] }],
    [{ operations: [{ op: 'replace', key: 'constructor', value: 'a' }] }],
    [{ operations: [{ op: 'replace', key: 'count', value: '4' }] }],
    [{ operations: [{ op: 'replace', key: 'desc', value: 'longer than ten' }] }],
  ])('are not changed by %j', (body) => {
    expect(() => parsePatch(shape, body)).toThrow(Fault);
  });

  test('of any kind are values or refused', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('name', 'desc', 'count', 'on'), fc.jsonValue()), (body) => {
        try {
          const values = parseCreate(shape, body);
          expect(typeof values.count === 'number' && typeof values.on === 'boolean').toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(Fault);
        }
      }),
    );
  });
});

describe('lists', () => {
  test('have a page and an order', () => {
    expect(readListQuery(new URLSearchParams())).toEqual({
      offset: 0,
      line: 100,
      isDescending: true,
      by: 'createdAt',
    });
    const given = new URLSearchParams('offset=5&line=1000&sortBy=asc:lastPushedAt');
    expect(readListQuery(given)).toEqual({ offset: 5, line: 1000, isDescending: false, by: 'lastPushedAt' });
  });

  test.each(['line=0', 'line=1001', 'offset=-1', 'line=x', 'sortBy=up', 'sortBy=asc:name'])(
    'refuse %s',
    (query) => {
      expect(() => readListQuery(new URLSearchParams(query))).toThrow(Fault);
    },
  );
});

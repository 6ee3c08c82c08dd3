import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { idsInTitle, titleWithoutIds } from './title.ts';

const prefix = fc.stringMatching(/^[a-z][a-z0-9]{0,8}(-[a-z0-9]{1,8}){0,2}$/);
const id = fc.oneof(
  fc
    .tuple(prefix, fc.integer({ min: 1, max: 99 }))
    .map(([name, n]) => `${name}-${String(n).padStart(2, '0')}`),
  fc.integer({ min: 1, max: 49 }).map((n) => `G${n}`),
);
const plainTitle = fc
  .string({ unit: 'grapheme', minLength: 1 })
  .map((text) => text.replace(/[[\]]/g, '').trim());

describe('ids in a title', () => {
  test('whatever ids a title ends with are read back, and the rest is the title', () => {
    fc.assert(
      fc.property(plainTitle, fc.uniqueArray(id, { minLength: 1, maxLength: 5 }), (text, ids) => {
        const title = `${text} [${ids.join(' ')}]`;
        expect(idsInTitle(title)).toEqual(ids);
        expect(titleWithoutIds(title)).toBe(text);
      }),
    );
  });

  test('a title without brackets at its end names nothing and stays as it is', () => {
    fc.assert(
      fc.property(plainTitle, id, (text, one) => {
        const title = `${text} [${one}] and more`;
        expect(idsInTitle(title)).toEqual([]);
        expect(titleWithoutIds(title)).toBe(title);
      }),
    );
  });

  test.each([
    ['only the last brackets count', 'a [fetch-01] b [chgm-02]', ['chgm-02']],
    ['commas separate too', 'a [fetch-01, G7]', ['fetch-01', 'G7']],
    ['an id said twice counts once', 'a [G7 G7]', ['G7']],
    [
      'a misspelt id is still read, to be reported as unknown',
      'a [fetch_01 Fetch-1]',
      ['fetch_01', 'Fetch-1'],
    ],
    ['a stray word beside an id is read, to be reported as unknown', 'a [G7 oops]', ['G7', 'oops']],
    ['brackets with plain words are part of the title', 'takes a list [a b]', []],
    ['brackets with a character class are part of the title', 'matches [0-9]', []],
    ['empty brackets are part of the title', 'an empty list []', []],
  ])('%s', (_, title, ids) => {
    expect(idsInTitle(title)).toEqual(ids);
  });
});

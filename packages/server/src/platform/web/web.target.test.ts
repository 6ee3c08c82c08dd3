import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTarget, segmentsOf } from './web.target.ts';

describe('a request target', () => {
  test.each([
    ['/stat/abc', '/stat/abc', undefined],
    ['/stat/abc?', '/stat/abc', ''],
    ['/a?b=c?d', '/a', 'b=c?d'],
    ['/a%3Fb?c=%26', '/a%3Fb', 'c=%26'],
  ])('%s is split and not decoded', (raw, path, query) => {
    expect(parseTarget(raw)).toEqual({ raw, path, query });
  });

  test('is whole again when its parts are joined', () => {
    fc.assert(
      fc.property(fc.string(), (raw) => {
        const { path, query } = parseTarget(raw);
        expect(query === undefined ? path : `${path}?${query}`).toBe(raw);
      }),
    );
  });

  test.each([
    ['/stat/abc', ['abc']],
    ['/chgm/e/mime//cond/c', ['e', 'mime', '', 'cond', 'c']],
    ['/stat/', ['']],
    ['/stat', []],
    ['/stat/a%2Fb/..?x/y', ['a%2Fb', '..']],
  ])('%s keeps its segments as they are', (raw, segments) => {
    expect(segmentsOf(parseTarget(raw))).toEqual(segments);
  });
});

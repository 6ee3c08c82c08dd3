import { expect, test } from 'vitest';
import { storedOriginHeaders } from './origin.ts';

test('what an origin says of its file stays with it, and nothing else does', () => {
  const said = {
    'cache-control': 'public, max-age=60',
    'content-disposition': 'inline; filename="a.txt"',
    'content-encoding': 'gzip',
    'content-language': 'de',
    expires: 'Tue, 15 Nov 2033 12:45:26 GMT',
  };
  const more = { 'content-type': 'text/plain', 'set-cookie': ['a=b'], etag: '"1"', 'x-own': '1', vary: '*' };
  expect(storedOriginHeaders({ ...said, ...more })).toEqual(said);
  expect(storedOriginHeaders(more)).toBeUndefined();
});

test('lists that came on several lines are one', () => {
  expect(
    storedOriginHeaders({ 'cache-control': ['public', 'max-age=60'], 'content-language': ['de', 'en'] }),
  ).toEqual({
    'cache-control': 'public, max-age=60',
    'content-language': 'de, en',
  });
});

test('what could not stand in our headers counts as not said', () => {
  const said = {
    'cache-control': 'max-age=soon',
    'content-disposition': ['attachment', 'inline'],
    'content-encoding': 'gz\u00efp',
    'content-language': '',
    expires: '-1',
  };
  expect(storedOriginHeaders(said)).toBeUndefined();
  expect(storedOriginHeaders({ ...said, expires: '0' })).toEqual({ expires: '0' });
});

test('of too much, the coding stays', () => {
  const long = 'v'.repeat(1000);
  const carried = storedOriginHeaders({
    'content-encoding': 'br',
    'content-disposition': `attachment; filename="${long}"`,
    'content-language': 'de',
    'cache-control': `a="${long}"`,
    expires: '0',
  });
  expect(Object.keys(carried ?? {})).toEqual([
    'content-encoding',
    'content-disposition',
    'content-language',
    'expires',
  ]);
});

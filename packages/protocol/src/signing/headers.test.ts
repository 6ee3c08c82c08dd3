import { describe, expect, test } from 'vitest';
import { canonicalHeaderName, firstHeader, headersWithPrefix } from './headers.ts';

describe('header names', () => {
  test.each([
    [':status', ':status'],
    [':x-Test-1', ':x-Test-1'],
    [':x-Test-2', ':x-Test-2'],
    ['content-type', 'Content-Type'],
    ['CONTENT-LENGTH', 'Content-Length'],
    ['acCePt-ChArsEt', 'Accept-Charset'],
    ['七牛', '七牛'],
    ['x-svc--date', 'X-Svc--Date'],
    ['x-svc-1a', 'X-Svc-1a'],
    ['x svc', 'x svc'],
    ['', ''],
  ])('%j is %j', (name, canonical) => {
    expect(canonicalHeaderName(name)).toBe(canonical);
  });
});

describe('headers', () => {
  test('with a prefix: sorted, each once, the first value', () => {
    const headers: [string, string][] = [
      ['x-svc-date', '1'],
      ['X-SVC-B', 'b'],
      ['X-Svc-Date', '2'],
      ['X-Svc-', 'nothing follows'],
      ['X-Svc', 'no prefix'],
      ['X-Svcs-A', 'no prefix'],
      ['x-svc-a b', 'no token'],
      ['X-Svcsdate', 'no prefix'],
      ['x-svc-a', ''],
      ['Host', 'h'],
    ];
    expect(headersWithPrefix(headers, 'X-Svc-')).toEqual([
      ['X-Svc-A', ''],
      ['X-Svc-B', 'b'],
      ['X-Svc-Date', '1'],
    ]);
    expect(firstHeader(headers, 'X-Svc-Date')).toBe('1');
    expect(firstHeader(headers, 'X-Svc-C')).toBeUndefined();
  });
});

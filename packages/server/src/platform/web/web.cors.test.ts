import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { preflightResponse } from './web.cors.ts';

const asking = (headers?: string) =>
  ({
    headers: headers === undefined ? {} : { 'access-control-request-headers': headers },
  }) as unknown as IncomingMessage;

describe('a preflight', () => {
  test('names the methods of the route and the headers that were asked for', () => {
    expect(preflightResponse(new Set(['GET', 'POST']), asking('Authorization, content-md5'))).toEqual({
      status: 200,
      headers: {
        'access-control-allow-methods': 'GET, POST, OPTIONS',
        'access-control-allow-headers': 'Authorization, content-md5',
        'access-control-max-age': '86400',
      },
      body: '',
    });
  });

  test.each([undefined, '', ',', 'a,', 'a b', 'a\u0000', '<a>', 'a:b', 'é'])(
    'echoes no header of %j',
    (headers) => {
      expect(preflightResponse(['POST'], asking(headers)).headers).not.toHaveProperty(
        'access-control-allow-headers',
      );
    },
  );

  test('reads a long list of headers in a time that grows with its length, whatever is in it', () => {
    // One that looks back would take hours.
    preflightResponse(['POST'], asking(`${'a , \t'.repeat(1_000_000)};`));
  });
});

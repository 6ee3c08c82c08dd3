import { expect, test } from 'vitest';
import type { CorsRule } from './cors-rules.ts';
import { s3CorsHeaders } from './s3-cors.ts';

const rule = (changes: Partial<CorsRule>): CorsRule => ({
  allowed_origin: ['https://app.example'],
  allowed_method: ['GET'],
  allowed_header: [],
  exposed_header: [],
  ...changes,
});
const request = { origin: 'https://app.example', method: 'GET' };

test('origins match exactly, with one star for anything', () => {
  const allows = (pattern: string, origin: string) =>
    s3CorsHeaders([rule({ allowed_origin: [pattern] })], { origin, method: 'GET' }) !== undefined;
  expect(allows('https://App.example', 'https://app.example')).toBe(false);
  expect(allows('https://*.example', 'https://a.b.example')).toBe(true);
  expect(allows('https://*.example', 'https://.example')).toBe(true);
  expect(allows('https://*.example', 'http://a.example')).toBe(false);
  expect(allows('*suffix', 'foo.suffixes')).toBe(false);
  expect(allows('start*end', 'startend')).toBe(true);
  expect(allows('start*end', 'starend')).toBe(false);
});

test('an origin that is named gets itself and credentials, a star a star and none', () => {
  expect(s3CorsHeaders([rule({})], request)).toMatchObject({
    'access-control-allow-origin': 'https://app.example',
    'access-control-allow-credentials': 'true',
  });
  const open = s3CorsHeaders([rule({ allowed_origin: ['*'] })], request);
  expect(open).toMatchObject({ 'access-control-allow-origin': '*' });
  expect(open).not.toHaveProperty('access-control-allow-credentials');
});

test('every header that a preflight asks for must be allowed, in any case', () => {
  const rules = [
    rule({ allowed_header: ['x-amz-*', 'Content-Type'], exposed_header: ['ETag'], max_age: 60 }),
  ];
  expect(s3CorsHeaders(rules, { ...request, headers: ['X-Amz-Date', 'content-type'] })).toEqual({
    'access-control-allow-origin': 'https://app.example',
    'access-control-allow-methods': 'GET',
    'access-control-allow-headers': 'X-Amz-Date, content-type',
    'access-control-expose-headers': 'ETag',
    'access-control-max-age': '60',
    'access-control-allow-credentials': 'true',
    vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
  });
  expect(s3CorsHeaders(rules, { ...request, headers: ['x-other'] })).toBeUndefined();
  expect(s3CorsHeaders(rules, { ...request, method: 'PUT' })).toBeUndefined();
  expect(s3CorsHeaders([], request)).toBeUndefined();
});

test('the first rule that matches counts', () => {
  const rules = [rule({ allowed_method: ['PUT'] }), rule({ max_age: 1 }), rule({ max_age: 2 })];
  expect(s3CorsHeaders(rules, request)).toMatchObject({ 'access-control-max-age': '1' });
});

import { expect, test } from 'vitest';
import type { ObjectRow } from '../../storage/objects/index.ts';
import { downloadHeaders } from './headers.ts';

const row = {
  hash: 'FhwvZaxxQhzDnJCYcGLXc9rqCvfE',
  put_time: 17_000_000_000_000_000n,
  mime_type: 'text/plain',
  meta: null,
} as unknown as ObjectRow;
const options = { reqid: 'r', metaPrefix: 'x-qn-meta-', saveAs: undefined, ownDomain: false };

test('what owners set before it was refused does not go out: servers in front would obey it', () => {
  const stored = {
    'x-litespeed-location': '/etc/passwd',
    'x-reproxy-url': 'http://127.0.0.1/',
    'x-own': '1',
    'cache-control': 'no-cache',
    'last-modified': 'Wed, 21 Oct 2015 07:00:00 GMT',
  };
  const headers = downloadHeaders({ ...row, headers: stored }, options);
  expect(headers).toMatchObject({ 'x-own': '1', 'cache-control': 'no-cache' });
  expect(headers['last-modified']).toBe(stored['last-modified']);
  expect(headers).not.toHaveProperty('x-litespeed-location');
  expect(headers).not.toHaveProperty('x-reproxy-url');
});

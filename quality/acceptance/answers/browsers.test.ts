/** Uploads from a page of another origin, as a browser sees them: what it asks first, and what it lets the page read. */
import { uploadToken } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { statTarget } from '../support/objects/objects.ts';
import { rawFetch } from '../support/raw.ts';
import { newBucket, target } from '../support/target.ts';

const ORIGIN = 'https://app.example.com';

function preflight(path: string, method: string, headers?: string) {
  return rawFetch({
    method: 'OPTIONS',
    target: path,
    headers: [
      ['Origin', ORIGIN],
      ['Access-Control-Request-Method', method],
      ...(headers === undefined ? [] : [['Access-Control-Request-Headers', headers] as const]),
    ],
  });
}

const listed = (value: string | undefined) => (value ?? '').toLowerCase().split(/\s*,\s*/);

describe('a page of another origin', () => {
  test.each([
    ['/', 'POST', 'content-type'],
    ['/buckets/b/objects/a2V5/uploads', 'POST', 'authorization'],
    ['/buckets/b/objects/a2V5/uploads/0123', 'POST', 'authorization,content-type'],
    ['/buckets/b/objects/a2V5/uploads/0123', 'GET', 'authorization'],
    ['/buckets/b/objects/a2V5/uploads/0123', 'DELETE', 'authorization'],
    ['/buckets/b/objects/a2V5/uploads/0123/1', 'PUT', 'authorization, content-md5, content-type'],
    ['/mkblk/4194304', 'POST', 'authorization,content-type'],
    ['/bput/ctx/4194304', 'POST', 'authorization,content-type'],
    ['/mkfile/11/key/a2V5', 'POST', 'authorization,x-own-header'],
  ])('may send to %s by %s with %s [form-19]', async (path, method, headers) => {
    const answer = await preflight(path, method, headers);
    expect(answer.status).toBe(200);
    expect(answer.header('access-control-allow-origin')).toBe('*');
    expect(listed(answer.header('access-control-allow-methods'))).toContain(method.toLowerCase());
    expect(listed(answer.header('access-control-allow-headers'))).toEqual(listed(headers));
    expect(Number(answer.header('access-control-max-age'))).toBeGreaterThan(0);
    expect(answer.header('access-control-allow-credentials')).toBeUndefined();
    expect(answer.header('x-reqid')).toMatch(/./);
    expect(answer.body.length).toBe(0);
  });

  test('asking for headers that are none is told of none [form-19]', async () => {
    for (const headers of [undefined, 'a b', 'a;b', 'a,,b', '<script>']) {
      const answer = await preflight('/', 'POST', headers);
      expect([headers, answer.header('access-control-allow-headers')]).toEqual([headers, undefined]);
    }
  });

  test('may read the answer and its request id, of an upload and of a refusal [form-19]', async () => {
    const bucket = await newBucket();
    const send = async (token: string, size = 7) => {
      const form = new FormData();
      form.set('token', token);
      form.set('key', 'k');
      form.set('file', new Blob(['x'.repeat(size)]), 'f');
      return fetch(`${target.url}/`, { method: 'POST', body: form, headers: { origin: ORIGIN } });
    };
    const token = (policy: object) => uploadToken(target.account, { scope: bucket, ...policy });
    const answers = [
      [await send(token({})), 200],
      [await send(token({}), 8), 614],
      [await send('bad'), 401],
      [await send(token({ fsizeLimit: 10 }), 200_000), 413],
      [await fetch(`${target.url}/`, { method: 'PATCH', headers: { origin: ORIGIN } }), 405],
      [await fetch(`${target.url}/mkfile/1`, { method: 'POST', headers: { origin: ORIGIN } }), 401],
    ] as const;
    for (const [answer, status] of answers) {
      await answer.text();
      expect(answer.status).toBe(status);
      expect([status, answer.headers.get('access-control-allow-origin')]).toEqual([status, '*']);
      expect(listed(answer.headers.get('access-control-expose-headers') ?? '')).toContain('x-reqid');
    }
  });

  test('may not manage objects: those calls answer no preflight [form-19]', async () => {
    const answer = await preflight(statTarget('b', 'k'), 'GET', 'authorization');
    expect([answer.status, answer.header('access-control-allow-origin')]).toEqual([405, undefined]);
  });
});

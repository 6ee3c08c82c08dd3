import { beforeAll, describe, expect, test } from 'vitest';
import { type Stored, store } from '../support/objects/objects.ts';
import { rawFetch } from '../support/raw.ts';

let object: Stored;
beforeAll(async () => {
  object = await store('a.txt', 'hello world');
});

async function disposition(query: string): Promise<string | undefined> {
  const answer = await rawFetch({ target: object.path + query });
  expect(answer.status).toBe(200);
  expect(answer.text()).toBe('hello world');
  return answer.header('content-disposition');
}

describe('attname', () => {
  test('gives the name to save under, safely quoted [attname-01]', async () => {
    expect(await disposition('')).toBeUndefined();
    expect(await disposition('?attname=report.pdf')).toBe('attachment; filename="report.pdf"');
    expect(await disposition('?x=1&attname=my%20report+2.pdf')).toBe(
      'attachment; filename="my report 2.pdf"',
    );
    expect(await disposition('?attname=')).toBe('attachment');
    expect(await disposition('?attname=%E6%96%87%E4%BB%B6.txt')).toBe(
      `attachment; filename="__.txt"; filename*=UTF-8''%E6%96%87%E4%BB%B6.txt`,
    );
  });

  test('cannot break out of its header [attname-01]', async () => {
    const quoted = await disposition('?attname=a%22%3B%20filename%3D%22evil.exe');
    expect(quoted).toMatch(/^attachment; filename="a_; filename=_evil\.exe"; filename\*=UTF-8''a%22/);
    const folded = await rawFetch({ target: `${object.path}?attname=a%0D%0ASet-Cookie:%20x=1` });
    expect(folded.header('set-cookie')).toBeUndefined();
    expect(folded.header('content-disposition')).toBe('attachment; filename="a__Set-Cookie: x=1"');
    expect(await disposition('?attname=..%2F..%5Cetc%2Fpasswd')).not.toMatch(/[\\/]/);
  });

  test('that is not UTF-8 is refused', async () => {
    for (const name of ['%ff', '%zz', '%']) {
      const answer = await rawFetch({ target: `${object.path}?attname=${name}` });
      expect([answer.status, answer.json()]).toMatchObject([400, { error: 'invalid argument' }]);
    }
  });
});

describe('untrusted bytes', () => {
  test('carry nosniff and a sandbox policy, whole and in part [safe-01]', async () => {
    for (const headers of [[], [['Range', 'bytes=0-4']], [['If-None-Match', '*']]] as const) {
      const answer = await rawFetch({ target: object.path, headers });
      expect(answer.header('x-content-type-options')).toBe('nosniff');
      expect(answer.header('content-security-policy')).toMatch(/^default-src 'none';.*\bsandbox$/);
    }
  });

  test.each([
    'text/html',
    'TEXT/HTML; charset=utf-8',
    'image/svg+xml',
    'application/xhtml+xml',
    'text/xml',
    'application/pdf',
    'text/javascript',
    'image/png, text/html',
  ])('of the active type %s are sent as attachment [safe-02]', async (mimeType) => {
    const active = await store('page', '<script>alert(1)</script>', { mimeType });
    for (const method of ['GET', 'HEAD']) {
      const answer = await rawFetch({ method, target: active.path });
      expect(answer.status).toBe(200);
      expect(answer.header('content-type')?.toLowerCase()).toBe(mimeType.toLowerCase());
      expect(answer.header('content-disposition')).toBe('attachment');
      expect(answer.header('x-content-type-options')).toBe('nosniff');
    }
    const named = await rawFetch({ target: `${active.path}?attname=a.html` });
    expect(named.header('content-disposition')).toBe('attachment; filename="a.html"');
  });

  test.each(['image/png', 'video/mp4', 'text/plain', 'application/octet-stream'])(
    'of the passive type %s are not [safe-02]',
    async (mimeType) => {
      const passive = await store('file', 'x', { mimeType });
      const answer = await rawFetch({ target: passive.path });
      expect([answer.status, answer.header('content-disposition')]).toEqual([200, undefined]);
    },
  );
});

// @module-tag debian
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { decodeBase64Text, splitUploadToken } from '@millpond/protocol';
import { expect, test } from 'vitest';
import { codeIn, LANGUAGES, type Made } from './codes.ts';

const made: Made = {
  policy: {
    scope: `media:it's "quoted" $(HOME) \`id\` \\ 天`,
    isPrefixalScope: 1,
    forceSaveKey: true,
    saveKey: '$(year)/$(etag)\n%s',
    keylimit: ["a'b", 'c"d'],
    responseHeaders: { 'Cache-Control': "max-age=1; x='y'" },
  },
  life: 600,
  up: 'https://up.example.com',
  url: 'https://api.example.com',
  dialect: 'svc',
};

test('the lines for a shell make a token of exactly this policy, whatever its texts contain', () => {
  const lines = codeIn('curl', made).split('\ncurl ')[0];
  const env = { PATH: process.env.PATH, MILLPOND_ACCESS_KEY: 'access', MILLPOND_SECRET_KEY: 'secret' };
  const before = Math.floor(Date.now() / 1000);
  const text = execFileSync('sh', ['-c', `${lines}\nprintf %s "$token"`], { env, encoding: 'utf8' });
  const token = splitUploadToken(text);
  if (token === undefined) throw new Error('no token');
  expect(token.accessKey).toBe('access');
  const signature = createHmac('sha1', 'secret').update(token.encodedPolicy).digest('base64url');
  expect(text.split(':')[1]).toBe(`${signature}=`);
  const { deadline, ...policy } = JSON.parse(decodeBase64Text(token.encodedPolicy));
  expect(policy).toEqual(made.policy);
  expect(deadline).toBeGreaterThanOrEqual(before + 600);
});

test('no language names a secret, and each says how long the token lives', () => {
  for (const language of LANGUAGES) {
    const code = codeIn(language, made);
    expect(code).toContain('600');
    expect(code).not.toMatch(/secretKey: '[^']/);
  }
});

test('Python and Go have their own words for truth and lists', () => {
  expect(codeIn('python', made)).toContain('"forceSaveKey": True,');
  expect(codeIn('go', made)).toContain('"keylimit": []string{"a\'b", "c\\"d"},');
  expect(codeIn('go', made)).toContain('"responseHeaders": map[string]string{"Cache-Control"');
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../test/arbitraries.ts';
import { hashing } from '../../test/hashing.ts';
import { makeUploadToken, splitUploadToken, verifyUploadToken } from './upload-token.ts';

const docs = { accessKey: 'MY_ACCESS_KEY', secretKey: 'MY_SECRET_KEY' };
const POLICY = String.raw`{"scope":"my-bucket:sunflower.jpg","deadline":1451491200,"returnBody":"{\"name\":$(fname),\"size\":$(fsize),\"w\":$(imageInfo.width),\"h\":$(imageInfo.height),\"hash\":$(etag)}"}`;
const ENCODED =
  'eyJzY29wZSI6Im15LWJ1Y2tldDpzdW5mbG93ZXIuanBnIiwiZGVhZGxpbmUiOjE0NTE0OTEyMDAsInJldHVybkJvZHkiOiJ7XCJuYW1lXCI6JChmbmFtZSksXCJzaXplXCI6JChmc2l6ZSksXCJ3XCI6JChpbWFnZUluZm8ud2lkdGgpLFwiaFwiOiQoaW1hZ2VJbmZvLmhlaWdodCksXCJoYXNoXCI6JChldGFnKX0ifQ==';
const TOKEN = `MY_ACCESS_KEY:wQ4ofysef1R7IKnrziqtomqyDvI=:${ENCODED}`;

describe('upload tokens', () => {
  test('the documented one', () => {
    expect(makeUploadToken(hashing, docs, POLICY)).toBe(TOKEN);
    const token = splitUploadToken(TOKEN);
    expect(token).toMatchObject({ accessKey: 'MY_ACCESS_KEY', encodedPolicy: ENCODED });
    expect(Buffer.from(token?.signature ?? []).toString('hex')).toBe(
      'c10e287f2b1e7f547b20a9ebce2aada26ab20ef2',
    );
    expect(token && verifyUploadToken(hashing, docs.secretKey, token)).toBe(true);
    expect(token && verifyUploadToken(hashing, 'other', token)).toBe(false);
  });

  test.each([
    ['ak', 'sk', 'hello', 'ak:2pn0qs-2kfEsQFuHI2pAYlo0hpc=:aGVsbG8='],
    ['ak', 'sk', 'world', 'ak:vzqcP6VeODVu_youBJnyr_nefT4=:d29ybGQ='],
    ['ak', 'sk', '-test', 'ak:uV60zWZgj-Jbrg9VHc06Nok64Bw=:LXRlc3Q='],
    ['ak', 'sk', 'ba#a-', 'ak:RLvTUx_kizrrbpSrinkdxC4jCy8=:YmEjYS0='],
    ['abcdefghklmnopq', '1234567890', 'test', 'abcdefghklmnopq:-jP8eEV9v48MkYiBGs81aDxl60E=:dGVzdA=='],
  ])('%s/%s over %j is %s', (accessKey, secretKey, policy, token) => {
    expect(makeUploadToken(hashing, { accessKey, secretKey }, policy)).toBe(token);
  });

  test('what was made is read and verified, and a changed policy is not', () => {
    fc.assert(
      fc.property(fc.json(), (policy) => {
        const token = splitUploadToken(makeUploadToken(hashing, docs, policy));
        if (token === undefined) throw new Error('our own token was not read');
        expect(verifyUploadToken(hashing, docs.secretKey, token)).toBe(true);
        const changed = { ...token, encodedPolicy: `A${token.encodedPolicy}` };
        expect(verifyUploadToken(hashing, docs.secretKey, changed)).toBe(false);
      }),
    );
  });

  test.each([
    '',
    'MY_ACCESS_KEY',
    'MY_ACCESS_KEY:wQ4ofysef1R7IKnrziqtomqyDvI=',
    'MY_ACCESS_KEY:wQ4ofysef1R7IKnrziqtomqyDvI=:',
    `:wQ4ofysef1R7IKnrziqtomqyDvI=:${ENCODED}`,
    `MY_ACCESS_KEY::${ENCODED}`,
    `${TOKEN}:`,
    `${TOKEN}:${ENCODED}`,
    ` ${TOKEN}`,
    `${TOKEN}\n`,
    `UpToken ${TOKEN}`,
    'MY_ACCESS_KEY:wQ4ofysef1R7IKnrziqtomqyDvI=:a b',
    'MY_ACCESS_KEY:wQ4ofysef1R7IKnrziqtomqyDvI=:a+/b',
  ])('%j is none', (token) => {
    expect(splitUploadToken(token)).toBeUndefined();
  });

  test('no text makes the reader throw', () => {
    fc.assert(fc.property(anyText(), (text) => void splitUploadToken(`a:${text}:b`)));
  });
});

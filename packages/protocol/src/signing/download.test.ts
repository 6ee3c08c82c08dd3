import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText, stringOf } from '../../test/arbitraries.ts';
import { faultOf } from '../../test/faults.ts';
import { hashing } from '../../test/hashing.ts';
import { signDownloadUrl, splitDownloadToken, verifyDownloadToken } from './download.ts';

const keys = { accessKey: 'MY_ACCESS_KEY', secretKey: 'MY_SECRET_KEY' };
const SUNFLOWER = 'http://my-bucket.qiniudn.com/sunflower.jpg';
const SIGNED = '/sunflower.jpg?e=1451491200&token=MY_ACCESS_KEY:yN9WtB0lQheegAwva64yBuH3ZgU=';

function verify(target: string, host = 'my-bucket.qiniudn.com'): boolean {
  const token = splitDownloadToken(target);
  return token !== undefined && verifyDownloadToken(hashing, keys.secretKey, host, token);
}

describe('private download URLs', () => {
  test.each([
    [SUNFLOWER, 'yN9WtB0lQheegAwva64yBuH3ZgU='],
    ['http://developer.qiniu.com/resource/flower.jpg', 'v24Hqj-H6oM96pmWC-QgDm5JLbk='],
  ])('%s', (url, sign) => {
    expect(signDownloadUrl(hashing, keys, url, 1451491200)).toBe(
      `${url}?e=1451491200&token=MY_ACCESS_KEY:${sign}`,
    );
  });

  test('are taken apart and verified', () => {
    expect(splitDownloadToken(SIGNED)).toMatchObject({
      signedTarget: '/sunflower.jpg?e=1451491200',
      deadline: 1451491200,
      accessKey: 'MY_ACCESS_KEY',
    });
    expect(verify(SIGNED)).toBe(true);
    expect(verify(SIGNED.slice(0, -1))).toBe(true);
    expect(verify(SIGNED, 'other.qiniudn.com')).toBe(false);
    expect(verify(SIGNED.replace('1451491200', '1551491200'))).toBe(false);
  });

  test('signed for https they are good too', () => {
    const url = signDownloadUrl(hashing, keys, SUNFLOWER.replace('http:', 'https:'), 1451491200);
    expect(verify(url.slice('https://my-bucket.qiniudn.com'.length))).toBe(true);
  });

  test('no parameter can be added to one', () => {
    expect(verify(`${SIGNED}&attname=a.html`)).toBe(false);
    expect(verify(SIGNED.replace('?e=', '?attname=a.html&e='))).toBe(false);
    expect(verify(`${SIGNED}&token=MY_ACCESS_KEY:yN9WtB0lQheegAwva64yBuH3ZgU=`)).toBe(false);
  });

  test('any path and query survives, and its own e does not count', () => {
    const word = stringOf('ae=&%/?|:', 12);
    const time = fc.integer({ min: 0, max: 999_999_999_999_999 });
    fc.assert(
      fc.property(word, word, time, (path, query, deadline) => {
        const url = signDownloadUrl(hashing, keys, `http://h:8080/${path}?${query}`, deadline);
        const target = url.slice('http://h:8080'.length);
        expect(splitDownloadToken(target)?.deadline).toBe(deadline);
        expect(verify(target, 'h:8080')).toBe(true);
      }),
    );
  });

  test.each([
    '/sunflower.jpg',
    '/sunflower.jpg?e=1451491200',
    SIGNED.replace('?e=1451491200&', '?'),
    SIGNED.replace('?e=', '&e='),
    SIGNED.replace('e=1451491200', 'e='),
    SIGNED.replace('e=1451491200', 'e=-1'),
    SIGNED.replace('e=1451491200', 'e=1e9'),
    SIGNED.replace('e=1451491200', 'e=1451491200123456'),
    SIGNED.replace('e=1451491200', 'ee=1451491200'),
    SIGNED.replace('MY_ACCESS_KEY:', ''),
    SIGNED.replace('yN9WtB0lQheegAwva64yBuH3ZgU=', ''),
    '/a&token=MY_ACCESS_KEY:yN9WtB0lQheegAwva64yBuH3ZgU=?e=1',
  ])('%s has no token', (target) => {
    expect(splitDownloadToken(target)).toBeUndefined();
  });

  test('no target makes the reader throw', () => {
    fc.assert(
      fc.property(anyText(), anyText(), (a, b) => {
        splitDownloadToken(`/${a}?e=1&token=${b}`);
        splitDownloadToken(a);
      }),
    );
  });

  test('what would not be the URL that is sent is not signed', () => {
    for (const url of ['/a', 'ftp://h/a', 'http://h/a#b', 'http://h/七', 'http://h/a\n']) {
      expect(faultOf(() => signDownloadUrl(hashing, keys, url, 1))).toBe('invalidArgument');
    }
    for (const deadline of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(faultOf(() => signDownloadUrl(hashing, keys, SUNFLOWER, deadline))).toBe('invalidArgument');
    }
  });
});

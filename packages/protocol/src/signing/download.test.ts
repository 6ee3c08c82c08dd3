import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText, stringOf } from '../../test/arbitraries.ts';
import { faultOf } from '../../test/faults.ts';
import { hashing } from '../../test/hashing.ts';
import { signDownloadUrl, splitDownloadToken, verifyDownloadToken } from './download.ts';
import { signText } from './hmac.ts';

const keys = { accessKey: 'MY_ACCESS_KEY', secretKey: 'MY_SECRET_KEY' };
const SUNFLOWER = 'http://my-bucket.qiniudn.com/sunflower.jpg';
const SIGNED = '/sunflower.jpg?e=1451491200&token=MY_ACCESS_KEY:yN9WtB0lQheegAwva64yBuH3ZgU=';

/** What of the target was signed. */
function verify(target: string, host = 'my-bucket.qiniudn.com'): string | undefined {
  const token = splitDownloadToken(target);
  return token && verifyDownloadToken(hashing, keys.secretKey, host, token)?.target;
}

/** The token of a URL that has been signed. */
const tokenOf = (url: string) => url.slice(url.indexOf('token=') + 'token='.length);

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
      candidates: [{ target: '/sunflower.jpg?e=1451491200', deadline: 1451491200 }],
      accessKey: 'MY_ACCESS_KEY',
    });
    expect(verify(SIGNED)).toBe('/sunflower.jpg?e=1451491200');
    expect(verify(SIGNED.slice(0, -1))).toBe('/sunflower.jpg?e=1451491200');
    expect(verify(SIGNED, 'other.qiniudn.com')).toBeUndefined();
    expect(verify(SIGNED.replace('1451491200', '1551491200'))).toBeUndefined();
  });

  test('signed for https they are good too', () => {
    const url = signDownloadUrl(hashing, keys, SUNFLOWER.replace('http:', 'https:'), 1451491200);
    expect(verify(url.slice('https://my-bucket.qiniudn.com'.length))).toBeDefined();
  });

  test('what is added to one was not signed', () => {
    const added = `${SIGNED}&attname=a.html&e=9999999999`;
    expect(verify(added)).toBe('/sunflower.jpg?e=1451491200');
    expect(verify(SIGNED.replace('?e=', '?attname=a.html&e='))).toBeUndefined();
    expect(verify(`${SIGNED}&token=MY_ACCESS_KEY:yN9WtB0lQheegAwva64yBuH3ZgU=`)).toBeUndefined();
  });

  test('a token may be percent-encoded, as builders of queries do', () => {
    const query = new URL(SIGNED, 'http://h').searchParams.toString();
    expect(query).toContain('MY_ACCESS_KEY%3A');
    expect(verify(`/sunflower.jpg?${query}`)).toBe('/sunflower.jpg?e=1451491200');
    expect(verify(SIGNED.replace('e=1451491200', 'e=%31451491200'))).toBeUndefined();
  });

  test('e and other parameters stand in any order, and the token anywhere among what was signed', () => {
    const sign = (query: string) =>
      tokenOf(`token=${signText(hashing, keys, [`http://my-bucket.qiniudn.com/a?${query}`])}`);
    const first = sign('e=1451491200&attname=b');
    const signed = '/a?e=1451491200&attname=b';
    for (const query of [
      `e=1451491200&attname=b&token=${first}`,
      `e=1451491200&token=${first}&attname=b`,
      `token=${first}&e=1451491200&attname=b`,
    ])
      expect(verify(`/a?${query}`)).toBe(signed);
    expect(verify(`/a?attname=b&e=1451491200&token=${first}`)).toBeUndefined();
    expect(verify(`/a?e=1451491200&token=${first}`)).toBeUndefined();
    expect(verify(`/a?token=${sign('e=1')}&e=1`)).toBe('/a?e=1');
    // What was signed says nothing of an end: one that follows can't give it.
    const bare = signText(hashing, keys, ['http://my-bucket.qiniudn.com/a']);
    expect(verify(`/a?token=${bare}&e=9999999999`)).toBeUndefined();
  });

  test('what is believed is exactly what was signed, wherever the token was put and whatever was added', () => {
    const words = fc.array(stringOf('abe=%/', 4), { maxLength: 3 });
    fc.assert(
      fc.property(words, words, fc.nat(6), (own, added, place) => {
        const url = signDownloadUrl(hashing, keys, `http://h/k?${own.join('&')}`, 1451491200);
        const signed = url.slice('http://h'.length, url.indexOf('&token='));
        const parameters = signed.slice(signed.indexOf('?') + 1).split('&');
        const [before, after] = [parameters.slice(0, place), parameters.slice(place)];
        const moved = `/k?${[...before, `token=${tokenOf(url)}`, ...after].join('&')}`;
        expect(verify(moved, 'h')).toBe(signed);
        const longer = `${moved}&${added.join('&')}`;
        // An `e` that is none, where the one that was signed follows the token.
        const isBad = faultOf(() => verify(longer, 'h')) === 'badToken';
        expect([signed, undefined]).toContain(isBad ? undefined : verify(longer, 'h'));
      }),
      { numRuns: 500 },
    );
  });

  test('any path and query survives, and its own e does not count', () => {
    const word = stringOf('ae=&%/?|:', 12);
    const time = fc.integer({ min: 0, max: 999_999_999_999_999 });
    fc.assert(
      fc.property(word, word, time, (path, query, deadline) => {
        const url = signDownloadUrl(hashing, keys, `http://h:8080/${path}?${query}`, deadline);
        const target = url.slice('http://h:8080'.length);
        expect(splitDownloadToken(target)?.candidates[0].deadline).toBe(deadline);
        expect(verify(target, 'h:8080')).toBeDefined();
      }),
    );
  });

  test.each([
    '/sunflower.jpg',
    '/sunflower.jpg?e=1451491200',
    SIGNED.replace('?e=', '&e='),
    SIGNED.replace('&token', '&atoken'),
    '/a&token=MY_ACCESS_KEY:yN9WtB0lQheegAwva64yBuH3ZgU=?e=1',
  ])('%s has no token', (target) => {
    expect(splitDownloadToken(target)).toBeUndefined();
  });

  test.each([
    [SIGNED.replace('?e=1451491200&', '?'), 'e is missing'],
    [SIGNED.replace('e=1451491200', 'ee=1451491200'), 'e is missing'],
    [SIGNED.replace('e=1451491200', 'e='), 'e must be in unix seconds'],
    [SIGNED.replace('e=1451491200', 'e=-1'), 'e must be in unix seconds'],
    [SIGNED.replace('e=1451491200', 'e=1e9'), 'e must be in unix seconds'],
    [SIGNED.replace('e=1451491200', 'e=1451491200123456'), 'e must be in unix seconds'],
    [SIGNED.replace('MY_ACCESS_KEY:', ''), 'token must be'],
    [SIGNED.replace('yN9WtB0lQheegAwva64yBuH3ZgU=', ''), 'token must be'],
    [`${SIGNED}=`, 'token must be'],
    [SIGNED.replace(':', '%3'), 'token must be'],
    [SIGNED.replace(':', '%FF'), 'token must be'],
  ])('%s has a bad one, and is told so: %s', (target, hint) => {
    const expected = { fault: 'badToken', hint: expect.stringContaining(hint) };
    expect(() => splitDownloadToken(target)).toThrow(expect.objectContaining(expected));
  });

  test('any target is taken apart, or has a bad token', () => {
    fc.assert(
      fc.property(anyText(), anyText(), (a, b) => {
        for (const target of [`/${a}?e=1&token=${b}`, `/a?${a}&token=MY:${b}`, a])
          expect([undefined, 'badToken']).toContain(faultOf(() => splitDownloadToken(target)));
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

import {
  decodePercent,
  encodeBase64Text,
  parsePm3u8,
  splitDownloadToken,
  type UriKind,
  verifyDownloadToken,
} from '@millpond/protocol';
import { describe, expect, test } from 'vitest';
import { nodeHashing } from '../../platform/hashing.ts';
import { otherHostOf, UriSigner, type UriSigning } from './uri-signer.ts';

const keys = { accessKey: 'ak', secretKey: 'sk' };
const END = 1_900_000_000;
const byPath: UriSigning = {
  keys,
  end: END,
  prefix: undefined,
  host: 'io.test:8100',
  path: '/videos/a/list.m3u8',
  roots: new Map([
    ['io.test:8100', '/videos/'],
    ['videos.dl.test', '/'],
    ['own.test', '/'],
  ]),
};
const byDomain: UriSigning = { ...byPath, host: 'own.test', path: '/a/list.m3u8' };

const sign = (uri: string, signing = byPath, kind: UriKind = 'file') =>
  new UriSigner(signing).sign(uri, kind);

/** Host and target that a player sends for a URI, if the signature is good for them. */
function sent(uri: string, { host, path }: UriSigning): { host: string; path: string; query: string[] } {
  const url = new URL(uri, `https://${host}${path}`);
  const token = splitDownloadToken(url.pathname + url.search);
  if (token === undefined) throw new Error(`${uri} has no token`);
  const proven = verifyDownloadToken(nodeHashing, keys.secretKey, url.host, token);
  expect([token.accessKey, proven?.deadline], uri).toEqual(['ak', END]);
  return { host: url.host, path: url.pathname, query: url.search.slice(1).split('&').slice(0, -2) };
}

describe('a URI of the bucket is signed, in the form that it has:', () => {
  test.each([
    ['000.ts', '000.ts?', '/videos/a/000.ts'],
    ['list.m3u8/000.ts', 'list.m3u8/000.ts?', '/videos/a/list.m3u8/000.ts'],
    ['../b/x%20y.ts', '../b/x%20y.ts?', '/videos/b/x%20y.ts'],
    ['./a:b.ts', './a:b.ts?', '/videos/a/a:b.ts'],
    ['/videos/c.ts', '/videos/c.ts?', '/videos/c.ts'],
    ['000.ts#t=1', '000.ts?', '/videos/a/000.ts'],
  ])('%s', (uri, beginning, path) => {
    const signed = sign(uri);
    expect(signed.startsWith(beginning)).toBe(true);
    expect(sent(signed, byPath)).toEqual({ host: 'io.test:8100', path, query: [] });
  });

  test('with its own query before the signature, and without what signed it before', () => {
    for (const [uri, query] of [
      ['a.ts?v=1&w', ['v=1', 'w']],
      ['a.ts?', []],
      ['a.ts?v=1&e=5&token=old:x', ['v=1']],
      ["a.ts?v='1'", ['v=%271%27']],
    ] as const)
      expect(sent(sign(uri), byPath).query).toEqual(query);
  });

  test.each([
    ['https://io.test:8100/videos/x.ts', 'https://io.test:8100/videos/x.ts?', '/videos/x.ts'],
    ['http://videos.dl.test/b/x.ts', 'http://videos.dl.test/b/x.ts?', '/b/x.ts'],
    ['HTTPS://OWN.test/x.ts', 'https://own.test/x.ts?', '/x.ts'],
    ['//own.test/x.ts', '//own.test/x.ts?', '/x.ts'],
  ])('by whole address: %s', (uri, beginning, path) => {
    const signed = sign(uri);
    expect(signed.startsWith(beginning), signed).toBe(true);
    expect(sent(signed, byPath).path).toBe(path);
  });

  test.each([
    ['ü b.ts', '/videos/a/%C3%BC%20b.ts'],
    ['a|b.ts', '/videos/a/a%7Cb.ts'],
    ["it's.ts", '/videos/a/it%27s.ts'],
    ['x\\y.ts', '/videos/a/x/y.ts'],
    ['"q".ts', '/videos/a/%22q%22.ts'],
  ])('%s is written out, as not everybody would send it alike', (uri, path) => {
    const signed = sign(uri);
    expect(signed).toMatch(/^[A-Za-z0-9._~!$&()*+,;=:@/?%-]*$/);
    expect(signed.startsWith(`${path}?`), signed).toBe(true);
    expect(sent(signed, byPath).path).toBe(path);
  });

  test('also where the playlist itself was asked for by a path that is not written so', () => {
    const odd = { ...byPath, path: '/videos/a|b/../list.m3u8' };
    expect(sign('x.ts', odd).startsWith('/videos/x.ts?')).toBe(true);
    sent(sign('x.ts', odd), odd);
  });

  test('at a domain of the bucket every path is one of its objects; one that begins with slashes is no host', () => {
    expect(sent(sign('/x.ts', byDomain), byDomain).path).toBe('/x.ts');
    const slashes = sign('/.//x y.ts', byDomain);
    expect(slashes.startsWith('//own.test//x%20y.ts?')).toBe(true);
    expect(sent(slashes, byDomain).host).toBe('own.test');
  });
});

test('a playlist gets pm3u8 itself, to the same end, before its own query', () => {
  const { query } = sent(sign('high/list?v=1', byPath, 'playlist'), byPath);
  expect(query).toEqual([`pm3u8/0/deadline/${END}`, 'v=1']);
  const again = sent(sign(`x.m3u8?pm3u8/0/expires/9&v=1`, byPath, 'playlist'), byPath);
  expect(again.query).toEqual([`pm3u8/0/deadline/${END}`, 'v=1']);
  const within = { ...byPath, prefix: 'a/' };
  const [command = ''] = sent(sign('x.m3u8', within, 'playlist'), within).query;
  expect(parsePm3u8(command)).toMatchObject({ deadline: END, prefix: 'a/' });
  expect(command).toContain(encodeBase64Text('a/'));
});

describe('what is not of the bucket stays as it is:', () => {
  test.each([
    '../../other/secret.ts',
    '/other/secret.ts',
    '/videos',
    '/videos/',
    '/videosx/a.ts',
    '/videos%2Fa.ts',
    '/%66ilms/a.ts',
    '%2e%2e/%2e%2e/other/secret.ts',
    '..\\..\\other\\secret.ts',
    'http://io.test:8100/other/secret.ts',
    'http://io.test/videos/a.ts',
    'http://elsewhere.test/videos/a.ts',
    '//elsewhere.test/videos/a.ts',
    '\\\\elsewhere.test\\videos\\a.ts',
    'http://user:pass@io.test:8100/videos/a.ts',
    'http:videos/a.ts',
    'https:/videos/a.ts',
    'ftp://io.test:8100/videos/a.ts',
    'data:text/plain;base64,AAAA',
    'skd://key',
    'a:b.ts',
    '{$path}/a.ts',
    'a%ff.ts',
    'a%.ts',
    'http://[::1',
  ])('%s', (uri) => expect(sign(uri)).toBe(uri));

  test('nor what is outside of the prefix, however it is written', () => {
    const within = { ...byPath, prefix: 'a/' };
    for (const uri of ['../b.ts', '/videos/b.ts', './../b.ts', '%2e%2e/b.ts', '../a%2f..%2fb', '..\\b.ts']) {
      const signed = sign(uri, within);
      if (signed === uri) continue;
      // A path with an encoded slash is a key of that very text.
      const key = decodePercent(sent(signed, within).path.slice('/videos/'.length));
      expect(key?.startsWith('a/'), uri).toBe(true);
    }
    expect(sign('b.ts', within)).not.toBe('b.ts');
    expect(sign('../b.ts', within)).toBe('../b.ts');
  });
});

test.each([
  ['a.ts', undefined],
  ['/videos/a.ts', undefined],
  ['http://io.test:8100/videos/a.ts', undefined],
  ['http://own.test/a.ts', 'own.test'],
  ['//own.test/a.ts', 'own.test'],
  ['data:x', undefined],
])('the other host of %s is %s', (uri, host) => expect(otherHostOf(uri, byPath)).toBe(host));

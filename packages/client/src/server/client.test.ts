import { describe, expect, test } from 'vitest';
import { Client, type ClientOptions, type DownloadUrlOptions } from './client.ts';
import { operations } from './operations.ts';

const keys = { accessKey: 'ak', secretKey: 'sk' };
const url = 'https://example.com';

describe('what is missing is named when a client is made', () => {
  test.each([
    [{ credentials: keys }, 'url'],
    [{ url: null, credentials: keys }, 'url'],
    [{ url, credentials: { accessKey: undefined, secretKey: undefined } }, 'credentials.accessKey'],
    [{ url, credentials: { accessKey: 'ak', secretKey: '' } }, 'credentials.secretKey'],
    [{ url, credentials: { accessToken: undefined } }, 'credentials.accessToken'],
  ])('%j: %s', (options, name) => {
    expect(() => new Client(options as unknown as ClientOptions)).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(`no ${name}:`) }),
    );
  });

  test('tokens need no address', () => {
    expect(new Client({ url: '', credentials: keys }).uploadToken({ scope: 'b' })).toMatch(/^ak:/);
  });

  test('a client without credentials is for calls that need none', () => {
    expect(new Client({ url })).toBeInstanceOf(Client);
  });
});

describe('upload tokens', () => {
  const client = new Client({ url, credentials: keys });
  const make = (policy: object, options?: { allowUnknown?: boolean }) =>
    client.uploadToken(policy as { scope: string }, options);
  const policyOf = (token: string) =>
    JSON.parse(Buffer.from(token.split(':')[2] ?? '', 'base64url').toString()) as unknown;

  test.each([
    [
      { scope: 'b', fsizeLimt: 1 },
      'invalid put policy: no server knows fsizeLimt (did you mean fsizeLimit?)',
    ],
    [
      { scope: 'b', callbackURL: 'http://x/', colour: 1 },
      'invalid put policy: no server knows callbackURL (did you mean callbackUrl?), colour',
    ],
    [{ scope: 'b', fsizeLimit: '1' }, 'invalid put policy: fsizeLimit must be a whole number'],
    [{}, 'scope not specified'],
  ])('%j are not made: %s', (policy, message) => {
    expect(() => make(policy)).toThrow(
      expect.objectContaining({ name: 'MillpondError', code: 'usage', message }),
    );
  });

  test('carry fields that no server knows where that is asked for', () => {
    expect(policyOf(make({ scope: 'b', colour: 1 }, { allowUnknown: true }))).toMatchObject({ colour: 1 });
    expect(policyOf(make({ scope: 'b', colour: undefined }))).toEqual({
      scope: 'b',
      deadline: expect.any(Number),
    });
  });
});

test('what can’t be signed or named is an error of the client', () => {
  const client = new Client({ url, credentials: keys });
  const usage = expect.objectContaining({ name: 'MillpondError', code: 'usage' });
  expect(() => client.downloadUrl('b', 'k', { expires: 0.5 })).toThrow(usage);
  expect(() => new Client({ url: '/x', credentials: keys }).downloadUrl('b', 'k')).toThrow(usage);
  expect(() => operations.stat('a:b', 'k')).toThrow(usage);
  expect(() => operations.changeStatus('b', 'k', true, { hash: 'a&b' })).toThrow(usage);
});

describe('URLs for downloads', () => {
  const client = new Client({ url, credentials: keys });
  const queryOf = (options: DownloadUrlOptions) =>
    /\?(.*?)&?e=\d+&token=/.exec(client.downloadUrl('b', 'k', options))?.[1];

  test.each([
    [{}, ''],
    [{ query: '' }, ''],
    [{ attname: 'na me&ü.txt' }, 'attname=na%20me%26%C3%BC.txt'],
    [{ query: 'imageView2/2/w/9|watermark/1', attname: 'a' }, 'imageView2/2/w/9|watermark/1&attname=a'],
    [{ query: "attname=na me ü'#.txt" }, 'attname=na%20me%20%C3%BC%27%23.txt'],
    [{ query: 'attname=a%20b' }, 'attname=a%20b'],
  ])('%j: %s', (options, query) => {
    expect(queryOf(options)).toBe(query);
    const made = client.downloadUrl('b', 'k', options);
    // Nothing on its way changes it.
    expect(new URL(made).href).toBe(made);
  });

  test('of playlists have the command that signs what they name', () => {
    expect(queryOf({ playlist: true })).toBe('pm3u8/0');
    expect(queryOf({ playlist: false })).toBe('');
    expect(queryOf({ playlist: { expires: 600, prefix: 'a/' }, attname: 'x' })).toBe(
      'pm3u8/0/expires/600/prefix/YS8=&attname=x',
    );
    for (const options of [
      { playlist: true, query: 'imageInfo' },
      { playlist: { expires: 0 } },
      { playlist: { expires: 8 * 86_400 } },
      { playlist: { prefix: 'x'.repeat(751) } },
    ])
      expect(() => queryOf(options)).toThrow(expect.objectContaining({ code: 'usage' }));
  });

  test('at a domain of the bucket', () => {
    const at = (domain: string) => client.downloadUrl('b', 'a/ü', { domain }).split('?')[0];
    expect(at('Files.example.com')).toBe('https://files.example.com/a/%C3%BC');
    expect(at('http://files.example.com:8080')).toBe('http://files.example.com:8080/a/%C3%BC');
    for (const domain of ['files.example.com/b', 'a b', '', 'user@example.com', 'ftp://example.com'])
      expect(() => at(domain)).toThrow(expect.objectContaining({ code: 'usage' }));
  });

  test.each(['100 %', 'a%2', '\ud800'])('%j is refused', (query) => {
    expect(() => client.downloadUrl('b', 'k', { query })).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});

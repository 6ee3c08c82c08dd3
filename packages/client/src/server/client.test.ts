import { describe, expect, test } from 'vitest';
import { Client, type ClientOptions } from './client.ts';

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

describe('URLs for downloads', () => {
  const client = new Client({ url, credentials: keys });
  const queryOf = (options: { query?: string; attname?: string }) =>
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

import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { authorityOf, isHost } from './authority.ts';

interface RawRequest {
  readonly target?: string;
  readonly method?: string;
  readonly version?: string;
  /** In the order of the wire; of several, Node keeps the first. */
  readonly hosts?: readonly string[];
}

function requestOf({
  target = '/a',
  method = 'GET',
  version = '1.1',
  hosts = ['h'],
}: RawRequest): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  const [host] = hosts;
  return Object.assign(request, {
    url: target,
    method,
    httpVersion: version,
    rawHeaders: ['Accept', '*/*', ...hosts.flatMap((value) => ['Host', value])],
    headers: host === undefined ? {} : { host },
  });
}

describe('a host', () => {
  test.each([
    'h',
    'a.b',
    'A.b:80',
    'h:',
    '1.2.3.4:80',
    '[::]',
    '[::ffff:1.2.3.4]:443',
    'a_b',
    'xn--4ca.example',
    '%20',
  ])('may be %s', (host) => expect(isHost(host)).toBe(true));

  test.each([
    '',
    ':80',
    'h:80:80',
    'h:123456',
    'h:8a',
    '::1',
    '[::1',
    '[::g]',
    '[]',
    '[1.2.3.4]',
    'a/b',
    'a?',
    'a#',
    'u@h',
    'a b',
    'a\tb',
    'é',
    '%2',
  ])('is not %j', (host) => expect(isHost(host)).toBe(false));

  test('never holds what ends the host of a URL', () => {
    const part = fc.constantFrom(
      'a',
      '.',
      ':',
      '8',
      '/',
      '?',
      '#',
      '@',
      '[',
      ']',
      '%',
      '2',
      '\\',
      ' ',
      '\n',
      'é',
    );
    const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(text, fc.string()), (host) => {
        if (isHost(host)) expect(/^https?:\/\/([^/?#]*)/.exec(`http://${host}/path`)?.[1]).toBe(host);
        if (/[/?#@\\\s]/.test(host)) expect(isHost(host)).toBe(false);
      }),
    );
  });
});

describe('host and target', () => {
  test('of a path are the header’s and the path, as they came', () => {
    for (const target of ['/', '//a/../b?c#d', '/a?http://x/y'])
      expect(authorityOf(requestOf({ target }))).toEqual({ host: 'h', target });
  });

  test.each([
    ['http://x/a/b?c', { host: 'x', target: '/a/b?c' }],
    ['HTTPS://X:81/', { host: 'X:81', target: '/' }],
    ['http://x', { host: 'x', target: '/' }],
    ['http://x?c=/d', { host: 'x', target: '/?c=/d' }],
    ['http://[::1]:8//a', { host: '[::1]:8', target: '//a' }],
  ])('of %s are those of the URL', (target, meant) => {
    expect(authorityOf(requestOf({ target }))).toEqual(meant);
  });

  test('of OPTIONS for a whole server has no path', () => {
    expect(authorityOf(requestOf({ method: 'OPTIONS', target: 'http://x' }))).toEqual({
      host: 'x',
      target: '*',
    });
    expect(authorityOf(requestOf({ method: 'OPTIONS', target: '*' }))).toEqual({ host: 'h', target: '*' });
  });

  test.each<[string, RawRequest]>([
    ['no Host in HTTP/1.1', { hosts: [] }],
    ['none beside a URL', { hosts: [], target: 'http://x/' }],
    ['two', { hosts: ['h', 'h'] }],
    ['two in HTTP/1.0', { hosts: ['h', 'i'], version: '1.0' }],
    ['a path in it', { hosts: ['h/a'] }],
    ['a path in it, beside a URL', { hosts: ['h/a'], target: 'http://x/' }],
    ['a user in the URL', { target: 'http://u@x/' }],
    ['a URL without host', { target: 'http:///a' }],
    ['another scheme', { target: 'ftp://x/a' }],
    ['no path', { target: 'a' }],
  ])('are not told by %s', (_, rawRequest) => {
    expect(authorityOf(requestOf(rawRequest))).toEqual({ hint: expect.any(String) });
  });

  test('need no Host in HTTP/1.0', () => {
    expect(authorityOf(requestOf({ hosts: [], version: '1.0' }))).toEqual({ host: '', target: '/a' });
  });
});

import { ownHosts, ownHostUrls } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { OutboundError } from './faults.ts';
import { parseCheckedUrl, parseHostOverride, serverNameOf, type TargetRules } from './target.ts';

const rules: TargetRules = { ports: 'any', isOwnHost: (host) => ownHosts.has(host) };
const reasonOf = (call: () => unknown): string | undefined => {
  try {
    call();
  } catch (error) {
    if (error instanceof OutboundError && error.kind === 'blocked') return error.blocked?.reason ?? 'syntax';
    throw error;
  }
  return undefined;
};

describe('URLs', () => {
  test.each([
    ['http://example.com', 'http://example.com', 'example.com', 80, '/'],
    ['HTTPS://Example.COM:443/a?b=c#d', 'https://example.com', 'example.com', 443, '/a?b=c'],
    ['http://example.com.:8080/ü?ü', 'http://example.com:8080', 'example.com', 8080, '/%C3%BC?%C3%BC'],
    ['http://bücher.example/', 'http://xn--bcher-kva.example', 'xn--bcher-kva.example', 80, '/'],
    ['http://[2A00::1]:9/x', 'http://[2a00::1]:9', '2a00::1', 9, '/x'],
    ['http://0x8.8.2056/', 'http://8.8.8.8', '8.8.8.8', 80, '/'],
    ['http://example.com/a@b', 'http://example.com', 'example.com', 80, '/a@b'],
    ['http://example.com?x=1', 'http://example.com', 'example.com', 80, '/?x=1'],
  ])('%s', (text, origin, hostname, port, path) => {
    expect(parseCheckedUrl(text, rules)).toMatchObject({ origin, hostname, port, path });
  });

  test('2048 bytes are allowed, one more is not', () => {
    const url = `http://example.com/${'é'.repeat(1000)}`;
    const filled = url + 'x'.repeat(2048 - Buffer.byteLength(url));
    expect(parseCheckedUrl(filled, rules).hostname).toBe('example.com');
    expect(() => parseCheckedUrl(`${filled}x`, rules)).toThrow('2048');
  });

  test('ports, where they are limited', () => {
    const limited: TargetRules = { ...rules, ports: [80, 443] };
    expect(parseCheckedUrl('https://example.com/', limited).port).toBe(443);
    expect(reasonOf(() => parseCheckedUrl('https://example.com:8443/', limited))).toBe('port');
  });

  test.each(ownHostUrls)('a host that we serve: %s', (url) => {
    expect(reasonOf(() => parseCheckedUrl(url.replace('{port}', '8080'), rules))).toBe('ownHost');
  });

  test('a name beside ours is not ours', () => {
    for (const url of [
      'http://xup.millpond.test/',
      'http://up.millpond.test.example/',
      'http://api.millpond.test/',
    ])
      expect(reasonOf(() => parseCheckedUrl(url, rules))).toBeUndefined();
  });

  test('the text of a refusal holds nothing of the URL', () => {
    for (const url of ['http://user:secret@example.com/', 'ftp://secret/', 'http://exa mple/secret'])
      expect(() => parseCheckedUrl(url, rules)).not.toThrow(/secret/);
  });
});

describe('Host of its own', () => {
  test.each([
    ['example.com', 'example.com'],
    ['EXAMPLE.com.:8080', 'example.com:8080'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['8.8.8.8:81', '8.8.8.8:81'],
    ['[2A00::1]:81', '[2a00::1]:81'],
    ['example.com:80', 'example.com:80'],
  ])('%s', (text, host) => {
    expect(parseHostOverride(text, rules)).toBe(host);
  });

  test.each([
    '',
    'a b',
    'a\r\nX-Injected: 1',
    'a/b',
    'a?b',
    'a#b',
    'a\\b',
    'user@a',
    'a:b',
    'a:',
    'a:0',
    'a:65536',
    '[::1',
    'u%70.millpond.test',
    'x'.repeat(300),
  ])('%j is refused', (text) => {
    expect(reasonOf(() => parseHostOverride(text, rules))).toBe('syntax');
  });

  test.each([
    'up.millpond.test',
    'UP.millpond.test.',
    'up.millpond.test:9',
    'ｕｐ.millpond.test',
    'API.millpond.test:8443',
  ])('one that we serve is refused: %s', (text) => {
    expect(reasonOf(() => parseHostOverride(text, rules))).toBe('ownHost');
  });

  test('TLS is told names, not addresses', () => {
    expect(serverNameOf('example.com:8443')).toBe('example.com');
    expect(serverNameOf('8.8.8.8:8443')).toBeUndefined();
    expect(serverNameOf('[2a00::1]:8443')).toBeUndefined();
  });
});

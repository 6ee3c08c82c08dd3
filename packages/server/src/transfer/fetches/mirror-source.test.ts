import { createOutboundClient } from '@millpond/outbound';
import { checkKey, Fault } from '@millpond/protocol';
import { anyText } from '@millpond/testing/any-text';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { originUrl, parseMirrorSource } from './mirror-source.ts';

const outbound = createOutboundClient({ isOwnHost: (host) => host === 'own.test' });

function isKey(text: string): boolean {
  try {
    checkKey(text);
    return true;
  } catch {
    return false;
  }
}

describe('the URL of a key', () => {
  const keys = fc
    .array(
      fc.oneof(
        fc.constantFrom('.', '..', '%2e', '..%2f', '\\', '', '?', '#', ' '),
        fc.string({ unit: 'grapheme' }),
      ),
    )
    .map((segments) => segments.join('/'))
    .filter(isKey);

  test('is inside the folder of the source, and names the key and nothing else', () => {
    fc.assert(
      fc.property(
        keys,
        fc.constantFrom('http://origin.test', 'http://origin.test/a/b', 'http://origin.test/a/b/'),
        (key, source) => {
          const url = originUrl(source, key);
          if (url === undefined) {
            expect(key.split('/').some((segment) => segment === '.' || segment === '..')).toBe(true);
            return;
          }
          const { pathname, search, hash, origin } = new URL(url);
          const folder = source === 'http://origin.test' ? '/' : '/a/b/';
          expect([origin, search, hash]).toEqual(['http://origin.test', '', '']);
          expect(pathname.startsWith(folder)).toBe(true);
          expect(decodeURIComponent(pathname.slice(folder.length))).toBe(key);
        },
      ),
    );
  });
});

describe('sources', () => {
  test('are one or several URLs, joined by a semicolon before a scheme', () => {
    const urls = ['http://a.test/x;y', 'HTTPS://b.test:8443/', 'http://c.test'];
    expect(parseMirrorSource(outbound, urls.join(';'), 'h.test:81')).toEqual({ urls, host: 'h.test:81' });
    expect(parseMirrorSource(outbound, 'http://a.test', undefined)).toEqual({
      urls: ['http://a.test'],
      host: null,
    });
  });

  test.each([
    ['', undefined],
    ['a.test', undefined],
    ['ftp://a.test', undefined],
    ['http://a.test;;', 'a b'],
    ['http://own.test', undefined],
    ['http://a.test', 'own.test'],
    ['http://a.test/?x', undefined],
    ['http://a.test/#x', undefined],
    ['http://u:p@a.test', undefined],
    [`http://a.test/${'x'.repeat(2048)}`, undefined],
    [Array.from({ length: 11 }, (_, n) => `http://a${n}.test`).join(';'), undefined],
  ])('%s with host %s are refused', (text, host) => {
    expect(() => parseMirrorSource(outbound, text, host)).toThrow(
      expect.objectContaining({ fault: 'invalidArgument' }) as Fault,
    );
  });

  test('a denied address is no fault of how it is written', () => {
    expect(parseMirrorSource(outbound, 'http://127.0.0.1', undefined).urls).toEqual(['http://127.0.0.1']);
  });

  test('whatever is given is taken or refused, and nothing else happens', () => {
    fc.assert(
      fc.property(anyText(), fc.option(fc.string(), { nil: undefined }), (text, host) => {
        try {
          parseMirrorSource(outbound, text, host);
        } catch (error) {
          expect(error).toBeInstanceOf(Fault);
        }
      }),
    );
  });
});

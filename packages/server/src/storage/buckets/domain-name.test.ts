import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOwnHost, parseDomain } from './domain-name.ts';

describe('a domain', () => {
  test('is read in lower case, and read again as it is', () => {
    fc.assert(
      fc.property(fc.domain(), (domain) => {
        const read = parseDomain(domain.toUpperCase());
        expect([read, parseDomain(read)]).toEqual([domain.toLowerCase(), read]);
      }),
    );
  });

  test('that passes is a host of a URL as it stands, and no address', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.domain()), (text) => {
        let read: string;
        try {
          read = parseDomain(text);
        } catch (error) {
          expect(error).toMatchObject({ fault: 'invalidArgument' });
          return;
        }
        expect(new URL(`http://${read}/`).hostname).toBe(read);
        expect(read).not.toMatch(/^[\d.]+$/);
      }),
    );
  });
});

describe('our own hosts', () => {
  const own = { hosts: ['io.own.test', 'API.own.test:8443'], downloadSuffix: 'DL.own.test' };

  test.each(['io.own.test', 'api.own.test', 'x.api.own.test', 'dl.own.test', 'b.dl.own.test', 'own.test'])(
    '%s is ours',
    (domain) => {
      expect(isOwnHost(domain, own)).toBe(true);
    },
  );

  test.each(['example.com', 'xio.own.test', 'files.own.test', 'own.test.example.com', 'io.own.testing'])(
    '%s is not',
    (domain) => {
      expect(isOwnHost(domain, own)).toBe(false);
    },
  );

  test('nothing is ours where nothing is configured', () => {
    expect(isOwnHost('example.com', { hosts: [], downloadSuffix: undefined })).toBe(false);
  });
});

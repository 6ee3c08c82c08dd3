import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digestResponse, isResponseOf, parseCredentials } from './digest.ts';
import { SipParseError } from './fault.ts';

const anyText = (maxLength: number) =>
  fc.uint8Array({ maxLength }).map((bytes) => Buffer.from(bytes).toString('latin1'));

describe('credentials', () => {
  test('of the RFC are right with its password, and with no other', () => {
    // RFC 2617, 3.5.
    const header =
      'Digest username="Mufasa", realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", ' +
      'uri="/dir/index.html", qop=auth, nc=00000001, cnonce="0a4f113b", ' +
      'response="6629fae49393a05397450978507c4ef1", opaque="5ccc069c403ebaf9f0171e9517f40e41"';
    const credentials = parseCredentials(header);
    expect(isResponseOf(credentials, 'Circle Of Life', 'GET')).toBe(true);
    expect(isResponseOf(credentials, 'Circle of Life', 'GET')).toBe(false);
    expect(isResponseOf(credentials, 'Circle Of Life', 'POST')).toBe(false);
  });

  test('without qop are those of old cameras', () => {
    const parts = { username: 'u', realm: 'r', nonce: 'n', uri: 'sip:a@b', count: undefined };
    const response = digestResponse(parts, 'pw', 'REGISTER');
    const header = `digest username="u",realm="r",nonce="n",uri="sip:a@b",response="${response}",algorithm=MD5`;
    expect(isResponseOf(parseCredentials(header), 'pw', 'REGISTER')).toBe(true);
  });

  const good =
    'Digest username="u", realm="r", nonce="n", uri="x", response="00000000000000000000000000000000"';
  test.each([
    ['another scheme', good.replace('Digest', 'Basic')],
    ['no nonce', good.replace('nonce="n", ', '')],
    ['a name said twice', `${good}, realm="x"`],
    ['another algorithm', `${good}, algorithm=SHA-256`],
    ['another qop', `${good}, qop=auth-int, nc=00000001, cnonce="c"`],
    ['qop without a count', `${good}, qop=auth, cnonce="c"`],
    ['a response that is too short', good.replace(/0{32}/, '0'.repeat(31))],
    ['an open quote', `${good}, x="`],
    ['too much of it', `${good}, x="${'a'.repeat(3000)}"`],
  ])('with %s are none', (_what, header) => {
    expect(() => parseCredentials(header)).toThrow(SipParseError);
  });

  test('that are anything else throw nothing but their own fault', () => {
    const near = fc.tuple(fc.constantFrom('Digest ', 'digest\t', ''), anyText(200));
    const parts = fc.array(fc.constantFrom(...good.slice(7).split(', '), ',', '"', '=', '\\', ' '), {
      maxLength: 20,
    });
    const header = fc.oneof(
      near.map(([a, b]) => a + b),
      parts.map((all) => `Digest ${all.join(',')}`),
    );
    fc.assert(
      fc.property(header, (text) => {
        try {
          parseCredentials(text);
        } catch (error) {
          if (!(error instanceof SipParseError)) throw error;
        }
      }),
    );
  });
});

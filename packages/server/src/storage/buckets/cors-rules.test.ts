import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CorsRule,
  corsHeaders,
  DEFAULT_CORS_RULES,
  parseCorsRules,
  parseHeaderNames,
} from './cors-rules.ts';

const parse = (rules: unknown) => parseCorsRules(Buffer.from(JSON.stringify(rules)));
const rule = (given: Partial<CorsRule>): CorsRule => ({
  allowed_origin: ['*'],
  allowed_method: ['GET'],
  allowed_header: [],
  exposed_header: [],
  max_age: 0,
  ...given,
});

describe('CORS rules', () => {
  test('that were read are read again as they are', () => {
    const text = fc.stringMatching(/^[a-z0-9.:/-]{1,20}\*?[a-z0-9.:/-]{0,20}$/);
    const given = fc.record({
      allowed_origin: fc.array(text, { minLength: 1, maxLength: 5 }),
      allowed_method: fc.subarray(['GET', 'HEAD', 'PUT', 'POST', 'DELETE'], { minLength: 1 }),
      allowed_header: fc.array(text, { maxLength: 5 }),
      exposed_header: fc.array(fc.stringMatching(/^[A-Za-z-]{1,20}$/), { maxLength: 5 }),
      max_age: fc.integer({ min: 0, max: 2_592_000 }),
    });
    fc.assert(
      fc.property(fc.array(given, { maxLength: 10 }), (rules) => {
        const read = parse(rules);
        expect(read).toEqual(rules);
        expect(parse(read)).toEqual(read);
      }),
    );
  });

  test('of any other form are refused, and nothing else is thrown', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const body = Buffer.from(JSON.stringify(value) ?? '');
        try {
          expect(Array.isArray(parseCorsRules(body))).toBe(true);
        } catch (error) {
          expect(error).toMatchObject({ fault: 'invalidArgument' });
        }
      }),
    );
  });

  test('never put anything into a header that could break out of it', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (origin, name) => {
        let read: CorsRule[];
        try {
          read = parse([{ allowed_origin: [origin], allowed_method: ['GET'], exposed_header: [name] }]);
        } catch {
          return;
        }
        const headers = corsHeaders(read, { origin: origin.toLowerCase(), method: 'GET' }, ['x-reqid']) ?? {};
        for (const value of Object.values(headers)) expect(value).toMatch(/^[\x20-\x7e]*$/);
      }),
    );
  });

  test('answer an origin only by a rule that names it', () => {
    const origin = fc
      .tuple(fc.constantFrom('http', 'https'), fc.domain())
      .map(([scheme, domain]) => new URL(`${scheme}://${domain}`).origin.toLowerCase());
    fc.assert(
      fc.property(origin, origin, (one, other) => {
        const headers = corsHeaders([rule({ allowed_origin: [one] })], { origin: other, method: 'GET' }, []);
        expect(headers?.['access-control-allow-origin']).toBe(one === other ? other : undefined);
      }),
    );
  });

  test('are taken in their order: the first that fits counts', () => {
    const rules = [rule({ exposed_header: ['first'] }), rule({ exposed_header: ['second'] })];
    const headers = corsHeaders(rules, { origin: 'https://a', method: 'GET' }, []);
    expect(headers?.['access-control-expose-headers']).toBe('first');
  });

  test('by default let any page read and nothing more', () => {
    expect(
      corsHeaders(DEFAULT_CORS_RULES, { origin: 'null', method: 'GET', headers: ['range'] }, []),
    ).toMatchObject({
      'access-control-allow-origin': '*',
    });
    expect(
      corsHeaders(DEFAULT_CORS_RULES, { origin: 'null', method: 'PUT', headers: [] }, []),
    ).toBeUndefined();
  });

  test('names of headers are read or refused', () => {
    expect(parseHeaderNames(undefined)).toEqual([]);
    expect(parseHeaderNames(' A ,b-c')).toEqual(['A', 'b-c']);
    for (const wrong of ['a b', 'a;b', 'a\nb', 'é'])
      expect(() => parseHeaderNames(wrong)).toThrow(expect.objectContaining({ fault: 'invalidArgument' }));
  });
});

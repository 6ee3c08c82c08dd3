import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draftOf, missingIn, policyOf, policyProblem, readFields } from './draft.ts';
import { readSearch } from './search.ts';

test('an address is read whatever it says, and only fields of policies stay', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (search, fields) => {
      const draft = readSearch({ ...search, fields });
      const policy = policyOf({ ...draft, fields: draft.fields && readFields(draft.fields) });
      expect(typeof policy.scope).toBe('string');
      expect(() => policyProblem(policy, 2_000_000_000)).not.toThrow();
    }),
  );
});

test('a draft survives being a policy', () => {
  const name = fc.stringMatching(/^[a-z]{3,10}$/);
  const draft = fc.record({
    bucket: name,
    way: fc.constantFrom('any' as const, 'prefix' as const, 'one' as const),
    key: fc.string({ minLength: 1, maxLength: 20 }),
    fields: fc.record({ fsizeLimit: fc.nat(), saveKey: name }),
  });
  fc.assert(
    fc.property(draft, (given) => {
      const { key, ...rest } = given;
      expect(draftOf(policyOf(given))).toEqual(given.way === 'any' ? rest : { ...rest, key });
    }),
  );
});

test('the encoder’s own words say what is wrong', () => {
  const policy = policyOf({ bucket: 'media', fields: { forceSaveKey: true } });
  expect(policyProblem(policy, 2_000_000_000)).toMatch(/saveKey/);
  expect(policyProblem(policyOf({ bucket: 'media' }), 2_000_000_000)).toBeUndefined();
});

test('what is chosen and left empty is missing, rather than everything', () => {
  expect(missingIn({})).toBe('noBucket');
  expect(missingIn({ bucket: '' })).toBe('noBucket');
  expect(missingIn({ bucket: 'media' })).toBeUndefined();
  expect(missingIn({ bucket: 'media', way: 'prefix' })).toBe('noPrefix');
  expect(missingIn({ bucket: 'media', way: 'prefix', key: '' })).toBe('noPrefix');
  expect(missingIn({ bucket: 'media', way: 'one' })).toBe('noKey');
  expect(missingIn({ bucket: 'media', way: 'prefix', key: 'a/' })).toBeUndefined();
});

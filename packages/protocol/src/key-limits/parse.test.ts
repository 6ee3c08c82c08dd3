import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fault } from '../errors/fault.ts';
import { accessDenial, keyActions } from './key-limits.ts';
import { MAX_LIMIT_VALUES, parseKeyLimits } from './parse.ts';

test('what is read is what was given', () => {
  const limits = {
    buckets: ['photos'],
    prefixes: ['2026/', '猫'],
    actions: [...keyActions],
    networks: ['10.0.0.0/8', '2001:db8::1'],
    expiresAt: 1_800_000_000,
  };
  expect(parseKeyLimits(limits)).toEqual(limits);
  expect(parseKeyLimits({ buckets: ['photos', 'photos'] })).toEqual({ buckets: ['photos'] });
  expect(parseKeyLimits({ expiresAt: -0 })).toEqual({ expiresAt: 0 });
});

test('an empty list allows nothing, and stays as it is', () => {
  const use = { address: '10.0.0.1', now: 0 };
  for (const name of ['buckets', 'prefixes', 'actions', 'networks'] as const) {
    const limits = parseKeyLimits({ [name]: [] });
    expect(limits).toEqual({ [name]: [] });
    for (const action of keyActions)
      expect(accessDenial(limits, { action, bucket: 'photos', key: 'a' }, use)).toContain(`limit ${name}`);
  }
});

test.each([
  [undefined, 'JSON object'],
  [null, 'JSON object'],
  [{}, 'they name no limit'],
  [[], 'JSON object'],
  ['read', 'JSON object'],
  [{ bucket: ['photos'] }, '"bucket"'],
  [JSON.parse('{"__proto__":["photos"]}'), '"__proto__"'],
  [{ toString: ['photos'] }, '"toString"'],
  [{ buckets: 'photos' }, 'buckets must be a list'],
  [{ buckets: [1] }, 'buckets must be a list'],
  [{ buckets: null }, 'buckets must be a list'],
  [{ buckets: Array.from({ length: MAX_LIMIT_VALUES + 1 }, (_, at) => `b${at}`) }, 'buckets must be a list'],
  [{ buckets: ['Photos'] }, '"Photos"'],
  [{ prefixes: [''] }, 'limits nothing'],
  [{ prefixes: ['\ud800'] }, 'UTF-8'],
  [{ prefixes: ['a\0'] }, 'NUL'],
  [{ prefixes: ['x'.repeat(751)] }, '750 bytes'],
  [{ actions: ['readd'] }, '"readd" is not one of read, write'],
  [{ actions: ['constructor'] }, '"constructor"'],
  [{ networks: ['10.0.0.1/8'] }, '"10.0.0.1/8"'],
  [{ expiresAt: '2027' }, 'Unix seconds'],
  [{ expiresAt: 1.5 }, 'Unix seconds'],
  [{ expiresAt: -1 }, 'Unix seconds'],
  [{ expiresAt: 1e15 }, 'Unix seconds'],
  [{ expiresAt: Number.NaN }, 'Unix seconds'],
  [{ buckets: ['photos'], expiresAt: null }, 'Unix seconds'],
])('%j is refused, and it is said why', (value, words) => {
  expect(() => parseKeyLimits(value)).toThrow(Fault);
  expect(() => parseKeyLimits(value)).toThrow(words);
});

test('whatever JSON comes: limits that mean the same when read again, or a fault', () => {
  const names = fc.constantFrom('buckets', 'prefixes', 'actions', 'networks', 'expiresAt', 'other');
  const value = fc.oneof(
    fc.jsonValue(),
    fc.array(fc.constantFrom('read', 'photos', '10.0.0.0/8', ''), { maxLength: 3 }),
    fc.nat(),
  );
  fc.assert(
    fc.property(fc.dictionary(names, value), (given) => {
      let limits: ReturnType<typeof parseKeyLimits>;
      try {
        limits = parseKeyLimits(given);
      } catch (error) {
        expect(error).toBeInstanceOf(Fault);
        return;
      }
      expect(Object.keys(limits)).toEqual(Object.keys(given));
      expect(parseKeyLimits(JSON.parse(JSON.stringify(limits)))).toEqual(limits);
    }),
  );
});

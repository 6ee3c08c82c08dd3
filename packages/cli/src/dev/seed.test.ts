import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultSeed, parseSeed, SeedError } from './seed.ts';

function faultsOf(seed: unknown): readonly string[] {
  try {
    parseSeed(typeof seed === 'string' ? seed : JSON.stringify(seed), import.meta.dirname);
    return [];
  } catch (error) {
    if (error instanceof SeedError) return error.faults;
    throw error;
  }
}

const account = { email: 'a@example.com' };
const withBucket = (bucket: unknown) => ({ accounts: [{ ...account, buckets: [bucket] }] });
const withObject = (object: unknown) => withBucket({ name: 'photos', objects: [object] });

test('what is set up without a seed file could be one', () => {
  expect(parseSeed(JSON.stringify(defaultSeed), import.meta.dirname)).toEqual(defaultSeed);
});

test('a whole seed file is read as it stands', () => {
  const seed = {
    accounts: [
      {
        ...account,
        password: 'correct horse',
        accessKey: 'a'.repeat(40),
        secretKey: 's'.repeat(40),
        buckets: [
          {
            name: 'photos',
            private: true,
            objects: [
              { key: 'a.txt', text: 'a', mimeType: 'text/plain', class: 2, metadata: { owner: 'me' } },
              { key: '', file: 'seed.ts' },
            ],
          },
        ],
        templates: { small: 'imageView2/1/w/100' },
      },
      { email: 'b@example.com' },
    ],
  };
  expect(parseSeed(JSON.stringify(seed), import.meta.dirname)).toEqual(seed);
});

test.each([
  ['{', /^it is not JSON: /],
  ['[]', /^the file must be an object/],
  [{}, /^the file needs "accounts"$/],
  [{ accounts: [] }, /^accounts needs at least one account$/],
  [{ accounts: {} }, /^accounts must be a list/],
  [{ accounts: [1] }, /^accounts\[0\] must be an object/],
  [{ accounts: [{}] }, /^accounts\[0\] needs "email"$/],
  [{ accounts: [{ email: 'nobody' }] }, /^accounts\[0\]\.email must be an e-mail address$/],
  [{ accounts: [{ email: 'a@b..c' }] }, /^accounts\[0\]\.email must be an e-mail address$/],
  [{ accounts: [{ email: 1 }] }, /^accounts\[0\]\.email must be an e-mail address$/],
  [{ accounts: [{ ...account, mail: 1 }] }, /^accounts\[0\] has "mail", which is unknown; known are email/],
  [
    { accounts: [{ ...account, accessKey: 'k'.repeat(40) }] },
    /accessKey and secretKey must be given together$/,
  ],
  [
    { accounts: [{ ...account, accessKey: 'short', secretKey: 's'.repeat(40) }] },
    /accessKey must be 20 to 64/,
  ],
  [{ accounts: [account, account] }, /^accounts has two with the email "a@example.com"$/],
  [withBucket({ name: 'NO' }), /^accounts\[0\]\.buckets\[0\]\.name is not allowed: /],
  [withBucket({ name: 'photos', private: 1 }), /private must be true or false$/],
  [{ accounts: [{ ...account, buckets: [{ name: 'aaa' }, { name: 'aaa' }] }] }, /two with the name "aaa"$/],
  [withObject({ key: 'a' }), /objects\[0\] needs either file or text$/],
  [withObject({ key: 'a', text: '', file: 'seed.ts' }), /objects\[0\] needs either file or text$/],
  [withObject({ key: 1, text: '' }), /objects\[0\]\.key must be text$/],
  [withObject({ key: 'k'.repeat(751), text: '' }), /objects\[0\]\.key is not allowed/],
  [withObject({ key: 'a', text: '', class: 4 }), /class must be 0 \(standard\)/],
  [withObject({ key: 'a', text: '', metadata: { 'a b': 'c' } }), /metadata\.a b is not allowed/],
  [withObject({ key: 'a', text: '', metadata: { a: 1 } }), /metadata\.a must be text$/],
  [{ accounts: [{ ...account, templates: { t: 1 } }] }, /templates\.t must be commands, as text$/],
])('%j is refused with its place', (seed, fault) => {
  const faults = faultsOf(seed);
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(fault);
});

test('all faults are told at once', () => {
  const seed = { accounts: [{ email: 'x' }, { ...account, buckets: [{ name: '-' }], other: 1 }] };
  expect(faultsOf(seed)).toHaveLength(3);
});

test('whatever JSON it is, it is read or refused with a reason', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (text) => {
      for (const wrapped of [text, `{"accounts":${text}}`, `{"accounts":[${text}]}`])
        for (const fault of faultsOf(wrapped)) expect(fault.length).toBeGreaterThan(5);
    }),
  );
});

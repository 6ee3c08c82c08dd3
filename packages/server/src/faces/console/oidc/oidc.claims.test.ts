import { expect, test } from 'vitest';
import { claimIn, textsIn, verifiedEmailIn } from './oidc.claims.ts';

const given = (idToken: object, userInfo: object = {}) => ({
  issuer: 'https://id.example.com',
  subject: 'a',
  idToken: { ...idToken },
  userInfo: { ...userInfo },
});

test('a claim is that of the ID token, if it is there', () => {
  expect(claimIn(given({ a: 1 }, { a: 2, b: 3 }), 'a')).toBe(1);
  expect(claimIn(given({ a: null }, { a: 2 }), 'a')).toBeNull();
  expect(claimIn(given({ a: 1 }, { b: 3 }), 'b')).toBe(3);
  for (const name of ['c', 'toString', '__proto__', 'constructor'])
    expect(claimIn(given({ a: 1 }, { b: 3 }), name)).toBeUndefined();
});

test('an address and its verification are of one source', () => {
  const ada = 'ada@example.com';
  expect(verifiedEmailIn(given({ email: ada, email_verified: true }))).toBe(ada);
  expect(verifiedEmailIn(given({}, { email: ada, email_verified: true }))).toBe(ada);
  // The ID token has an address and says nothing of it: user info, with both, is the source.
  expect(verifiedEmailIn(given({ email: 'mallory@example.com' }, { email: ada, email_verified: true }))).toBe(
    ada,
  );
  for (const [idToken, userInfo] of [
    [{ email: ada }, { email_verified: true }],
    [{ email_verified: true }, { email: ada }],
    [{ email: ada }, { email: 'mallory@example.com', email_verified: false }],
    [
      { email: ada, email_verified: false },
      { email: ada, email_verified: true },
    ],
    [{ email: ada }, {}],
    [{}, {}],
  ] as const)
    expect(verifiedEmailIn(given(idToken, userInfo))).toBeUndefined();
});

test('only `true` verifies, and only an address is one', () => {
  for (const email_verified of ['true', 1, {}, [true], null])
    expect(verifiedEmailIn(given({ email: 'ada@example.com', email_verified }))).toBeUndefined();
  for (const email of [['ada@example.com'], { ada: 1 }, 7, '', 'x\ny', `${'a'.repeat(100_000)}@example.com`])
    expect(verifiedEmailIn(given({ email, email_verified: true }))).toBeUndefined();
});

test('a text or a list of texts, and nothing of any other form', () => {
  expect(textsIn(given({ groups: ['a', 'b'] }), 'groups')).toEqual(['a', 'b']);
  expect(textsIn(given({ groups: 'a' }), 'groups')).toEqual(['a']);
  for (const groups of [undefined, null, 7, true, { a: 'a' }, [['a']], ['a', 7], [null]])
    expect(textsIn(given({ groups }), 'groups')).toEqual([]);
});

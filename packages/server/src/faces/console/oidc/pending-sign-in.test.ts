import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newPendingSignIn, signPendingSignIn, TRIP_SECONDS, verifyPendingSignIn } from './pending-sign-in.ts';

const [key, older] = [randomBytes(32), randomBytes(32)];
const NOW = 1_790_000_000_000;

test('what was begun is found again, until its time is over', () => {
  const pending = newPendingSignIn('/buckets?x=1');
  const sealed = signPendingSignIn(pending, [key], NOW);
  expect(verifyPendingSignIn(sealed, [key], NOW)).toEqual(pending);
  expect(verifyPendingSignIn(sealed, [randomBytes(32), key], NOW + TRIP_SECONDS * 1000)).toEqual(pending);
  expect(verifyPendingSignIn(sealed, [key], NOW + TRIP_SECONDS * 1000 + 1)).toBeUndefined();
  expect(verifyPendingSignIn(sealed, [key], NOW - 1)).toBeUndefined();
  expect(verifyPendingSignIn(sealed, [older], NOW)).toBeUndefined();
});

test('nothing that was changed, and nothing of somebody else, is accepted', () => {
  const sealed = signPendingSignIn(newPendingSignIn('/'), [key], NOW);
  fc.assert(
    fc.property(fc.nat(sealed.length - 1), fc.constantFrom('A', 'b', '.', '=', ''), (at, letter) => {
      const changed = sealed.slice(0, at) + letter + sealed.slice(at + 1);
      fc.pre(changed !== sealed);
      expect(verifyPendingSignIn(changed, [key], NOW)).toBeUndefined();
    }),
  );
  fc.assert(fc.property(fc.string(), (text) => verifyPendingSignIn(text, [key], NOW) === undefined));
});

test('every one is another', () => {
  const [one, two] = [newPendingSignIn('/'), newPendingSignIn('/')];
  for (const name of ['state', 'nonce', 'verifier'] as const) expect(one[name]).not.toBe(two[name]);
});

test('it leads back to a place of the console only', () => {
  for (const to of ['/', '/a/b?c=d#e', '/~x']) expect(newPendingSignIn(to).to).toBe(to);
  for (const to of [
    null,
    '',
    'a',
    '//a',
    '/\\a',
    'https://a',
    '/a b',
    '/\u00e4',
    '/session',
    `/${'a'.repeat(1024)}`,
  ])
    expect(newPendingSignIn(to).to).toBe('/');
});

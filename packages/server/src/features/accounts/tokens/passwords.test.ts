import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Passwords } from './passwords.ts';

test('a password matches its own hash and no other', async () => {
  const passwords = new Passwords({ leastCharacters: 8 });
  const hash = await passwords.hashNew('correct horse');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await passwords.matches('correct horse', hash)).toBe(true);
  expect(await passwords.matches('Correct horse', hash)).toBe(false);
  expect(await passwords.hashNew('correct horse')).not.toBe(hash);
});

test('where there is no account the work is done all the same, and nothing matches', async () => {
  const passwords = new Passwords({ leastCharacters: 8 });
  const hash = await passwords.hashNew('a long x');
  const argon2 = vi.spyOn(crypto, 'argon2');
  syncBuiltinESMExports();
  onTestFinished(() => {
    argon2.mockRestore();
    syncBuiltinESMExports();
  });
  const workOf = async (phc: string | undefined) => {
    argon2.mockClear();
    expect(await passwords.matches('y', phc)).toBe(false);
    return argon2.mock.calls.map(([algorithm, { memory, passes, parallelism, tagLength }]) => [
      algorithm,
      { memory, passes, parallelism, tagLength },
    ]);
  };
  const known = await workOf(hash);
  expect(known).toHaveLength(1);
  expect(await workOf(undefined)).toEqual(known);
});

test('two run at a time, some wait, the rest are told to come back', async () => {
  const passwords = new Passwords({ leastCharacters: 8 });
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => passwords.hashNew('a long x')));
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(34);
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused.every((result) => (result.reason as { fault: string }).fault === 'failedRequest')).toBe(
    true,
  );
  expect(await passwords.matches('a long x', await passwords.hashNew('a long x'))).toBe(true);
});

test('a new one has so many characters at least, whatever their bytes; an older one still matches', async () => {
  const passwords = new Passwords({ leastCharacters: 4 });
  const refused = { fault: 'badRequest', hint: 'a password must have at least 4 characters' };
  for (const short of ['abc', '水水水', '🔑🔑🔑'])
    await expect(passwords.hashNew(short)).rejects.toMatchObject(refused);
  for (const long of ['abcd', '水水水水', '🔑🔑🔑🔑'])
    expect(await passwords.matches(long, await passwords.hashNew(long))).toBe(true);
  const older = await new Passwords({ leastCharacters: 1 }).hashNew('x');
  expect(await passwords.matches('x', older)).toBe(true);
});

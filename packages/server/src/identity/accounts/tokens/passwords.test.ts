import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Passwords } from './passwords.ts';

const NETWORK = '192.0.2.1';

function spyOnArgon2() {
  const argon2 = vi.spyOn(crypto, 'argon2');
  syncBuiltinESMExports();
  onTestFinished(() => {
    argon2.mockRestore();
    syncBuiltinESMExports();
  });
  return argon2;
}

/** Where it matters who waits, and not how much work a hash is. */
function makeHashesCheap(): void {
  const { argon2 } = crypto;
  const spy = spyOnArgon2();
  spy.mockImplementation((algorithm, options, done) =>
    argon2(algorithm, { ...options, memory: 8, passes: 1 }, done),
  );
  syncBuiltinESMExports();
}

test('a password matches its own hash and no other', async () => {
  const passwords = new Passwords({ minCharacters: 8 });
  const hash = await passwords.hashNew('correct horse', NETWORK);
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await passwords.matches('correct horse', hash, NETWORK)).toBe(true);
  expect(await passwords.matches('Correct horse', hash, NETWORK)).toBe(false);
  expect(await passwords.hashNew('correct horse', NETWORK)).not.toBe(hash);
});

test('where there is no account the work is done all the same, and nothing matches', async () => {
  const passwords = new Passwords({ minCharacters: 8 });
  const hash = await passwords.hashNew('a long x', NETWORK);
  const argon2 = spyOnArgon2();
  const workOf = async (phc: string | undefined) => {
    argon2.mockClear();
    expect(await passwords.matches('y', phc, NETWORK)).toBe(false);
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
  makeHashesCheap();
  const passwords = new Passwords({ minCharacters: 8 });
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, () => passwords.hashNew('a long x', NETWORK)),
  );
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(34);
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused.every((result) => (result.reason as { fault: string }).fault === 'failedRequest')).toBe(
    true,
  );
  expect(await passwords.matches('a long x', await passwords.hashNew('a long x', NETWORK), NETWORK)).toBe(
    true,
  );
});

test('a network that fills the queue gives way to others, up to an equal share', async () => {
  makeHashesCheap();
  const passwords = new Passwords({ minCharacters: 8 });
  const from = (network: string, count: number) =>
    Array.from({ length: count }, () => passwords.hashNew('a long x', network));
  const [flood, few, third] = [from('flood', 50), from('few', 5), from('third', 30)];
  const done = async (calls: Promise<string>[]) =>
    (await Promise.allSettled(calls)).filter(({ status }) => status === 'fulfilled').length;
  // Two run, and of the 32 places the few have what they need; the others share the rest.
  expect(await Promise.all([done(few), done(flood), done(third)])).toEqual([5, 2 + 14, 13]);
});

test('a new one has so many characters at least, whatever their bytes; an older one still matches', async () => {
  const passwords = new Passwords({ minCharacters: 4 });
  const refused = { fault: 'badRequest', hint: 'a password must have at least 4 characters' };
  for (const short of ['abc', '水水水', '🔑🔑🔑'])
    await expect(passwords.hashNew(short, NETWORK)).rejects.toMatchObject(refused);
  for (const long of ['abcd', '水水水水', '🔑🔑🔑🔑'])
    expect(await passwords.matches(long, await passwords.hashNew(long, NETWORK), NETWORK)).toBe(true);
  const older = await new Passwords({ minCharacters: 1 }).hashNew('x', NETWORK);
  expect(await passwords.matches('x', older, NETWORK)).toBe(true);
});

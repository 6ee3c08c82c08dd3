/** Log-ins by password as their account sees and ends them. */
import { finishCommand } from '@millpond/testing';
import { expect, test } from 'vitest';
import { expectAccountError } from '../support/accounts/account-errors.ts';
import { logIn, newChild, refresh, tokensOf, withToken } from '../support/accounts/accounts.ts';
import { auditOf, createParent } from '../support/accounts/operator.ts';
import { useCommandLine } from '../support/running/cli.ts';
import { sdkClient } from '../support/running/sdk.ts';

const cli = useCommandLine();

test('an account lists its log-ins, newest first, without a token, and nobody else’s [grant-01]', async () => {
  const person = await createParent();
  const child = await newChild(person);
  const client = sdkClient({ credentials: person });
  await tokensOf(logIn(child));
  const first = await tokensOf(logIn(person));
  const [begun] = await client.accessTokens.list();
  expect(begun).toEqual({
    id: expect.stringMatching(/^[\w-]{36}$/),
    address: expect.any(String),
    begun: expect.any(String),
    expires: expect.any(String),
  });
  expect((await refresh(first.refresh_token)).status).toBe(200);
  await tokensOf(logIn(person));
  const both = await client.accessTokens.list();
  expect(both.map(({ id }) => id === begun?.id)).toEqual([false, true]);
  expect(both[1]?.renewed).toMatch(/^\d{4}-/);
  expect(JSON.stringify(both)).not.toContain(first.refresh_token);
});

test('one is ended, or all: their tokens are refused within 5 s, and it is written down [grant-02]', async () => {
  const person = await createParent();
  const client = sdkClient({ credentials: person });
  const [first, second, third] = [
    await tokensOf(logIn(person)),
    await tokensOf(logIn(person)),
    await tokensOf(logIn(person)),
  ];
  const isRefused = async (token: string) => (await withToken(token, { target: '/buckets' })).status === 401;
  const [, , oldest] = await client.accessTokens.list();
  await client.accessTokens.end(oldest?.id ?? '');
  await expect.poll(() => isRefused(first.access_token)).toBe(true);
  expectAccountError(await refresh(first.refresh_token), 3);
  expect(await isRefused(second.access_token)).toBe(false);
  await expect(client.accessTokens.end(oldest?.id ?? '')).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('no such log-in'),
  });
  await client.accessTokens.endAll();
  for (const { access_token } of [second, third]) await expect.poll(() => isRefused(access_token)).toBe(true);
  expect(await client.accessTokens.list()).toEqual([]);
  expect(await auditOf(oldest?.id ?? '')).toMatchObject([{ action: 'token.end', actor: person.accessKey }]);
  expect((await logIn(person)).status).toBe(200);
});

test('by command [grant-02]', async () => {
  const person = await createParent();
  const own = { MILLPOND_ACCESS_KEY: person.accessKey, MILLPOND_SECRET_KEY: person.secretKey };
  const run = (...args: string[]) => finishCommand({ ...cli.environment, ...own }, ['access-token', ...args]);
  await tokensOf(logIn(person));
  await tokensOf(logIn(person));
  const listed = (await run('list', '--json')).stdout.trim().split('\n');
  expect(listed).toHaveLength(2);
  const { id } = JSON.parse(listed[0] ?? '') as { id: string };
  expect(await run('end', id)).toMatchObject({ code: 0, stdout: `${id} is ended\n` });
  expect(await run('end', id)).toMatchObject({ code: 3 });
  expect(await run('end')).toMatchObject({ code: 2, stderr: expect.stringContaining('or --all') });
  expect(await run('end', '--all')).toMatchObject({ code: 0 });
  expect((await run('list', '--json')).stdout).toBe('');
});

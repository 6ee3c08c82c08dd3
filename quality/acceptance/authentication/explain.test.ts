/** On a developer's machine a refused signature is answered with the text that should have been signed: signing that goes through. */
import { createHmac } from 'node:crypto';
import { type Account, createBucket, finishCommand, uploadForm, uploadToken } from '@millpond/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectAccountError } from '../support/accounts/account-errors.ts';
import { statTarget } from '../support/objects/objects.ts';
import type { RawResponse } from '../support/raw.ts';
import { secureSend } from '../support/running/secure.ts';
import { useSecureDeployment } from '../support/running/secure-deployment.ts';
import { type Call, send } from '../support/signing.ts';
import { target } from '../support/target.ts';

const WRONG = `${'A'.repeat(27)}=`;
const own = useSecureDeployment({ MILLPOND_EXPLAIN_SIGNATURES: 'true' });
let owner: Account;

beforeAll(async () => {
  owner = await own.deployment.createAccount();
  await createBucket(own.server.url, owner, 'letters');
  const token = uploadToken(owner, { scope: 'letters' });
  expect((await uploadForm(own.server.url, 'hello', { token, key: 'k' })).status).toBe(200);
  const close = { target: '/private', body: 'bucket=letters&private=1' };
  expect((await send(close, `Svc ${signed((await told(close)).text)}`, own.server.url)).status).toBe(200);
});

/** As a developer would sign what they are shown. */
function signed(text: string): string {
  const bytes = Buffer.from(
    text.replaceAll(/\\(?:x(..)|(.))/g, (_, hex: string | undefined, letter = '') =>
      hex === undefined
        ? ({ n: '\n', r: '\r', t: '\t' }[letter as string] ?? letter)
        : String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    'latin1',
  );
  const sign = createHmac('sha1', owner.secretKey).update(bytes).digest('base64');
  return `${owner.accessKey}:${sign.replaceAll('+', '-').replaceAll('/', '_')}`;
}

function textIn(hint: string): string {
  return hint.slice(hint.indexOf('the text to sign: ') + 'the text to sign: '.length);
}

async function told(call: Call): Promise<{ answer: RawResponse; text: string }> {
  const answer = await send(call, `Svc ${owner.accessKey}:${WRONG}`, own.server.url);
  const { error, hint } = answer.json() as { error: string; hint: string };
  expect([answer.status, error]).toEqual([401, 'bad token']);
  return { answer, text: textIn(hint) };
}

function expectNoSecret(text: string): void {
  expect(text).not.toContain(owner.secretKey);
  const signature = signed(textIn(text)).split(':')[1] ?? '';
  expect(text).not.toContain(signature);
}

describe('where signatures are explained', () => {
  test.each<Call>([
    { method: 'GET', target: statTarget('letters', 'k'), contentType: null },
    {
      target: `${statTarget('letters', 'k')}?`,
      headers: [
        ['X-Svc-Trace', 'on'],
        ['x-svc-a-b', '1'],
      ],
    },
    { target: '/batch', body: `op=${statTarget('letters', 'k')}&name=\u00e9%20\\n` },
  ])('what a call is told to sign goes through: $method $target', async (call) => {
    const { answer, text } = await told(call);
    expectNoSecret(answer.text());
    const after = await send(call, `Svc ${signed(text)}`, own.server.url);
    expect([200, 298]).toContain(after.status);
  });

  test('and so does an upload token', async () => {
    const [, , policy = ''] = uploadToken(owner, { scope: 'letters' }).split(':');
    const form = { token: `${owner.accessKey}:${WRONG}:${policy}`, key: 'new' };
    const refused = await uploadForm(own.server.url, 'hello', form);
    expect(refused.status).toBe(401);
    const { hint } = (await refused.json()) as { hint: string };
    expectNoSecret(hint);
    const token = `${signed(textIn(hint))}:${policy}`;
    expect((await uploadForm(own.server.url, 'hello', { token, key: 'new' })).status).toBe(200);
  });

  test.each(['http', 'https'] as const)(
    'and so does the URL of a private download, over %s',
    async (scheme) => {
      const path = `/letters/k?attname=a%20b.txt&e=${Math.floor(Date.now() / 1000) + 600}`;
      const get = (token: string) => {
        const call = { method: 'GET', target: `${path}&token=${token}`, contentType: null };
        return scheme === 'http'
          ? send(call, undefined, own.server.url)
          : secureSend(call, undefined, own.at);
      };
      const refused = await get(`${owner.accessKey}:${WRONG}`);
      expect(refused.status).toBe(401);
      const { hint } = refused.json() as { hint: string };
      expectNoSecret(hint);
      expect(textIn(hint)).toMatch(new RegExp(`^${scheme}://127`));
      expect((await get(signed(textIn(hint)))).text()).toBe('hello');
    },
  );

  test('and so does an account call, which is told in its description', async () => {
    const call = { target: '/v1/user/info' };
    const refused = await secureSend(call, `Svc ${owner.accessKey}:${WRONG}`, own.at);
    expectAccountError(refused, 11);
    const { error_description: hint } = refused.json() as { error_description: string };
    expectNoSecret(hint);
    expect((await secureSend(call, `Svc ${signed(textIn(hint))}`, own.at)).status).toBe(200);
  });

  test('other faults of a credential are named: its form, its key, its date', async () => {
    const call = { target: statTarget('letters', 'k') };
    const hintOf = async (authorization: string | undefined, headers: Call['headers'] = []) =>
      (
        (await send({ ...call, headers }, authorization, own.server.url)).json() as {
          hint: string;
        }
      ).hint;
    expect(await hintOf(undefined)).toContain('Authorization: Svc <access key>:<signature>');
    expect(await hintOf(`Svc ${owner.accessKey}:+/${'A'.repeat(25)}=`)).toContain('URL-safe Base64');
    expect(await hintOf(`Svc ${'B'.repeat(40)}:${WRONG}`)).toBe('there is no such key, or it is disabled');
    const old = [['X-Svc-Date', '20200101T000000Z']] as const;
    const { text } = await told({ ...call, headers: old });
    expect(await hintOf(`Svc ${signed(text)}`, old)).toBe('the request date is malformed or too far off');
  });
});

describe('elsewhere', () => {
  test('nobody is told', async () => {
    const { account, url } = target;
    const refused = await send({ target: statTarget('b', 'k') }, `Svc ${account.accessKey}:${WRONG}`);
    expect(refused.json()).toEqual({ error: 'bad token' });
    const token = `${account.accessKey}:${WRONG}:e30=`;
    expect(await (await uploadForm(url, 'x', { token })).json()).toEqual({ error: 'bad token' });
  });

  test('a server that others can reach does not start with it', async () => {
    for (const more of [
      { MILLPOND_LISTEN: 'http://0.0.0.0:0' },
      { MILLPOND_LISTEN: 'http://127.0.0.1:0,http://[::]:0' },
      { MILLPOND_ADMIN_LISTEN: 'http://192.0.2.1:0' },
      { MILLPOND_TRUSTED_PROXIES: '127.0.0.1/32' },
    ]) {
      const { code, stderr } = await finishCommand({ ...own.deployment.environment, ...more }, ['serve']);
      expect(code).not.toBe(0);
      expect(stderr).toContain('MILLPOND_EXPLAIN_SIGNATURES is for a developer’s own machine');
    }
  });
});

import { spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { dialects, signCallback, signWebhook } from '@millpond/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { hashing } from './node/hashing.ts';

const DOCS = path.join(import.meta.dirname, '../../../docs');
const page = readFileSync(path.join(DOCS, 'webhooks.md'), 'utf8');
const keyOfNobody = { MILLPOND_ACCESS_KEY: 'an-access-key-of-nobody', MILLPOND_SECRET_KEY: 'a-secret-key' };
const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const body = Buffer.from('{"type":"stream","é":1}');

/** Runs a recipe as it stands there, in a process of its own: calls of its function, one after the other. */
function runRecipe(name: string, called: string): (...args: readonly unknown[]) => Promise<boolean> {
  const recipe = new RegExp(`\`\`\`js ${name}\\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? '';
  const answers = `process.on('message', (args) => process.send(${called}(...args)));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', `${recipe}\n${answers}`], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  afterAll(() => void child.kill());
  return async (...args) => {
    const heard = new AbortController();
    const { signal } = heard;
    child.send(args);
    const first = Promise.race([once(child, 'message', { signal }), once(child, 'exit', { signal })]);
    const [said] = (await first.finally(() => heard.abort())) as [unknown];
    if (typeof said !== 'boolean') throw new Error(`the recipe said ${String(said)}`);
    return said;
  };
}

const isFromMillpond = runRecipe('verify', 'isFromMillpond');

const signed = (secrets: readonly string[], seconds = Date.now() / 1000) =>
  signWebhook(hashing, secrets, { id: 'd', timestamp: Math.floor(seconds), body });

describe('the recipe of the documentation', () => {
  test('takes what we sign, also while secrets are exchanged', async () => {
    expect(await isFromMillpond(signed([secret]), body, secret)).toBe(true);
    expect(await isFromMillpond(signed(['whsec_AAAA', secret]), body, secret)).toBe(true);
  });

  test('refuses another body, id, secret and an old message', async () => {
    expect(await isFromMillpond(signed([secret]), Buffer.from('{}'), secret)).toBe(false);
    expect(await isFromMillpond({ ...signed([secret]), 'webhook-id': 'e' }, body, secret)).toBe(false);
    expect(await isFromMillpond(signed([secret]), body, 'whsec_AAAA')).toBe(false);
    expect(await isFromMillpond(signed([secret], Date.now() / 1000 - 400), body, secret)).toBe(false);
    expect(await isFromMillpond({}, body, secret)).toBe(false);
  });

  test.each(['', 'whsec_', undefined])(
    'with the secret %j refuses what anybody can sign with no key',
    async (missing) => {
      const time = Math.floor(Date.now() / 1000);
      const signature = createHmac('sha256', '').update(`d.${time}.`).update(body).digest('base64');
      const headers = {
        'webhook-id': 'd',
        'webhook-timestamp': String(time),
        'webhook-signature': `v1,${signature}`,
      };
      expect(await isFromMillpond(headers, body, missing)).toBe(false);
    },
  );
});

const callRecipe = runRecipe('callback', 'isCallback');

describe('the recipe for the signature of upload callbacks', () => {
  const keys = { accessKey: 'ak', secretKey: 'sk' };
  const form = { url: '/cb?a=1', type: 'application/x-www-form-urlencoded', body: 'name=ü&n=??>>' };
  const json = { url: '/cb?a=1', type: 'application/json', body: '{"n":"??>>"}' };

  const authorized = ({ url, type, body: text }: typeof form, dialect: keyof typeof dialects) =>
    signCallback(
      hashing,
      keys,
      { target: url, contentType: type, body: Buffer.from(text) },
      dialects[dialect],
    );

  function isCallback(
    { url, type, body: text }: typeof form,
    authorization: string | undefined,
    dialect: string,
    pair = keys,
  ): Promise<boolean> {
    const request = { url, headers: { 'content-type': type, authorization }, body: Buffer.from(text) };
    return callRecipe(request, pair, dialect);
  }

  test.each(['svc', 'qiniu'] as const)(
    'takes what we sign in the dialect %s, and nothing else',
    async (dialect) => {
      const other = dialect === 'svc' ? 'qiniu' : 'svc';
      for (const request of [form, json]) {
        const authorization = authorized(request, dialect);
        expect(await isCallback(request, authorization, dialect)).toBe(true);
        expect(await isCallback(request, authorization, other)).toBe(false);
        expect(await isCallback({ ...request, url: '/cb?a=2' }, authorization, dialect)).toBe(false);
        expect(await isCallback(request, authorization, dialect, { ...keys, secretKey: 'other' })).toBe(
          false,
        );
        expect(await isCallback(request, undefined, dialect)).toBe(false);
      }
      const changed = { ...form, body: `${form.body}x` };
      expect(await isCallback(changed, authorized(form, dialect), dialect)).toBe(false);
      const empty = { accessKey: 'ak', secretKey: '' };
      const byNobody = signCallback(
        hashing,
        empty,
        { target: form.url, contentType: form.type, body: Buffer.from(form.body) },
        dialects[dialect],
      );
      expect(await isCallback(form, byNobody, dialect, empty)).toBe(false);
    },
  );
});

/** Each program that receives, on the pages that have one. */
const receivers = ['webhooks.md', 'examples.md'].flatMap((name) => {
  const text = readFileSync(path.join(DOCS, name), 'utf8');
  const programs = [...text.matchAll(/```js receiver\n(.*?)```|<<'JS'\n(.*?)\nJS\n/gs)];
  return programs
    .map(([, block, file]) => block ?? file ?? '')
    .filter((program) => program.includes('verifyRequest'))
    .map((program) => ({ name, program }));
});

test('every page with a receiver has one that is looked at', () => {
  expect(new Set(receivers.map(({ name }) => name))).toEqual(new Set(['webhooks.md', 'examples.md']));
});

test.each(receivers)('the receiver of $name does not start without its secret', ({ program }) => {
  const env = { PATH: process.env.PATH, MILLPOND_URL: 'http://127.0.0.1:1', ...keyOfNobody, PORT: '0' };
  const args = ['--input-type=module', '-e', program];
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: import.meta.dirname,
    env: { ...env, MILLPOND_WEBHOOK_SECRET: '' },
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect([status, stderr]).toEqual([1, expect.stringContaining('MILLPOND_WEBHOOK_SECRET is not set')]);
});

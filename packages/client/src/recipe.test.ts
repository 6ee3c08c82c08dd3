import { execFileSync, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { dialects, signCallback, signWebhook } from '@millpond/protocol';
import { describe, expect, test } from 'vitest';
import { hashing } from './node/hashing.ts';

const DOCS = path.join(import.meta.dirname, '../../../docs');
const page = readFileSync(path.join(DOCS, 'webhooks.md'), 'utf8');
const keyOfNobody = { MILLPOND_ACCESS_KEY: 'an-access-key-of-nobody', MILLPOND_SECRET_KEY: 'a-secret-key' };
const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const body = Buffer.from('{"type":"stream","é":1}');

const recipe = /```js verify\n(.*?)```/s.exec(page)?.[1] ?? '';
const CALL = `
const [headers, body, secret] = process.argv.slice(1);
process.stdout.write(String(isFromMillpond(JSON.parse(headers), Buffer.from(body), secret)));`;

/** Runs it as it stands there, in a process of its own. */
function isFromMillpond(headers: Record<string, string>, sent: Buffer, key?: string): boolean {
  const given = key === undefined ? [] : [key];
  const args = [
    '--input-type=module',
    '-e',
    recipe + CALL,
    JSON.stringify(headers),
    sent.toString(),
    ...given,
  ];
  const said = execFileSync(process.execPath, args, { encoding: 'utf8' });
  if (said !== 'true' && said !== 'false') throw new Error(`the recipe said ${said}`);
  return said === 'true';
}

const signed = (secrets: readonly string[], seconds = Date.now() / 1000) =>
  signWebhook(hashing, secrets, { id: 'd', timestamp: Math.floor(seconds), body });

describe('the recipe of the documentation', () => {
  test('takes what we sign, also while secrets are exchanged', () => {
    expect(isFromMillpond(signed([secret]), body, secret)).toBe(true);
    expect(isFromMillpond(signed(['whsec_AAAA', secret]), body, secret)).toBe(true);
  });

  test('refuses another body, id, secret and an old message', () => {
    expect(isFromMillpond(signed([secret]), Buffer.from('{}'), secret)).toBe(false);
    expect(isFromMillpond({ ...signed([secret]), 'webhook-id': 'e' }, body, secret)).toBe(false);
    expect(isFromMillpond(signed([secret]), body, 'whsec_AAAA')).toBe(false);
    expect(isFromMillpond(signed([secret], Date.now() / 1000 - 400), body, secret)).toBe(false);
    expect(isFromMillpond({}, body, secret)).toBe(false);
  });

  test.each(['', 'whsec_', undefined])(
    'with the secret %j refuses what anybody can sign with no key',
    (missing) => {
      const time = Math.floor(Date.now() / 1000);
      const signature = createHmac('sha256', '').update(`d.${time}.`).update(body).digest('base64');
      const headers = {
        'webhook-id': 'd',
        'webhook-timestamp': String(time),
        'webhook-signature': `v1,${signature}`,
      };
      expect(isFromMillpond(headers, body, missing)).toBe(false);
    },
  );
});

const callbackRecipe = /```js callback\n(.*?)```/s.exec(page)?.[1] ?? '';
const CALLBACK_CALL = `
const [request, keys, dialect] = process.argv.slice(1).map((text) => JSON.parse(text));
process.stdout.write(String(isCallback({ ...request, body: Buffer.from(request.body) }, keys, dialect)));`;

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

  /** Runs it as it stands there, in a process of its own. */
  function isCallback(
    { url, type, body: text }: typeof form,
    authorization: string | undefined,
    dialect: string,
    pair = keys,
  ): boolean {
    const request = { url, headers: { 'content-type': type, authorization }, body: text };
    const args = [request, pair, dialect].map((each) => JSON.stringify(each));
    const program = ['--input-type=module', '-e', callbackRecipe + CALLBACK_CALL, ...args];
    const said = execFileSync(process.execPath, program, { encoding: 'utf8' });
    if (said !== 'true' && said !== 'false') throw new Error(`the recipe said ${said}`);
    return said === 'true';
  }

  test.each(['svc', 'qiniu'] as const)(
    'takes what we sign in the dialect %s, and nothing else',
    (dialect) => {
      const other = dialect === 'svc' ? 'qiniu' : 'svc';
      for (const request of [form, json]) {
        const authorization = authorized(request, dialect);
        expect(isCallback(request, authorization, dialect)).toBe(true);
        expect(isCallback(request, authorization, other)).toBe(false);
        expect(isCallback({ ...request, url: '/cb?a=2' }, authorization, dialect)).toBe(false);
        expect(isCallback(request, authorization, dialect, { ...keys, secretKey: 'other' })).toBe(false);
        expect(isCallback(request, undefined, dialect)).toBe(false);
      }
      const changed = { ...form, body: `${form.body}x` };
      expect(isCallback(changed, authorized(form, dialect), dialect)).toBe(false);
      const empty = { accessKey: 'ak', secretKey: '' };
      const byNobody = signCallback(
        hashing,
        empty,
        { target: form.url, contentType: form.type, body: Buffer.from(form.body) },
        dialects[dialect],
      );
      expect(isCallback(form, byNobody, dialect, empty)).toBe(false);
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

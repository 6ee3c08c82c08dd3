import { execFileSync, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { signWebhook } from '@millpond/protocol';
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

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { signWebhook } from '@millpond/protocol';
import { describe, expect, test } from 'vitest';
import { hashing } from './node/hashing.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../../docs/webhooks.md'), 'utf8');
const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const body = Buffer.from('{"type":"stream","é":1}');

const recipe = /```js verify\n(.*?)```/s.exec(page)?.[1] ?? '';
const CALL = `
const [headers, body, secret] = process.argv.slice(1);
process.stdout.write(String(isFromMillpond(JSON.parse(headers), Buffer.from(body), secret)));`;

/** Runs it as it stands there, in a process of its own. */
function isFromMillpond(headers: Record<string, string>, sent: Buffer, key: string): boolean {
  const args = ['--input-type=module', '-e', recipe + CALL, JSON.stringify(headers), sent.toString(), key];
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
});

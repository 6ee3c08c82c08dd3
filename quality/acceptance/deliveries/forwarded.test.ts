/** The receiver of the documentation, behind `millpond listen --forward-to`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { image, put, submitted } from '../support/objects/processing.ts';
import { webhookSecrets } from '../support/receivers/callbacks.ts';
import { reaches, useEvents } from '../support/receivers/events.ts';
import { startListening } from '../support/receivers/listening.ts';
import { newBucket, target, upload } from '../support/target.ts';

const PAGE = path.join(import.meta.dirname, '../../../docs/webhooks.md');
const events = useEvents();

async function settings(): Promise<Record<string, string>> {
  const [secret = ''] = await webhookSecrets();
  const { accessKey, secretKey } = target.account;
  return {
    MILLPOND_WEBHOOK_SECRET: secret,
    MILLPOND_ACCESS_KEY: accessKey,
    MILLPOND_SECRET_KEY: secretKey,
  };
}

/** Runs it as it stands there, in a process of its own. */
async function startReceiver(environment: Record<string, string>) {
  const [, program = ''] = /```js receiver\n(.*?)```/s.exec(await readFile(PAGE, 'utf8')) ?? [];
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: import.meta.dirname,
    env: { PATH: process.env.PATH, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => ended(child));
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await expect.poll(() => said).toContain('receiving at port');
  return { url: `http://127.0.0.1:${/port (\d+)/.exec(said)?.[1]}`, said: () => said };
}

async function ended(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

test('verifies upload callbacks, notifications of tasks and events by every signature they have [delivery-26]', async () => {
  const environment = await settings();
  const application = await startReceiver({ ...environment, NODE_ENV: 'development' });
  const listening = await startListening(environment, '--forward-to', `${application.url}/hooks?app=1`);
  const bucket = await newBucket();

  const callback = {
    scope: bucket,
    callbackUrl: `${listening.url}/uploads/done?a=%2F`,
    callbackBody: 'key=$(key)',
  };
  const form = await upload(callback, 'content', { key: 'by-form' });
  expect([form.status, await form.text()]).toEqual([200, '{}']);
  const asJson = { ...callback, callbackBody: '{"key":$(key)}', callbackBodyType: 'application/json' };
  const uploaded = await upload(asJson, 'content', { key: 'by-json' });
  expect([uploaded.status, await uploaded.text()]).toEqual([200, '{}']);

  await put(bucket, 'image', await image());
  const id = await submitted({
    bucket,
    key: 'image',
    fops: 'imageInfo',
    notifyURL: `${listening.url}/tasks`,
  });
  await expect.poll(() => application.said()).toContain(id);

  const event = await events.add({ url: `${listening.url}/events`, body: '{"type":"stream"}' });
  const { attempts } = await reaches(event.id, 'delivered');
  expect(attempts.map(({ status }) => status)).toEqual([200]);

  expect(application.said()).toContain('key=by-form');
  expect(application.said()).toContain('{"key":"by-json"}');
  expect(application.said()).toContain(`${event.id} {"type":"stream"}`);
  expect(listening.lines()).toMatchObject([
    { url: '/uploads/done?a=%2F', webhook: true, callback: true, status: 200 },
    { url: '/uploads/done?a=%2F', webhook: true, callback: true, status: 200 },
    { url: '/tasks', webhook: true, event: true, status: 200 },
    { url: '/events', webhook: true, event: true, status: 200 },
  ]);
});

test('refuses what was signed for another address where it is not for development [delivery-26]', async () => {
  const environment = await settings();
  const application = await startReceiver({ ...environment, NODE_ENV: 'production' });
  const listening = await startListening(environment, '--forward-to', `${application.url}/hooks`);
  const policy = { scope: await newBucket(), callbackUrl: `${listening.url}/cb`, callbackBody: 'key=$(key)' };
  expect((await upload(policy, 'content', { key: 'k' })).status).toBe(579);
  expect(listening.lines()).toMatchObject([{ verified: true, status: 401 }]);
  expect(application.said()).not.toContain('key=k');
});

/** The receiver for developers. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createBucket, uploadForm, uploadToken } from '@millpond/testing';
import { expect, onTestFinished, test } from 'vitest';
import { newEmail } from '../support/accounts/accounts.ts';
import { operate } from '../support/accounts/operator.ts';
import { newKey, webhookSecrets } from '../support/receivers/callbacks.ts';
import { reaches, recordOf, useEvents } from '../support/receivers/events.ts';
import { startListening } from '../support/receivers/listening.ts';
import { json, useReceiver } from '../support/receivers/receiver.ts';
import { newBucket, target, upload } from '../support/target.ts';

const receiver = useReceiver();
const events = useEvents();

test('receives, verifies, prints and forwards events and callbacks [delivery-26]', async () => {
  const { account } = target;
  const [secret = ''] = await webhookSecrets();
  const application = receiver.at(json({ from: 'the application' }));
  const listening = await startListening(
    {
      MILLPOND_WEBHOOK_SECRET: secret,
      MILLPOND_ACCESS_KEY: account.accessKey,
      MILLPOND_SECRET_KEY: account.secretKey,
    },
    '--forward-to',
    application.url,
  );
  const { id } = await events.add({ url: `${listening.url}/events`, body: '{"type":"stream"}' });
  const { attempts } = await reaches(id, 'delivered');
  expect(attempts.at(-1)?.response).toBe('{"from":"the application"}');
  expect(listening.lines()).toMatchObject([
    { id, verified: true, webhook: true, event: true, status: 200, body: '{"type":"stream"}' },
  ]);
  expect(application.only.text).toBe('{"type":"stream"}');
  expect(application.only.headers['webhook-id']).toBe(id);

  const policy = { scope: await newBucket(), callbackUrl: `${listening.url}/cb`, callbackBody: 'key=$(key)' };
  const answer = await upload(policy, 'content', { key: 'k' });
  expect([answer.status, await answer.json()]).toEqual([200, { from: 'the application' }]);
  expect(listening.lines()[1]).toMatchObject({ callback: true, webhook: true, url: '/cb', body: 'key=k' });
});

test('verifies with nothing but what `account create --export` printed [delivery-26]', async () => {
  const printed = await operate(['account', 'create', newEmail(), '--export']);
  const exported = Object.fromEntries(
    [...printed.matchAll(/^export (\w+)='(.*)'$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
  const keys = {
    accessKey: exported.MILLPOND_ACCESS_KEY ?? '',
    secretKey: exported.MILLPOND_SECRET_KEY ?? '',
  };
  const listening = await startListening(exported);
  const bucket = `exported-${newKey()}`;
  await createBucket(target.url, keys, bucket);
  const policy = { scope: bucket, callbackUrl: `${listening.url}/cb`, callbackBody: 'key=$(key)' };
  const answer = await uploadForm(target.url, 'content', { token: uploadToken(keys, policy), key: 'k' });
  expect(answer.status).toBe(200);
  expect(listening.lines()).toMatchObject([{ verified: true, webhook: true, callback: true }]);
});

test('refuses what it can’t verify, and does not pass it on [delivery-26]', async () => {
  const application = receiver.at(json({}));
  const secret = `whsec_${Buffer.alloc(32).toString('base64')}`;
  const folder = await mkdtemp(path.join(tmpdir(), 'millpond-listen-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'secret');
  await writeFile(file, `${secret}\n`);
  const listening = await startListening({}, '--secret-file', file, '--forward-to', application.url);
  const { id } = await events.add({ url: `${listening.url}/events` });
  await expect.poll(async () => (await recordOf(id)).attempts.length).toBeGreaterThan(0);
  expect((await recordOf(id)).attempts[0]).toMatchObject({ status: 401 });
  expect(listening.lines()[0]).toMatchObject({ verified: false, webhook: false });
  expect(application.requests).toEqual([]);
});

/** The server dies between the commit and the callback. */
import { formatEntry } from '@millpond/protocol';
import {
  type Account,
  type ControlDatabase,
  createDeployment,
  type Deployment,
  openControlDatabase,
  openRegionDatabase,
  type RegionDatabase,
  signedFetch,
  stat,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EngineProxy, openProxy, throughProxy } from '../support/receivers/proxy.ts';
import { hang, json, useReceiver } from '../support/receivers/receiver.ts';
import { target } from '../support/target.ts';

const receiver = useReceiver();
const BUCKET = 'crashing';
/** Too large to wait in the database for a pack: its bytes are collected as soon as they may be. */
const LARGE = 'x'.repeat(256 * 1024);
let deployment: Deployment;
let account: Account;
let control: ControlDatabase;
let region: RegionDatabase;
/** To the receiver. */
let road: EngineProxy;

beforeAll(async () => {
  road = await openProxy(receiver.url);
  deployment = await createDeployment({
    store: target.store,
    settings: { MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32', MILLPOND_COLLECT_EVERY: '1s' },
    log: 'ignore',
  });
  account = await deployment.createAccount(undefined, BUCKET);
  control = await openControlDatabase(deployment.environment.MILLPOND_CONTROL_DB ?? '');
  region = await openRegionDatabase(deployment.environment.MILLPOND_REGION_DB ?? '');
});
afterAll(async () => {
  await control?.close();
  await region?.close();
  await deployment?.destroy();
  await road?.close();
});

/** Resolves when it has run once more: what was deleted long ago is collected. */
async function periodicWork(url: string, key: string): Promise<void> {
  const token = uploadToken(account, { scope: BUCKET });
  const { hash } = (await (await uploadForm(url, key + LARGE, { token, key })).json()) as { hash: string };
  const deleted = await signedFetch(url, account, `/delete/${formatEntry(BUCKET, key)}`, { method: 'POST' });
  expect(deleted.status).toBe(200);
  await region.ageTrash(30 * 86_400);
  await expect.poll(() => region.trashOf(hash)).toEqual([]);
}

const statesOf = async (key: string) =>
  (await region.deliveriesOf(`${BUCKET}:${key}`)).map(({ state, attempts }) => [state, attempts.length]);

test('a crash between commit and callback leaves the object and an unsent callback; a retry calls back [callback-rule-13 G11]', async () => {
  const endpoint = receiver.at(json({ got: 'it' }));
  const callbackUrl = throughProxy(endpoint.url, road);
  const token = uploadToken(account, { scope: BUCKET, callbackUrl, callbackBody: 'k=$(key)' });
  const send = (url: string) => uploadForm(url, 'content', { token, key: 'k' });

  const doomed = await deployment.start();
  // Nothing reaches the receiver now: the upload stands exactly between the two.
  road.freeze();
  const lost = send(doomed.url).then(
    () => 'answered',
    () => 'lost',
  );
  await expect.poll(() => statesOf('k')).toEqual([['unsent', 0]]);
  await doomed.kill('SIGKILL');
  road.cut();
  road.restore();
  expect(await lost).toBe('lost');
  expect(endpoint.requests).toEqual([]);

  const server = await deployment.start();
  expect((await stat(server.url, account, BUCKET, 'k')).status).toBe(200);
  for (const key of ['first', 'second']) await periodicWork(server.url, key);
  // It is not sent unless asked for.
  expect(endpoint.requests).toEqual([]);
  expect(await statesOf('k')).toEqual([['unsent', 0]]);

  const again = await send(server.url);
  expect([again.status, await again.json()]).toEqual([200, { got: 'it' }]);
  expect(endpoint.only.text).toBe('k=k');
  expect(await statesOf('k')).toEqual([
    ['unsent', 0],
    ['delivered', 1],
  ]);
  await server.kill('SIGKILL');
});

test('what signs the callback is at hand before the commit: without it nothing is there', async () => {
  const endpoint = receiver.at(json({ got: 'it' }));
  const other = await deployment.createAccount(undefined, 'signing');
  const server = await deployment.start();
  const lock = await control.lockWebhookSecrets();
  const token = uploadToken(other, { scope: 'signing', callbackUrl: endpoint.url });
  const sent = uploadForm(server.url, 'content', { token, key: 'k' });
  await expect.poll(() => lock.waiting()).toBe(1);
  expect((await stat(server.url, other, 'signing', 'k')).status).toBe(612);
  await lock.release();
  expect([(await sent).status, endpoint.requests.length]).toEqual([200, 1]);
  await server.kill('SIGKILL');
});

test('a crash while the receiver thinks leaves the same [callback-rule-13 G11 G1]', async () => {
  const endpoint = receiver.at(hang);
  const doomed = await deployment.start();
  const policy = { scope: BUCKET, callbackUrl: endpoint.url };
  const lost = uploadForm(doomed.url, 'content', {
    token: uploadToken(account, policy),
    key: 'thinking',
  }).then(
    () => 'answered',
    () => 'lost',
  );
  await expect.poll(() => endpoint.requests.length).toBe(1);
  // What the receiver is told about is committed: another gateway would see it now.
  expect(await statesOf('thinking')).toEqual([['unsent', 0]]);
  await doomed.kill('SIGKILL');
  expect(await lost).toBe('lost');
  const server = await deployment.start();
  expect((await stat(server.url, account, BUCKET, 'thinking')).status).toBe(200);
  expect(await statesOf('thinking')).toEqual([['unsent', 0]]);
});

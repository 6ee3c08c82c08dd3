/** Processing under Qiniu's dialect, over plain HTTP; and with the database away. */
import { dialects } from '@millpond/protocol';
import { type Account, createDeployment, type Deployment, uploadForm, uploadToken } from '@millpond/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { image } from '../support/objects/processing.ts';
import { rawFetch } from '../support/raw.ts';
import { type EngineProxy, openProxy, throughProxy } from '../support/receivers/proxy.ts';
import { sendSigned } from '../support/signing.ts';
import { target } from '../support/target.ts';

const BUCKET = 'family';
let deployment: Deployment;
let proxy: EngineProxy;
let account: Account;
let url: string;

beforeAll(async () => {
  deployment = await createDeployment({
    store: target.store,
    log: 'ignore',
    settings: { MILLPOND_DB_TIMEOUT: '2s', MILLPOND_DIALECT: 'qiniu', MILLPOND_MEDIA_SLOTS: '1' },
  });
  account = await deployment.createAccount(undefined, BUCKET);
  const engine = deployment.environment.MILLPOND_REGION_DB ?? '';
  proxy = await openProxy(engine);
  ({ url } = await deployment.start({ settings: { MILLPOND_REGION_DB: throughProxy(engine, proxy) } }));
  const token = uploadToken(account, { scope: BUCKET });
  expect((await uploadForm(url, await image(), { token, key: 'a' })).status).toBe(200);
});
afterAll(async () => {
  await deployment?.destroy();
  await proxy?.close();
});

const submit = (path: string) =>
  sendSigned(
    { target: path, body: new URLSearchParams({ bucket: BUCKET, key: 'a', fops: 'imageInfo' }).toString() },
    { url, keys: account, dialect: dialects.qiniu },
  );
const query = (id: string) => rawFetch({ method: 'GET', target: `/status/get/prefop?id=${id}` }, url);

test('Qiniu’s clients submit without the slash and over plain HTTP [dialect-04 auth-07]', async () => {
  for (const path of ['/pfop', '/pfop/']) {
    const answer = await submit(path);
    expect(answer.status).toBe(200);
    const { persistentId } = answer.json() as { persistentId: string };
    expect((await query(persistentId)).status).toBe(200);
  }
  const unsigned = await sendSigned(
    { target: '/pfop', body: 'bucket=b' },
    { url, keys: { ...account, secretKey: 'wrong' }, dialect: dialects.qiniu },
  );
  expect(unsigned.status).toBe(401);
});

test('with the database away both calls answer 599, and recover with it [err-pfop-05 err-prefop-03]', async () => {
  proxy.cut();
  for (const answer of [await submit('/pfop/'), await query(`z0.${'0'.repeat(40)}`)])
    expect([answer.status, answer.json()]).toEqual([599, { error: 'server failure' }]);
  proxy.restore();
  await vi.waitFor(async () => expect((await submit('/pfop/')).status).toBe(200), { timeout: 300_000 });
});

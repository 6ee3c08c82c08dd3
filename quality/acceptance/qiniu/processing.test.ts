/** Processing and private URLs by Qiniu's public SDK for Node, as it is published: only the hosts are ours. */
import { type Account, createDeployment, type Deployment, type ServerProcess } from '@millpond/testing';
import qiniu from 'qiniu';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Received, useReceiver } from '../support/receivers/receiver.ts';
import { target } from '../support/target.ts';

const BUCKET = 'family-tasks';
const receiver = useReceiver();
let deployment: Deployment;
let server: ServerProcess;
let account: Account;
let mac: qiniu.auth.digest.Mac;
let config: qiniu.conf.Config;

beforeAll(async () => {
  deployment = await createDeployment({
    store: target.store,
    settings: {
      MILLPOND_DIALECT: 'qiniu',
      MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32',
      MILLPOND_MEDIA_SLOTS: '1',
    },
  });
  account = await deployment.createAccount(undefined, BUCKET);
  server = await deployment.start();
  const { host } = new URL(server.url);
  Object.assign(qiniu.conf, { UC_HOST: host });
  mac = new qiniu.auth.digest.Mac(account.accessKey, account.secretKey);
  config = new qiniu.conf.Config({
    useHttpsDomain: false,
    zone: new qiniu.conf.Zone([host], [host], host, host, host, host),
  });
});
afterAll(() => deployment?.destroy());

async function put(key: string, content: string): Promise<void> {
  const token = new qiniu.rs.PutPolicy({ scope: `${BUCKET}:${key}` }).uploadToken(mac);
  const uploader = new qiniu.form_up.FormUploader(config);
  const { resp } = await uploader.put(token, key, content, new qiniu.form_up.PutExtra());
  expect(resp.statusCode).toBe(200);
}

interface TaskResponse {
  readonly status: number | undefined;
  readonly body: Record<string, unknown>;
}

/** The manager of operations knows callbacks only. */
function answered(
  call: (done: (error: unknown, body: unknown, info: unknown) => void) => void,
): Promise<TaskResponse> {
  return new Promise((resolve, reject) => {
    call((error, body, info) => {
      if (error) reject(error as Error);
      else
        resolve({
          status: (info as { statusCode?: number }).statusCode,
          body: body as Record<string, unknown>,
        });
    });
  });
}

test('pfop submits, prefop asks until it has ended, and the notification says the same [dialect-05]', async () => {
  await put('source', 'content');
  let told: Received | undefined;
  const endpoint = receiver.at((response, received) => {
    told = received;
    response.writeHead(200).end();
  });
  const manager = new qiniu.fop.OperationManager(mac, config);
  const saved = qiniu.util.urlsafeBase64Encode(`${BUCKET}:hashed`);
  const fops = [`qhash/md5|saveas/${saved}`];
  const submitted = await answered((done) =>
    manager.pfop(BUCKET, 'source', fops, '', { notifyURL: endpoint.url, force: true }, done),
  );
  expect(submitted).toEqual({ status: 200, body: { persistentId: expect.stringMatching(/^z0\./) } });
  const id = String(submitted.body.persistentId);
  const ask = () => answered((done) => manager.prefop(id, done));
  await expect.poll(async () => (await ask()).body.code).toBe(0);
  const { body } = await ask();
  expect(body).toMatchObject({ id, code: 0, inputKey: 'source', items: [{ key: 'hashed', returnOld: 0 }] });
  await expect.poll(() => told).toBeDefined();
  expect(JSON.parse(told?.text ?? '')).toMatchObject({ id, code: 0 });
});

test('an unknown command and an unknown task reach the caller with their status', async () => {
  await put('plain', 'content');
  const manager = new qiniu.fop.OperationManager(mac, config);
  const refused = await answered((done) => manager.pfop(BUCKET, 'plain', ['nonsense'], '', {}, done));
  expect(refused).toMatchObject({ status: 400, body: { error: expect.any(String) } });
  const unknown = `z0.${'0'.repeat(40)}`;
  expect(await answered((done) => manager.prefop(unknown, done))).toMatchObject({ status: 612 });
});

test('privateDownloadUrl opens a private bucket, until its time', async () => {
  await put('ü/ private', 'secret');
  const manager = new qiniu.rs.BucketManager(mac, config);
  const made = await manager.putBucketAccessMode(BUCKET, { private: 1 });
  expect(made.resp.statusCode).toBe(200);
  const domain = `${server.url}/${BUCKET}`;
  const now = Math.floor(Date.now() / 1000);
  const plain = manager.publicDownloadUrl(domain, 'ü/ private');
  await expect.poll(async () => (await fetch(plain)).status).toBe(401);
  const good = await fetch(manager.privateDownloadUrl(domain, 'ü/ private', now + 600));
  expect([good.status, await good.text()]).toEqual([200, 'secret']);
  expect((await fetch(manager.privateDownloadUrl(domain, 'ü/ private', now - 60))).status).toBe(401);
});

test('an upload starts a task without naming who is told of its end, which the published interface refuses', async () => {
  const token = new qiniu.rs.PutPolicy({ scope: BUCKET, persistentOps: 'qhash/md5' }).uploadToken(mac);
  const uploader = new qiniu.form_up.FormUploader(config);
  const { resp, data } = await uploader.put(token, 'unnoticed', 'content', new qiniu.form_up.PutExtra());
  expect([resp.statusCode, data]).toEqual([
    200,
    expect.objectContaining({ persistentId: expect.stringMatching(/^z0\./) }),
  ]);
});

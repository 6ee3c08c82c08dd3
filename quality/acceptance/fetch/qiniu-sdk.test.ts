/** Fetch, prefetch and mirror sources by Qiniu's public SDK for Node, as it is published: only the hosts are ours. */
import { dialects, etagOf } from '@millpond/protocol';
import {
  type Account,
  createDeployment,
  type Deployment,
  hashing,
  type ServerProcess,
  signedFetch,
} from '@millpond/testing';
import qiniu from 'qiniu';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { file } from '../support/objects/fetching.ts';
import { randomContent } from '../support/objects/objects.ts';
import { reply, useReceiver } from '../support/receivers/receiver.ts';
import { target } from '../support/target.ts';

const BUCKET = 'family';
const origin = useReceiver();
let deployment: Deployment;
let account: Account;
let server: ServerProcess;
let manager: qiniu.rs.BucketManager;

beforeAll(async () => {
  deployment = await createDeployment({
    store: target.store,
    settings: { MILLPOND_DIALECT: 'qiniu', MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32' },
  });
  account = await deployment.createAccount(undefined, BUCKET);
  server = await deployment.start();
  const { host } = new URL(server.url);
  Object.assign(qiniu.conf, { UC_HOST: host });
  const zone = new qiniu.conf.Zone([host], [host], host, host, host, host);
  const config = new qiniu.conf.Config({ useHttpsDomain: false, zone });
  manager = new qiniu.rs.BucketManager(
    new qiniu.auth.digest.Mac(account.accessKey, account.secretKey),
    config,
  );
});
afterAll(() => deployment?.destroy());

async function downloaded(key: string): Promise<Buffer> {
  const answer = await fetch(`${server.url}/${BUCKET}/${key}`);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

test('fetch stores the file and gives its record', async () => {
  const content = randomContent(50_000);
  const { url } = origin.at(file(content, { 'content-type': 'image/x-own' }));
  const { data, resp } = await manager.fetch(url, BUCKET, 'fetched');
  expect([resp.statusCode, data]).toEqual([
    200,
    { key: 'fetched', hash: etagOf(hashing, content), fsize: content.length, mimeType: 'image/x-own' },
  ]);
  expect((await downloaded('fetched')).equals(content)).toBe(true);
});

test('a fetch that fails reaches the caller with its status', async () => {
  for (const [script, status] of [
    [reply(404), 404],
    [reply(500), 478],
  ] as const) {
    const { resp } = await manager.fetch(origin.at(script).url, BUCKET, 'failed');
    expect(resp.statusCode).toBe(status);
  }
});

test('image, prefetch and unimage', async () => {
  origin.at(file('mirrored'), '/mirror/k');
  const set = await manager.image(BUCKET, `${origin.url}/mirror`, 'origin.example.test');
  expect(set.resp.statusCode).toBe(200);
  const { resp } = await manager.prefetch(BUCKET, 'k');
  expect(resp.statusCode).toBe(200);
  expect((await downloaded('k')).toString()).toBe('mirrored');
  expect((await manager.unimage(BUCKET)).resp.statusCode).toBe(200);
  expect((await manager.prefetch(BUCKET, 'k')).resp.statusCode).toBe(400);
});

test('asynchronous fetches are taken over plain HTTP, but no callback that could be one of our own calls [G49]', async () => {
  const call = async (fields: Readonly<Record<string, string>>) => {
    const body = JSON.stringify({ url: origin.at(file('x')).url, bucket: BUCKET, key: 'async', ...fields });
    const options = { contentType: 'application/json', body, dialect: dialects.qiniu };
    return signedFetch(server.url, account, '/sisyphus/fetch', options);
  };
  expect((await call({})).status).toBe(200);
  for (const path of ['stat/x', 'fetch/x', 'sisyphus/fetch', 'prefetch/x']) {
    const refused = await call({ callbackurl: `http://example.test/${path}`, callbackbody: 'k=$(key)' });
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: 'invalid argument' }]);
  }
});

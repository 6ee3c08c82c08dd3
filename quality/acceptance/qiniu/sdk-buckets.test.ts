/** Qiniu's public SDK for Node on objects and buckets, as it is published: only the hosts are ours. */
import { type Account, createDeployment, type Deployment, type ServerProcess } from '@millpond/testing';
import qiniu from 'qiniu';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { target } from '../support/target.ts';

const BUCKET = 'family-buckets';
let deployment: Deployment;
let server: ServerProcess;
let account: Account;
let mac: qiniu.auth.digest.Mac;
let manager: qiniu.rs.BucketManager;
let uploader: qiniu.form_up.FormUploader;

beforeAll(async () => {
  deployment = await createDeployment({ store: target.store, settings: { MILLPOND_DIALECT: 'qiniu' } });
  account = await deployment.createAccount(undefined, BUCKET);
  server = await deployment.start();
  const { host } = new URL(server.url);
  // Known to the SDK, and not to its types.
  (qiniu.conf as unknown as { UC_HOST: string }).UC_HOST = host;
  mac = new qiniu.auth.digest.Mac(account.accessKey, account.secretKey);
  const config = new qiniu.conf.Config({
    useHttpsDomain: false,
    zone: new qiniu.conf.Zone([host], [host], host, host, host, host),
  });
  manager = new qiniu.rs.BucketManager(mac, config);
  uploader = new qiniu.form_up.FormUploader(config);
});
afterAll(() => deployment?.destroy());

async function put(key: string, content: string): Promise<void> {
  const token = new qiniu.rs.PutPolicy({ scope: `${BUCKET}:${key}` }).uploadToken(mac);
  const { resp } = await uploader.put(token, key, content, new qiniu.form_up.PutExtra());
  expect(resp.statusCode).toBe(200);
}

interface BucketInfo {
  readonly resp: { readonly statusCode?: number };
  readonly data: unknown;
}

/** Status and body of what the SDK gives back. */
async function shown(call: Promise<unknown>): Promise<[number | undefined, unknown]> {
  const { resp, data } = (await call) as BucketInfo;
  return [resp.statusCode, data];
}

const statusOf = async (call: Promise<unknown>) => (await shown(call))[0];

test('stat, copy, move and delete [dialect-05]', async () => {
  await put('a', 'content');
  expect(await shown(manager.stat(BUCKET, 'a'))).toEqual([
    200,
    expect.objectContaining({ fsize: 7, mimeType: expect.any(String), type: 0 }),
  ]);
  expect(await statusOf(manager.copy(BUCKET, 'a', BUCKET, 'b', {}))).toBe(200);
  expect(await shown(manager.copy(BUCKET, 'a', BUCKET, 'b', {}))).toEqual([614, { error: 'file exists' }]);
  expect(await statusOf(manager.copy(BUCKET, 'a', BUCKET, 'b', { force: true }))).toBe(200);
  expect(await statusOf(manager.move(BUCKET, 'b', BUCKET, 'c', {}))).toBe(200);
  expect(await shown(manager.stat(BUCKET, 'b'))).toEqual([612, { error: 'no such file or directory' }]);
  expect(await statusOf(manager.delete(BUCKET, 'c'))).toBe(200);
  expect(await statusOf(manager.delete(BUCKET, 'c'))).toBe(612);
});

test('deleteAfterDays, setObjectLifeCycle and updateObjectStatus', async () => {
  await put('kept', 'content');
  expect(await statusOf(manager.deleteAfterDays(BUCKET, 'kept', 5))).toBe(200);
  const ages = { toIaAfterDays: 10, toArchiveAfterDays: 20, toDeepArchiveAfterDays: 30, deleteAfterDays: 40 };
  const cond = { fsize: 7 };
  expect(await statusOf(manager.setObjectLifeCycle(BUCKET, 'kept', { ...ages, cond }))).toBe(200);
  expect(await statusOf(manager.updateObjectStatus(BUCKET, 'kept', 1))).toBe(200);
  expect((await shown(manager.stat(BUCKET, 'kept')))[1]).toMatchObject({
    status: 1,
    expiration: expect.any(Number),
    transitionToIA: expect.any(Number),
    transitionToARCHIVE: expect.any(Number),
    transitionToDeepArchive: expect.any(Number),
  });
  expect((await fetch(`${server.url}/${BUCKET}/kept`)).status).toBe(403);
});

test('changeMime, changeHeaders, changeType and restoreAr', async () => {
  await put('changed', 'content');
  expect(await statusOf(manager.changeMime(BUCKET, 'changed', 'text/x-changed'))).toBe(200);
  expect(await statusOf(manager.changeHeaders(BUCKET, 'changed', { 'Cache-Control': 'max-age=60' }))).toBe(
    200,
  );
  const answer = await fetch(`${server.url}/${BUCKET}/changed`);
  expect([answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
    'text/x-changed',
    'max-age=60',
  ]);
  expect(await statusOf(manager.changeType(BUCKET, 'changed', 2))).toBe(200);
  expect((await shown(manager.stat(BUCKET, 'changed')))[1]).toMatchObject({ type: 2 });
  expect(await statusOf(manager.copy(BUCKET, 'changed', BUCKET, 'copied', {}))).toBe(403);
  expect(await statusOf(manager.restoreAr(`${BUCKET}:changed`, 1))).toBe(200);
  expect((await shown(manager.stat(BUCKET, 'changed')))[1]).toMatchObject({ restoreStatus: 1 });
});

test('listPrefix page by page, and listPrefixV2', async () => {
  for (const key of ['list/a', 'list/b', 'list/c/d', 'list/c/e']) await put(key, 'content');
  interface Page {
    readonly items: { readonly key: string }[];
    readonly marker?: string;
    readonly commonPrefixes?: string[];
  }
  const [status, folded] = await shown(manager.listPrefix(BUCKET, { prefix: 'list/', delimiter: '/' }));
  expect([status, (folded as Page).commonPrefixes]).toEqual([200, ['list/c/']]);
  const keys: string[] = [];
  let marker = '';
  do {
    const [, page] = await shown(manager.listPrefix(BUCKET, { prefix: 'list/', limit: 3, marker }));
    keys.push(...(page as Page).items.map(({ key }) => key));
    marker = (page as Page).marker ?? '';
  } while (marker !== '');
  expect(keys).toEqual(['list/a', 'list/b', 'list/c/d', 'list/c/e']);
  const [streamStatus, text] = await shown(manager.listPrefixV2(BUCKET, { prefix: 'list/' }));
  expect(streamStatus).toBe(200);
  const lines = String(text).trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { item: { key: string } }).item.key)).toEqual(keys);
});

test('batch of stat, copy, move, delete, deleteAfterDays and changeStatus', async () => {
  await put('batch', 'content');
  const rs = qiniu.rs as typeof qiniu.rs & {
    changeStatusOp(bucket: string, key: string, status: number): string;
  };
  const operations = [
    rs.statOp(BUCKET, 'batch'),
    rs.copyOp(BUCKET, 'batch', BUCKET, 'batch copy', { force: true }),
    rs.moveOp(BUCKET, 'batch copy', BUCKET, 'batch moved', { force: true }),
    rs.deleteAfterDaysOp(BUCKET, 'batch moved', 3),
    rs.changeStatusOp(BUCKET, 'batch moved', 1),
    rs.deleteOp(BUCKET, 'batch moved'),
  ];
  const [status, answers] = await shown(manager.batch(operations));
  expect([status, (answers as { code: number }[]).map(({ code }) => code)]).toEqual([
    200,
    [200, 200, 200, 200, 200, 200],
  ]);
  const [partly, failed] = await shown(
    manager.batch([rs.statOp(BUCKET, 'missing'), rs.statOp(BUCKET, 'batch')]),
  );
  expect([partly, failed]).toEqual([
    298,
    [
      { code: 612, data: { error: 'no such file or directory' } },
      { code: 200, data: expect.objectContaining({ fsize: 7 }) },
    ],
  ]);
});

test('createBucket', async () => {
  expect(await statusOf(manager.createBucket('family-created', { regionId: 'z0' }))).toBe(200);
  const again = await shown(manager.createBucket('family-created', { regionId: 'z0' }));
  expect(again).toEqual([614, { error: 'the bucket already exists and you own it.' }]);
});

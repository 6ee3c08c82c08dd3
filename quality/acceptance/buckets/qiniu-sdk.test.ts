/** Qiniu's public SDK for Node on buckets, as it is published. It knows one host, and finds the others by itself. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Account, createDeployment, type Deployment, type ServerProcess } from '@millpond/testing';
import qiniu from 'qiniu';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { target } from '../support/target.ts';

const BUCKET = 'family-buckets';

let folder: string;
let deployment: Deployment;
let server: ServerProcess;
let account: Account;
let mac: qiniu.auth.digest.Mac;
let config: qiniu.conf.Config;
let manager: qiniu.rs.BucketManager;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'millpond-sdk-'));
  deployment = await createDeployment({ store: target.store, settings: { MILLPOND_DIALECT: 'qiniu' } });
  account = await deployment.createAccount();
  server = await deployment.start();
  const { host } = new URL(server.url);
  mac = new qiniu.auth.digest.Mac(account.accessKey, account.secretKey);
  const hosts = () =>
    new qiniu.httpc.StaticEndpointsProvider([new qiniu.httpc.Endpoint(host, { defaultScheme: 'http' })]);
  config = new qiniu.conf.Config({
    useHttpsDomain: false,
    ucEndpointsProvider: hosts(),
    queryRegionsEndpointsProvider: hosts(),
  });
  config.regionsQueryResultCachePath = path.join(folder, 'regions.jsonl');
  manager = new qiniu.rs.BucketManager(mac, config);
  expect((await manager.createBucket(BUCKET, { regionId: 'z0' })).resp.statusCode).toBe(200);
});
afterAll(async () => {
  await deployment?.destroy();
  await rm(folder, { recursive: true, force: true });
});

/** The SDK's answers are not typed as it gives them. */
async function dataOf(answer: Promise<{ data: unknown; resp: { statusCode?: number | undefined } }>) {
  const { data, resp } = await answer;
  expect(resp.statusCode, JSON.stringify(data)).toBe(200);
  return data;
}

test('uploads and object calls find their hosts by the region query [region-01]', async () => {
  const token = new qiniu.rs.PutPolicy({ scope: BUCKET }).uploadToken(mac);
  const uploader = new qiniu.form_up.FormUploader(config);
  const { data, resp } = await uploader.put(token, 'k', 'content', new qiniu.form_up.PutExtra());
  expect([resp.statusCode, data]).toMatchObject([200, { key: 'k' }]);
  expect(await dataOf(manager.stat(BUCKET, 'k'))).toMatchObject({ fsize: 7 });
  expect(await dataOf(manager.listPrefix(BUCKET, {}))).toMatchObject({ items: [{ key: 'k' }] });
});

describe('the manager of buckets', () => {
  test('lists, shows, and makes private [bucket-04] [bucket-05] [bucket-06]', async () => {
    expect(await dataOf(manager.listBucket())).toEqual([BUCKET]);
    expect(await dataOf(manager.getBucketInfo(BUCKET))).toMatchObject({ region: 'z0', private: 0 });
    await dataOf(manager.putBucketAccessMode(BUCKET, { private: 1 }));
    expect(await dataOf(manager.getBucketInfo(BUCKET))).toMatchObject({ private: 1 });
    await dataOf(manager.putBucketAccessMode(BUCKET, { private: 0 }));
  });

  test('keeps CORS rules [bucket-11]', async () => {
    const rules = [{ allowed_origin: ['https://a.example'], allowed_method: ['GET'], max_age: 5 }];
    await dataOf(manager.putCorsRules(BUCKET, rules as never));
    expect(await dataOf(manager.getCorsRules(BUCKET))).toMatchObject(rules);
  });

  test('keeps lifecycle rules [bucket-12]', async () => {
    const rule = { name: 'logs', prefix: 'logs/', to_line_after_days: 3, delete_after_days: 30 };
    await dataOf(manager.putBucketLifecycleRule(BUCKET, rule as never));
    await dataOf(manager.updateBucketLifecycleRule(BUCKET, { ...rule, delete_after_days: 40 } as never));
    expect(await dataOf(manager.getBucketLifecycleRule(BUCKET))).toMatchObject([
      { ...rule, delete_after_days: 40 },
    ]);
    await dataOf(manager.deleteBucketLifecycleRule(BUCKET, 'logs'));
    expect(await dataOf(manager.getBucketLifecycleRule(BUCKET))).toEqual([]);
  });

  test('sets and reads quotas, and lists domains [bucket-09] [bucket-07]', async () => {
    await dataOf(manager.putBucketQuota(BUCKET, { size: 1000, count: 10 }));
    expect(await dataOf(manager.getBucketQuota(BUCKET))).toEqual({ size: 1000, count: 10 });
    await dataOf(manager.putBucketQuota(BUCKET, { size: -1, count: -1 }));
    expect(await dataOf(manager.listBucketDomains(BUCKET))).toEqual([]);
  });

  test('drops a bucket [bucket-03]', async () => {
    await dataOf(manager.createBucket('family-dropped', { regionId: 'z0' }));
    await dataOf(manager.deleteBucket('family-dropped'));
    const { resp } = await manager.deleteBucket('family-dropped');
    expect(resp.statusCode).toBe(631);
  });
});

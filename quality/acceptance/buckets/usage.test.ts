/** Usage of accounts and buckets: what they hold, what is asked of them, and that figures and objects agree. */
import {
  type Account,
  createBucket,
  createDeployment,
  type Deployment,
  openRegionDatabase,
  type RegionDatabase,
  type ServerProcess,
  signedFetch,
  testRandom,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/expectations.ts';
import { bucketCall, bucketJson, type Site } from '../support/objects/buckets.ts';
import { statTarget } from '../support/objects/objects.ts';
import { target } from '../support/target.ts';

/** Figures are folded every second here, and requests handed over every 5 s; the machine may be slow. */
const SOON = { timeout: 300_000, interval: 200 };

interface BucketUsage {
  readonly bucket: string;
  readonly bytes: number;
  readonly objects: number;
  readonly classes: readonly { type: number; bytes: number; objects: number }[];
  readonly requests: { readonly calls: number; readonly downloads: number };
  readonly days?: readonly { readonly day: string; readonly downloads: number }[];
}
interface AccountUsage extends BucketUsage {
  readonly uid: number;
  readonly buckets: readonly BucketUsage[];
}

let deployment: Deployment;
let database: RegionDatabase;
let server: ServerProcess;
let account: Account;
let site: Site;

beforeAll(async () => {
  deployment = await createDeployment({
    store: target.store,
    settings: { MILLPOND_USAGE_FOLD_EVERY: '1s' },
  });
  account = await deployment.createAccount();
  server = await deployment.start();
  database = await openRegionDatabase(deployment.environment.MILLPOND_REGION_DB ?? '');
  site = { url: server.url, account };
});
afterAll(async () => {
  await database?.close();
  await deployment?.destroy();
});

const ofBucket = (bucket: string) =>
  bucketJson<BucketUsage>(`/v1/usage?bucket=${bucket}`, { method: 'GET' }, site);
const held = async (bucket: string) => {
  const { bytes, objects, classes } = await ofBucket(bucket);
  return { bytes, objects, classes };
};

async function put(bucket: string, key: string, size: number, fileType = 0): Promise<number> {
  const token = uploadToken(account, { scope: `${bucket}:${key}`, fileType });
  const answer = await uploadForm(server.url, 'x'.repeat(size), { token, key });
  await answer.text();
  return answer.status;
}
async function remove(bucket: string, key: string): Promise<number> {
  const answer = await signedFetch(server.url, account, statTarget(bucket, key).replace('/stat', '/delete'));
  await answer.text();
  return answer.status;
}

describe('what a bucket holds', () => {
  test('follows uploads, overwrites and deletions, by class [bucket-13]', async () => {
    await createBucket(server.url, account, 'held');
    expect(await held('held')).toEqual({ bytes: 0, objects: 0, classes: [] });
    expect([await put('held', 'a', 100), await put('held', 'b', 20, 1)]).toEqual([200, 200]);
    const both = {
      bytes: 120,
      objects: 2,
      classes: [
        { type: 0, bytes: 100, objects: 1 },
        { type: 1, bytes: 20, objects: 1 },
      ],
    };
    await expect.poll(() => held('held'), SOON).toEqual(both);
    expect([await put('held', 'a', 50), await put('held', 'b', 7)]).toEqual([200, 200]);
    const overwritten = { bytes: 57, objects: 2, classes: [{ type: 0, bytes: 57, objects: 2 }] };
    await expect.poll(() => held('held'), SOON).toEqual(overwritten);
    expect([await remove('held', 'a'), await remove('held', 'b')]).toEqual([200, 200]);
    await expect.poll(() => held('held'), SOON).toEqual({ bytes: 0, objects: 0, classes: [] });
  });

  test('is added up for its account, and shown to nobody else [bucket-13 usage-01]', async () => {
    const mine = await deployment.createAccount();
    const its: Site = { url: server.url, account: mine };
    for (const bucket of ['sum-a', 'sum-b']) {
      await createBucket(server.url, mine, bucket);
      const token = uploadToken(mine, { scope: bucket });
      expect((await uploadForm(server.url, 'x'.repeat(10), { token, key: 'k' })).status).toBe(200);
    }
    const usage = () => bucketJson<AccountUsage>('/v1/usage', { method: 'GET' }, its);
    await expect.poll(async () => (await usage()).bytes, SOON).toBe(20);
    const { uid, objects, buckets } = await usage();
    expect([uid, objects, buckets.map(({ bucket, bytes }) => [bucket, bytes])]).toEqual([
      mine.uid,
      2,
      [
        ['sum-a', 10],
        ['sum-b', 10],
      ],
    ]);
    await expectRefusal(
      await bucketCall('/v1/usage?bucket=sum-a', { method: 'GET' }, site),
      631,
      'no such bucket',
    );
    const printed = JSON.parse(await deployment.run('usage', mine.email, '--json')) as AccountUsage;
    expect([printed.bytes, printed.objects]).toEqual([20, 2]);
    expect(await deployment.run('usage', mine.email)).toMatch(
      /BUCKET +BYTES[\s\S]*sum-a +10 [\s\S]*total +20 /,
    );
  });
});

test('requests are counted by day: calls of the owner, and downloads [bucket-13 usage-01]', async () => {
  await createBucket(server.url, account, 'asked');
  expect(await put('asked', 'k', 5)).toBe(200);
  for (let n = 0; n < 3; n++) await (await fetch(`${server.url}/asked/k`)).text();
  // Neither a bucket that is not there nor a credential that is none is anybody's request.
  await (await fetch(`${server.url}/not-there/k`)).text();
  await (
    await bucketCall(
      '/v2/bucketInfo?bucket=asked',
      {},
      { ...site, account: { accessKey: 'x', secretKey: 'y' } },
    )
  ).text();
  const days = (query: string) =>
    bucketJson<BucketUsage & { from: string; to: string }>(
      `/v1/usage?bucket=asked${query}`,
      { method: 'GET' },
      site,
    );
  await expect.poll(async () => (await days('')).requests.downloads, SOON).toBe(3);
  expect((await days('')).requests.calls).toBeGreaterThanOrEqual(1);
  const today = new Date().toISOString().slice(0, 10);
  const before = await days('&from=2020-01-01&to=2020-12-31');
  expect([before.from, before.to, before.requests]).toEqual([
    '2020-01-01',
    '2020-12-31',
    { calls: 0, downloads: 0 },
  ]);
  // Around midnight the day may have changed under the test.
  const lately = await days(`&from=${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}`);
  expect(lately.requests.downloads).toBe(3);
  expect(lately.days?.reduce((sum, { downloads }) => sum + downloads, 0)).toBe(3);
  expect(lately.days?.every(({ day }) => lately.from <= day && day <= lately.to)).toBe(true);
  expect([before.days, (await days('')).days]).toEqual([[], undefined]);
  expect((await days('')).to >= today).toBe(true);
  for (const query of [
    '&from=x',
    '&from=2026-02-30',
    '&from=2026-1-1',
    '&from=2020-02-01&to=2020-01-01',
    '&from=2001-01-01',
    '&to=0000-01-01',
  ])
    await expectRefusal(
      await bucketCall(`/v1/usage?bucket=asked${query}`, { method: 'GET' }, site),
      400,
      'invalid argument',
    );
});

/** What the lists of a bucket say, counted by hand. */
async function counted(bucket: string): Promise<{ bytes: number; objects: number }> {
  const { items } = await bucketJson<{ items: { fsize: number }[] }>(`/list?bucket=${bucket}`, {}, site);
  return { bytes: items.reduce((sum, { fsize }) => sum + fsize, 0), objects: items.length };
}

test('after a random run with the server killed in it, the figures are those of a full count [bucket-14]', async () => {
  const bucket = 'random';
  await createBucket(server.url, account, bucket);
  const keys = Array.from({ length: 12 }, (_, index) => `k${index}`);
  const random = testRandom();
  let acts = 0;
  const act = async () => {
    acts++;
    const key = random.pick(keys);
    const work = random.next() < 0.3 ? remove(bucket, key) : put(bucket, key, random.integer(1, 5000));
    await work.catch(() => undefined);
  };
  const run = async (turns: number) => {
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let done = 0; done < turns; done++) await act();
      }),
    );
  };
  for (let kills = 0; kills < 2; kills++) {
    const running = run(15);
    const killAt = acts + random.integer(20, 80);
    await expect.poll(() => acts, { interval: 5 }).toBeGreaterThan(killAt);
    await server.kill('SIGKILL');
    await running;
    server = await deployment.start();
    site = { url: server.url, account };
  }
  await run(10);
  const full = await counted(bucket);
  const figures = async () => {
    const { bytes, objects } = await ofBucket(bucket);
    return { bytes, objects };
  };
  await expect.poll(figures, SOON).toEqual(full);
  const off = (await deployment.run('usage', 'recount', account.email, '--json')).trim().split('\n');
  expect(off.map((line) => JSON.parse(line) as object)).toContainEqual({ bucket, bytes: 0, objects: 0 });
});

test('figures that are wrong are put right by a recount [bucket-14]', async () => {
  const bucket = 'drifted';
  await createBucket(server.url, account, bucket);
  expect([await put(bucket, 'a', 100), await put(bucket, 'b', 11)]).toEqual([200, 200]);
  await expect.poll(async () => (await ofBucket(bucket)).bytes, SOON).toBe(111);
  await database.corruptUsage(-40, 3);
  const recounted = (await deployment.run('usage', 'recount', account.email, '--json')).trim().split('\n');
  expect(recounted.map((line) => JSON.parse(line) as object)).toContainEqual({
    bucket,
    bytes: 40,
    objects: 3,
  });
  expect(await held(bucket)).toMatchObject({ bytes: 111, objects: 2 });
  expect(await deployment.run('usage', 'recount', account.email)).toContain(
    'drifted: off by 0 bytes, 0 objects',
  );
});

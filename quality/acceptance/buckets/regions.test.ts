/** Two regions with one control database: a bucket is known in both, and its objects are in one. */
import {
  type Account,
  createDeployment,
  type Deployment,
  freePort,
  type ServerProcess,
  signedFetch,
  stat,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { expectRefusal } from '../support/expectations.ts';
import { s3 } from '../support/s3/signed.ts';
import { target } from '../support/target.ts';

const HOSTS = ['up', 'io', 'rs', 'rsf', 'uc', 'api', 's3'].map((role) => `${role}=${role}.z1.test`).join(',');
let near: Deployment;
let far: Deployment;
let here: ServerProcess;
let there: ServerProcess;
let account: Account;

beforeAll(async () => {
  near = await createDeployment({ store: target.store, log: 'ignore' });
  const { MILLPOND_CONTROL_DB = '' } = near.environment;
  const settings = { MILLPOND_CONTROL_DB, MILLPOND_REGION: 'z1', MILLPOND_HOSTS: HOSTS };
  far = await createDeployment({ store: target.store, log: 'ignore', settings });
  account = await near.createAccount();
  [here, there] = await Promise.all([near.start(), far.start()]);
});
afterAll(() => Promise.all([near?.destroy(), far?.destroy()]));

let made = 0;
/** A bucket of the farther region, made by the nearer. */
async function newFarBucket(): Promise<string> {
  const name = `far-${++made}`;
  const answer = await signedFetch(here.url, account, `/mkbucketv3/${name}/region/z1`);
  expect(answer.status).toBe(200);
  return name;
}
const put = (url: string, bucket: string, key: string, content = key) =>
  uploadForm(url, content, { token: uploadToken(account, { scope: bucket }), key });
const location = (region: string) =>
  `<CreateBucketConfiguration><LocationConstraint>${region}</LocationConstraint></CreateBucketConfiguration>`;

describe('a bucket of another region', () => {
  test('can be created here, and is used there', async () => {
    const bucket = await newFarBucket();
    expect((await put(there.url, bucket, 'k')).status).toBe(200);
    expect((await stat(there.url, account, bucket, 'k')).status).toBe(200);
    expect(await (await fetch(`${there.url}/${bucket}/k`)).text()).toBe('k');
    await expectRefusal(
      await signedFetch(here.url, account, `/mkbucketv3/${bucket}/region/z0`),
      614,
      'the bucket already exists and you own it.',
    );
  });

  test('can be created while that region is away, and is there when it is back', async () => {
    await there.kill('SIGKILL');
    const bucket = await newFarBucket();
    there = await far.start();
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((key) => put(there.url, bucket, key)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await signedFetch(there.url, account, `/drop/${bucket}`)).status).toBe(403);
  });

  test('is dropped there, even if nothing was ever in it, and its name is free again', async () => {
    const bucket = await newFarBucket();
    expect((await signedFetch(there.url, account, `/drop/${bucket}`)).status).toBe(200);
    await expectRefusal(await put(there.url, bucket, 'k'), 631, 'no such bucket');
    const again = await signedFetch(here.url, account, `/mkbucketv3/${bucket}/region/z0`);
    expect(again.status).toBe(200);
  });

  test('is found by the query for hosts, which every region answers', async () => {
    const bucket = await newFarBucket();
    for (const { url } of [here, there]) {
      const answer = await fetch(`${url}/v4/query?ak=${account.accessKey}&bucket=${bucket}`);
      expect(await answer.json()).toMatchObject({
        hosts: [{ region: 'z1', up: { domains: ['up.z1.test'] }, s3: { domains: ['s3.z1.test'] } }],
      });
    }
  });

  test('refuses all work on its objects, and says where it is', async () => {
    const bucket = await newFarBucket();
    expect((await put(there.url, bucket, 'k')).status).toBe(200);
    const answers = [
      await put(here.url, bucket, 'k'),
      await stat(here.url, account, bucket, 'k'),
      await fetch(`${here.url}/${bucket}/k`),
      await signedFetch(here.url, account, `/list?bucket=${bucket}`),
    ];
    for (const answer of answers) {
      const { error, hint } = (await answer.json()) as { error: string; hint: string };
      expect([answer.status, error]).toEqual([400, 'incorrect region']);
      expect(hint).toContain(`this is region z0; bucket ${bucket} is in region z1, at `);
      for (const host of HOSTS.split(',')) expect(hint).toContain(host);
    }
  });

  test('is no source and no target of a copy: each region keeps to itself', async () => {
    const bucket = await newFarBucket();
    const own = `near-${bucket}`;
    expect((await signedFetch(here.url, account, `/mkbucketv3/${own}/region/z0`)).status).toBe(200);
    expect((await put(here.url, own, 'k')).status).toBe(200);
    const entry = (name: string) => Buffer.from(`${name}:k`).toString('base64url');
    for (const [url, from, to] of [
      [here.url, own, bucket],
      [here.url, bucket, own],
      [there.url, own, bucket],
    ] as const)
      await expectRefusal(
        await signedFetch(url, account, `/copy/${entry(from)}/${entry(to)}`),
        400,
        'incorrect region',
      );
  });

  test('is listed in both regions, with the region that it is in', async () => {
    const bucket = await newFarBucket();
    for (const { url } of [here, there]) {
      const answer = await signedFetch(url, account, '/buckets?apiVersion=v4&limit=1000', { method: 'GET' });
      const { buckets } = (await answer.json()) as { buckets: { name: string; region: string }[] };
      expect(buckets.find(({ name }) => name === bucket)?.region).toBe('z1');
    }
  });

  test('by S3 is redirected to its endpoint', async () => {
    const bucket = await newFarBucket();
    const [port, s3Port] = [await freePort(), await freePort()];
    const url = `http://127.0.0.1:${s3Port}`;
    await near.start({ settings: { MILLPOND_LISTEN: `http://127.0.0.1:${port},${url}/s3` } });
    const call = { url, by: account };
    for (const method of ['GET', 'HEAD']) {
      const answer = await s3(`/${bucket}/k`, { ...call, method });
      expect([answer.status, answer.headers.get('x-amz-bucket-region')]).toEqual([301, 'z1']);
      if (method === 'GET') expect(answer.text).toContain('<Endpoint>s3.z1.test</Endpoint>');
    }
    const where = await s3(`/${bucket}?location`, call);
    expect([where.status, where.text]).toEqual([200, expect.stringContaining('>z1<')]);
    const other = { ...call, method: 'PUT', body: location('z1') };
    expect((await s3('/by-s3', other)).status).toBe(200);
    expect((await put(there.url, 'by-s3', 'k')).status).toBe(200);
    expect((await s3('/by-s3-lost', { ...other, body: location('z7') })).text).toContain(
      'there is no region z7',
    );
  });
});

test('an unknown region is refused by the names of those that there are', async () => {
  const answer = await signedFetch(here.url, account, '/mkbucketv3/lost/region/z7');
  expect(await answer.json()).toMatchObject({ hint: 'there is no region z7; there is z0, z1' });
});

test('an account’s default region is the first of the list, and can be moved', async () => {
  const regions = async () => {
    const answer = await signedFetch(here.url, account, '/regions', { method: 'GET' });
    return ((await answer.json()) as { regions: { id: string }[] }).regions.map(({ id }) => id);
  };
  expect(await regions()).toEqual(['z0', 'z1']);
  const shown = JSON.parse(await near.run('account', 'region', account.email, 'z1', '--json'));
  expect(shown).toEqual({ email: account.email, region: 'z1' });
  expect(await regions()).toEqual(['z1', 'z0']);
  await expect(near.run('account', 'region', account.email, 'z7')).rejects.toThrow('there is no region z7');
  await far.run('account', 'region', account.email, '--none');
  expect(await regions()).toEqual(['z0', 'z1']);
});

test('a region that nothing names any more is forgotten by a command, and told anew by a gateway [region-04 region-05]', async () => {
  const { MILLPOND_CONTROL_DB = '' } = near.environment;
  const settings = { MILLPOND_CONTROL_DB, MILLPOND_REGION: 'z2', MILLPOND_HOSTS: HOSTS };
  const third = await createDeployment({ store: target.store, log: 'ignore', settings });
  onTestFinished(() => third.destroy());
  await (await third.start()).kill('SIGTERM');
  const make = (name: string) => signedFetch(here.url, account, `/mkbucketv3/${name}/region/z2`);
  const listed = async () => (await near.run('region', 'list')).trim().split('\n');
  const forget = (region: string) => near.run('region', 'forget', region);
  expect(await listed()).toEqual(['z0  this one', 'z1', 'z2']);
  expect((await make('in-z2')).status).toBe(200);
  await near.run('account', 'region', account.email, 'z2');
  await expect(forget('z2')).rejects.toThrow(
    `1 buckets are in it, such as in-z2; it is the default of 1 accounts, such as ${account.email}`,
  );
  await near.run('account', 'region', account.email, '--none');
  await expect(forget('z2')).rejects.toThrow('1 buckets are in it, such as in-z2');
  const gateway = await third.start();
  expect((await signedFetch(gateway.url, account, '/drop/in-z2')).status).toBe(200);
  await gateway.kill('SIGTERM');
  await expect(forget('z0')).rejects.toThrow('z0 is the region of this configuration');
  await expect(forget('z7')).rejects.toThrow('there is no region z7; there is z0, z1, z2');
  expect(await forget('z2')).toContain('z2 is forgotten');
  // A gateway that has not noticed yet makes no bucket there either.
  await expectRefusal(await make('lost-z2'), 400, 'incorrect region');
  expect(await listed()).toEqual(['z0  this one', 'z1']);
  await (await third.start()).kill('SIGTERM');
  expect(await listed()).toEqual(['z0  this one', 'z1', 'z2']);
});

/** The lists of an account's buckets, what is said of one, and how many there may be. */
import { encodeBase64Text } from '@millpond/protocol';
import { createBucket, createDeployment, uploadForm, uploadToken } from '@millpond/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createParent } from '../support/accounts/operator.ts';
import { expectRefusal } from '../support/expectations.ts';
import { bucketCall, bucketDo, bucketJson, form } from '../support/objects/buckets.ts';
import { download, newBucket, target, upload } from '../support/target.ts';

/** Tests that start servers of their own; on a busy machine each takes its time. */
const STARTS_SERVERS = { timeout: 600_000 };

/** An account of the test's own with buckets of these names, each with an ending that nobody else has. */
async function accountWith(names: readonly string[]) {
  const account = await createParent();
  const site = { url: target.url, account };
  const buckets = names.map((name) => `${name}-${account.uid}`);
  for (const name of buckets) await createBucket(site.url, account, name);
  return { site, buckets };
}

interface Page {
  readonly next_marker: string;
  readonly is_truncated: boolean;
  readonly buckets: readonly { name: string; region: string; private: boolean; ctime: string }[];
}

describe('the list of buckets', () => {
  test("has the names of the caller's and of nobody else's, by GET and POST [bucket-04]", async () => {
    const { site, buckets } = await accountWith(['zz', 'aa', 'mm']);
    const [aa = '', mm = '', zz = ''] = buckets.toSorted();
    for (const method of ['GET', 'POST'] as const)
      expect(await bucketJson('/buckets', { method }, site)).toEqual([aa, mm, zz]);
    const others = await bucketJson<string[]>('/buckets');
    for (const name of buckets) expect(others).not.toContain(name);
  });

  test('is empty for an account that has none [bucket-04]', async () => {
    const { site } = await accountWith([]);
    expect(await bucketJson('/buckets', {}, site)).toEqual([]);
    expect(await bucketJson('/buckets?apiVersion=v4', {}, site)).toEqual({
      next_marker: '',
      is_truncated: false,
      buckets: [],
    });
  });

  test('comes in pages of records with apiVersion=v4 [bucket-04]', async () => {
    const { site, buckets } = await accountWith(['a', 'b', 'c', 'd', 'e'].map((name) => `page-${name}`));
    const seen: string[] = [];
    let marker = '';
    for (let pages = 0; pages < 3; pages++) {
      const page = await bucketJson<Page>(`/buckets?apiVersion=v4&limit=2&marker=${marker}`, {}, site);
      expect(page.is_truncated).toBe(pages < 2);
      for (const { name, region, private: isPrivate, ctime } of page.buckets) {
        seen.push(name);
        expect([region, isPrivate]).toEqual(['z0', false]);
        expect(Math.abs(Date.parse(ctime) - Date.now())).toBeLessThan(600_000);
      }
      marker = page.next_marker;
    }
    expect([seen, marker]).toEqual([buckets, '']);
    expect(await bucketJson<Page>('/buckets?apiVersion=v4&region=z9', {}, site)).toMatchObject({
      buckets: [],
    });
    for (const limit of ['0', '1001', 'x', '-1'])
      await expectRefusal(
        await bucketCall(`/buckets?apiVersion=v4&limit=${limit}`, {}, site),
        400,
        'invalid argument',
      );
  });

  test('keeps to buckets with the tags that are asked for [bucket-10]', async () => {
    const { site, buckets } = await accountWith(['red', 'blue', 'bare']);
    const [red = '', blue = ''] = buckets;
    for (const [bucket, colour] of [
      [red, 'red'],
      [blue, 'blue'],
    ] as const) {
      const body = JSON.stringify({
        Tags: [
          { Key: 'colour', Value: colour },
          { Key: 'all', Value: '' },
        ],
      });
      await bucketDo(`/bucketTagging?bucket=${bucket}`, { method: 'PUT', body }, site);
    }
    const having = (condition: string) =>
      bucketJson(`/buckets?tagCondition=${encodeBase64Text(condition)}`, {}, site);
    expect(await having('key=colour&value=red')).toEqual([red]);
    expect(await having('key=colour')).toEqual([blue, red].toSorted());
    expect(await having('key=colour&value=red;key=all')).toEqual([red]);
    expect(await having('key=none')).toEqual([]);
    await expectRefusal(await bucketCall('/buckets?tagCondition=!', {}, site), 400, 'invalid argument');
  });
});

test(
  'one bucket over the number answers 630, and after a drop there is room again [bucket-02]',
  STARTS_SERVERS,
  async () => {
    const deployment = await createDeployment({
      store: target.store,
      settings: { MILLPOND_MAX_BUCKETS: '2' },
    });
    onTestFinished(() => deployment.destroy());
    const account = await deployment.createAccount();
    const { url } = await deployment.start();
    const make = (name: string) => bucketCall(`/mkbucketv3/${name}/region/z0`, {}, { url, account });
    // Racing for the last place, no two may get it.
    const answers = await Promise.all(['one', 'two', 'three', 'four'].map(make));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 630, 630]);
    for (const answer of answers.filter(({ status }) => status === 630))
      expect(await answer.json()).toMatchObject({ error: 'too many buckets' });
    const [first = ''] = await bucketJson<string[]>('/buckets', {}, { url, account });
    await bucketDo(`/drop/${first}`, {}, { url, account });
    expect((await make('five')).status).toBe(200);
  },
);

test('what is said of a bucket: region, private, mirror source, in Qiniu’s fields [bucket-05]', async () => {
  const bucket = await newBucket();
  const info = () => bucketJson<Record<string, unknown>>(`/v2/bucketInfo?bucket=${bucket}`);
  expect(await info()).toMatchObject({
    region: 'z0',
    zone: 'z0',
    private: 0,
    source: '',
    host: '',
    styles: {},
  });
  await bucketDo('/private', { body: form({ bucket, private: 1 }) });
  expect(await info()).toMatchObject({ private: 1 });
  const fields = [
    'source',
    'host',
    'expires',
    'protected',
    'private',
    'no_index_page',
    'max_age',
    'separator',
    'styles',
    'anti_leech_mode',
    'token_anti_leech',
    'refer_wl',
    'refer_bl',
    'source_enabled',
    'no_refer',
    'mac_key',
    'mac_key2',
    'zone',
    'region',
    'remark',
    'ctime',
  ];
  expect(Object.keys(await info()).toSorted()).toEqual(fields.toSorted());
  const origin = encodeBase64Text('http://origin.example.com;http://other.example.com');
  await bucketDo(`/image/${bucket}/from/${origin}/host/${encodeBase64Text('named.example.com')}`);
  expect(await info()).toMatchObject({
    source: 'http://origin.example.com;http://other.example.com',
    host: 'named.example.com',
  });
  await expectRefusal(await bucketCall('/v2/bucketInfo?bucket=no-such'), 631, 'no such bucket');
  await expectRefusal(await bucketCall('/v2/bucketInfo'), 400, 'invalid argument');
});

test('the regions are this one', async () => {
  const { regions } = (await bucketJson('/regions', { method: 'GET' })) as { regions: object[] };
  const domains = [new URL(target.url).host];
  expect(regions).toEqual([
    expect.objectContaining({
      id: 'z0',
      description: 'z0',
      ttl: 3600,
      up: { domains, acc_domains: domains, old: domains },
    }),
  ]);
  for (const role of ['io', 'rs', 'rsf', 'uc', 'api'])
    expect(regions[0]).toMatchObject({ [role]: { domains } });
  // Clients ask for these before they change a class.
  expect(regions[0]).toMatchObject({
    s3: { region_alias: 'z0' },
    extra: { file_types: [0, 1, 2, 3].map((number) => ({ file_type: number })) },
  });
});

test('private takes effect within 5 s, in the form or in the query, and back [bucket-06]', async () => {
  const bucket = await newBucket();
  await upload({ scope: bucket }, 'content', { key: 'k' });
  const statusOf = async () => (await download(bucket, 'k')).status;
  expect(await statusOf()).toBe(200);
  for (const [isPrivate, status] of [
    [1, 401],
    [0, 200],
  ] as const) {
    await bucketDo('/private', { body: form({ bucket, private: isPrivate }) });
    await expect.poll(statusOf).toBe(status);
  }
  await bucketDo(`/private?bucket=${bucket}&private=1`);
  await expect.poll(statusOf).toBe(401);
  for (const body of [form({ bucket }), form({ bucket, private: 2 }), ''])
    await expectRefusal(await bucketCall('/private', { body }), 400, 'invalid argument');
  await expectRefusal(
    await bucketCall('/private', { body: form({ bucket: 'no-such', private: 1 }) }),
    631,
    'no such bucket',
  );
});

test(
  'no call that the server has can be the name of a bucket [bucket-create-04]',
  STARTS_SERVERS,
  async () => {
    const deployment = await createDeployment({ store: 'disk' });
    onTestFinished(() => deployment.destroy());
    const lines = (await deployment.run('routes', '--json')).trim().split('\n');
    const words = lines
      .map((line) => (JSON.parse(line) as { path: string }).path.split('/')[1] ?? '')
      .filter((word) => word !== '' && !word.startsWith(':') && !word.startsWith('~'));
    expect(words.length).toBeGreaterThan(20);
    for (const word of new Set(words.map((name) => name.toLowerCase()))) {
      const answer = await bucketCall(`/mkbucketv3/${word}/region/z0`);
      expect([word, answer.status]).toEqual([word, 400]);
    }
  },
);

test('a bucket of another region answers 400 [answer-13]', STARTS_SERVERS, async () => {
  const deployment = await createDeployment({ store: target.store });
  onTestFinished(() => deployment.destroy());
  const account = await deployment.createAccount();
  const { url } = await deployment.start();
  await createBucket(url, account, 'elsewhere');
  const other = await deployment.start({ settings: { MILLPOND_REGION: 'z1' } });
  const site = { url: other.url, account };
  await expectRefusal(await bucketCall('/list?bucket=elsewhere', {}, site), 400, 'incorrect region');
  await expectRefusal(await bucketCall('/drop/elsewhere', {}, site), 400, 'incorrect region');
  const token = uploadToken(account, { scope: 'elsewhere' });
  await expectRefusal(await uploadForm(other.url, 'content', { token, key: 'k' }), 400, 'incorrect region');
  await expectRefusal(
    await fetch(`${other.url}/v4/query?ak=${account.accessKey}&bucket=elsewhere`),
    400,
    'incorrect region',
  );
});

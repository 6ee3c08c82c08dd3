/** The query for a region's hosts: what SDKs ask before anything else. */
import { createBucket, createDeployment, type Deployment, freePort } from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/expectations.ts';
import { rawFetch } from '../support/raw.ts';
import { newBucket, target } from '../support/target.ts';

/** Tests that start servers of their own; on a busy machine each takes its time. */
const STARTS_SERVERS = { timeout: 600_000 };

interface Hosts {
  readonly hosts: readonly Record<string, { domains?: string[]; acc_domains?: string[] } | string | number>[];
}

const here = new URL(target.url).host;

async function query(
  version: string,
  bucket: string,
  accessKey = target.account.accessKey,
  url = target.url,
) {
  return fetch(`${url}/${version}/query?ak=${accessKey}&bucket=${bucket}`);
}

describe('a region query', () => {
  test('answers the hosts of the bucket’s region without a credential, with ttl [region-01]', async () => {
    const bucket = await newBucket();
    const answer = await query('v4', bucket);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    const { hosts } = (await answer.json()) as Hosts;
    expect(hosts).toHaveLength(1);
    expect(hosts[0]).toMatchObject({ region: 'z0', ttl: expect.any(Number) });
    for (const role of ['up', 'io', 'rs', 'rsf', 'uc', 'api', 'io_src'])
      expect([role, hosts[0]?.[role]]).toEqual([
        role,
        expect.objectContaining({ domains: [expect.any(String)] }),
      ]);
    expect(hosts[0]?.up).toMatchObject({ domains: [here], acc_domains: [here] });
    expect(Number(hosts[0]?.ttl)).toBeGreaterThan(0);
  });

  test.each(['v4', 'v3', 'v2'])('of %s takes its parameters from a form, too', async (version) => {
    const bucket = await newBucket();
    const body = new URLSearchParams({ ak: target.account.accessKey, bucket });
    const posted = await fetch(`${target.url}/${version}/query`, { method: 'POST', body });
    expect([posted.status, await posted.json()]).toEqual([200, await (await query(version, bucket)).json()]);
  });

  test('in its older shapes answers the same hosts [region-02]', async () => {
    const bucket = await newBucket();
    // Everything of the newest, and the names of the oldest besides.
    const newest = (await (await query('v4', bucket)).json()) as { hosts: [object] };
    const older = (await (await query('v3', bucket)).json()) as { hosts: [object] };
    expect(older).toMatchObject(newest);
    const main = { main: [here] };
    for (const role of ['up', 'io', 'uc', 'rs', 'rsf', 'api'])
      expect(older.hosts[0]).toMatchObject({ [role]: { src: main, acc: main } });
    expect(await (await query('v2', bucket)).json()).toEqual({
      region: 'z0',
      ttl: expect.any(Number),
      io: { src: main },
      // Where a path is a key of the bucket.
      io_src: { src: { main: [expect.stringContaining(`${bucket}.`)] } },
      up: { acc: main, src: main, old_acc: main, old_src: main },
      uc: { acc: main },
      rs: { acc: main },
      rsf: { acc: main },
      api: { acc: main },
    });
  });

  test.each(['v4', 'v3', 'v2'])(
    'for an unknown bucket or key answers 631, by %s [region-03]',
    async (version) => {
      const bucket = await newBucket();
      await expectRefusal(await query(version, 'no-such-bucket'), 631, 'no such bucket');
      await expectRefusal(await query(version, bucket, 'no-such-key'), 631, 'no such bucket');
      await expectRefusal(await query(version, bucket, ''), 631, 'no such bucket');
      // Somebody else's looks like none.
      await expectRefusal(await query(version, bucket, target.stranger.accessKey), 631, 'no such bucket');
      await expectRefusal(await fetch(`${target.url}/${version}/query`), 631, 'no such bucket');
    },
  );

  test.each(['v4', 'v3', 'v2'])(
    'that repeats the Host of whoever asked is kept by no cache, by %s',
    async (version) => {
      const answer = await query(version, await newBucket());
      expect(answer.headers.get('cache-control')).toBe('no-store');
    },
  );

  test('may be asked by a page of any origin [region-01]', async () => {
    const bucket = await newBucket();
    const path = `/v2/query?ak=${target.account.accessKey}&bucket=${bucket}`;
    const answer = await rawFetch({ target: path, headers: [['Origin', 'https://app.example.com']] });
    expect([answer.status, answer.header('access-control-allow-origin')]).toEqual([200, '*']);
  });
});

describe('where hosts are configured', () => {
  let deployment: Deployment;
  let accessKey: string;
  beforeAll(async () => {
    deployment = await createDeployment({ store: 'disk' });
    const account = await deployment.createAccount();
    accessKey = account.accessKey;
    const { url } = await deployment.start();
    await createBucket(url, account, 'hosts');
  });
  afterAll(() => deployment?.destroy());

  const domainsAt = async (settings: Record<string, string>, host?: string) => {
    const server = await deployment.start({ settings });
    const path = `/v4/query?ak=${accessKey}&bucket=hosts`;
    const answer = await rawFetch({ target: path, ...(host === undefined ? {} : { host }) }, server.url);
    expect(answer.status, answer.text()).toBe(200);
    const named = ['up', 'io', 'rs', 'rsf', 'uc', 'api'].every((role) =>
      settings.MILLPOND_HOSTS?.includes(`${role}=`),
    );
    expect(answer.header('cache-control')).toBe(named ? undefined : 'no-store');
    const [region] = (answer.json() as Hosts).hosts;
    const of = (role: string) => (region?.[role] as { domains: string[] } | undefined)?.domains;
    return Object.fromEntries(['up', 'io', 'rs', 'uc', 'api'].map((role) => [role, of(role)]));
  };

  test('they are answered, several of one role too [region-01]', STARTS_SERVERS, async () => {
    const names = 'up=up1.example.test,up=up2.example.test:8443,io=io.example.test,rs=rs.example.test';
    const domains = await domainsAt({ MILLPOND_HOSTS: `${names},uc=uc.example.test` }, 'uc.example.test');
    expect(domains).toEqual({
      up: ['up1.example.test', 'up2.example.test:8443'],
      io: ['io.example.test'],
      rs: ['rs.example.test'],
      uc: ['uc.example.test'],
      api: ['uc.example.test'],
    });
  });

  test('without them, each role is at a listener that carries it [region-01]', STARTS_SERVERS, async () => {
    const [one, two] = [await freePort(), await freePort()];
    const listen = `http://127.0.0.1:${one}/uc+rs+api,http://127.0.0.1:${two}/up+io`;
    expect(await domainsAt({ MILLPOND_LISTEN: listen })).toEqual({
      up: [`127.0.0.1:${two}`],
      io: [`127.0.0.1:${two}`],
      rs: [`127.0.0.1:${one}`],
      uc: [`127.0.0.1:${one}`],
      api: [`127.0.0.1:${one}`],
    });
  });
});

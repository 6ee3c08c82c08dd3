/** Domains of buckets: bound by whoever proves in DNS that the name is theirs, and never one of our own. */
import { encodeBase64Text } from '@millpond/protocol';
import {
  type Account,
  createBucket,
  createDeployment,
  type Deployment,
  type ServerProcess,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/expectations.ts';
import { bucketCall, bucketDo, bucketJson, type Site } from '../support/objects/buckets.ts';
import { rawFetch } from '../support/raw.ts';
import { useDns } from '../support/receivers/dns.ts';
import { newBucket, target } from '../support/target.ts';

/** Tests that start servers of their own; on a busy machine each takes its time. */
const STARTS_SERVERS = { timeout: 600_000 };

const dns = useDns();
let deployment: Deployment;
let server: ServerProcess;
let owner: Site;
let other: Site;

beforeAll(async () => {
  deployment = await createDeployment({
    store: target.store,
    settings: {
      MILLPOND_HOSTS: 'io=io.own.test,uc=uc.own.test:8443',
      MILLPOND_DOWNLOAD_SUFFIX: 'dl.own.test',
      MILLPOND_DNS_SERVERS: dns.server,
      MILLPOND_CONTROL_CACHE: '1s',
    },
  });
  server = await deployment.start();
  const siteOf = async (bucket: string): Promise<Site> => {
    const account: Account = await deployment.createAccount();
    await createBucket(server.url, account, bucket);
    const token = uploadToken(account, { scope: bucket });
    expect((await uploadForm(server.url, `of ${bucket}`, { token, key: 'k' })).status).toBe(200);
    return { url: server.url, account };
  };
  owner = await siteOf('mine');
  other = await siteOf('theirs');
});
afterAll(() => deployment?.destroy());

const bind = (domain: string, bucket: string, site: Site) =>
  bucketCall(`/publish/${encodeBase64Text(domain)}/from/${bucket}`, {}, site);
const unbind = (domain: string, site: Site) => bucketCall(`/unpublish/${encodeBase64Text(domain)}`, {}, site);
const domainsOf = (bucket: string, site: Site) =>
  bucketJson<string[]>(`/v2/domains?tbl=${bucket}`, { method: 'GET' }, site);

async function bodyAt(domain: string): Promise<string> {
  const answer = await rawFetch({ target: '/k', host: domain }, server.url);
  return `${answer.status} ${answer.text()}`;
}

/** Publishes the record that a refused binding asks for. */
async function prove(domain: string, bucket: string, site: Site): Promise<void> {
  const refused = await bind(domain, bucket, site);
  const { hint } = (await refused.clone().json()) as { hint: string };
  await expectRefusal(refused, 403, 'the domain is not proven to be yours');
  const [, name = '', text = ''] = /TXT record (\S+) with the text (\S+)/.exec(hint) ?? [];
  expect(name).toBe(`_millpond.${domain}`);
  dns.texts.set(name, [...(dns.texts.get(name) ?? ['v=spf1 -all']), text]);
}

describe('a domain', () => {
  test('proven in DNS is bound: downloads answer there, and the lists name it [bucket-07 bucket-15]', async () => {
    const domain = 'files.example.com';
    await prove(domain, 'mine', owner);
    expect(await domainsOf('mine', owner)).toEqual([]);
    expect((await bind(domain.toUpperCase(), 'mine', owner)).status).toBe(200);
    await expect.poll(() => bodyAt(domain)).toBe('200 of mine');
    expect(await domainsOf('mine', owner)).toEqual([domain]);
    expect(await bucketJson('/v3/domains?tbl=mine', {}, owner)).toEqual([
      {
        domain,
        tbl: 'mine',
        uid: expect.any(Number),
        refresh: false,
        ctime: expect.any(Number),
        utime: expect.any(Number),
      },
    ]);
    // Once more is no mistake.
    expect((await bind(domain, 'mine', owner)).status).toBe(200);
    await expectRefusal(await unbind(domain, other), 612, 'no such domain');
    await bucketDo(`/unpublish/${encodeBase64Text(domain)}`, {}, owner);
    await expect.poll(() => bodyAt(domain)).toMatch(/^404/);
    expect(await domainsOf('mine', owner)).toEqual([]);
    await expectRefusal(await unbind(domain, owner), 612, 'no such domain');
  });

  test('bound to a bucket shows pages as pages, which our own hosts make attachments [download-09 headers-06]', async () => {
    const domain = 'pages.example.com';
    await prove(domain, 'mine', owner);
    expect((await bind(domain, 'mine', owner)).status).toBe(200);
    const token = uploadToken(owner.account, { scope: 'mine' });
    const page = { token, key: 'page.html', mimeType: 'text/html' };
    expect((await uploadForm(server.url, '<p>hello</p>', page)).status).toBe(200);
    const dispositionAt = async (host: string, path: string) => {
      const answer = await rawFetch({ target: path, host }, server.url);
      return `${answer.status} ${answer.header('content-disposition') ?? 'shown'}`;
    };
    await expect.poll(() => dispositionAt(domain, '/page.html')).toBe('200 shown');
    expect(await dispositionAt('io.own.test', '/mine/page.html')).toMatch(/^200 attachment/);
    // What the owner says about it counts there, and only there.
    const fields = { 'x-svc-meta-!Content-Disposition': 'inline; filename="a.html"' };
    expect(
      (await uploadForm(server.url, '<p>named</p>', { ...page, key: 'named.html', fields })).status,
    ).toBe(200);
    expect(await dispositionAt(domain, '/named.html')).toBe('200 inline; filename="a.html"');
    expect(await dispositionAt('io.own.test', '/mine/named.html')).toBe('200 attachment; filename="a.html"');
  });

  test("is not bound by another account's proof, nor by a proof for another name [bucket-15]", async () => {
    await prove('one.example.com', 'mine', owner);
    await expectRefusal(
      await bind('one.example.com', 'theirs', other),
      403,
      'the domain is not proven to be yours',
    );
    dns.texts.set('_millpond.two.example.com', dns.texts.get('_millpond.one.example.com') ?? []);
    await expectRefusal(
      await bind('two.example.com', 'mine', owner),
      403,
      'the domain is not proven to be yours',
    );
    expect(await domainsOf('theirs', other)).toEqual([]);
  });

  test('goes to whoever proves it now, and only so [bucket-15]', async () => {
    const domain = 'sold.example.com';
    await prove(domain, 'mine', owner);
    expect((await bind(domain, 'mine', owner)).status).toBe(200);
    await expectRefusal(await bind(domain, 'theirs', other), 403, 'the domain is not proven to be yours');
    dns.texts.delete(`_millpond.${domain}`);
    await prove(domain, 'theirs', other);
    expect((await bind(domain, 'theirs', other)).status).toBe(200);
    await expect.poll(() => bodyAt(domain)).toBe('200 of theirs');
    expect(await domainsOf('mine', owner)).not.toContain(domain);
  });

  test('moves between buckets of one account without a new proof [bucket-15]', async () => {
    const domain = 'moves.example.com';
    await createBucket(server.url, owner.account, 'mine-too');
    await prove(domain, 'mine', owner);
    expect((await bind(domain, 'mine', owner)).status).toBe(200);
    dns.texts.delete(`_millpond.${domain}`);
    expect((await bind(domain, 'mine-too', owner)).status).toBe(200);
    expect(await domainsOf('mine-too', owner)).toEqual([domain]);
    // It goes with its bucket.
    await bucketDo('/drop/mine-too', {}, owner);
    await expectRefusal(await unbind(domain, owner), 612, 'no such domain');
  });

  test.each([
    'io.own.test',
    'IO.own.test',
    'uc.own.test',
    'sub.io.own.test',
    'own.test',
    'dl.own.test',
    'theirs.dl.own.test',
    'a.b.dl.own.test',
  ])('of our own, %s, is never bound [bucket-15]', async (domain) => {
    await expectRefusal(await bind(domain, 'mine', owner), 403, 'not allowed');
    const operator = deployment.run('domain', 'bind', domain, 'mine');
    await expect(operator).rejects.toThrow('not allowed');
  });

  test.each([
    '',
    'localhost',
    'com',
    '127.0.0.1',
    '[::1]',
    '1.2.3',
    'a.0x7f',
    'a..example.com',
    '.example.com',
    'example.com.',
    'files.example.com:80',
    'files_x.example.com',
    '-a.example.com',
    'a-.example.com',
    'files.example.com/k',
    'ü.example.com',
    `${'a'.repeat(64)}.example.com`,
    `${'a.'.repeat(130)}com`,
    'host.local',
    'a.localhost',
    '1.168.192.in-addr.arpa',
    'x.onion',
    'a b.example.com',
    'a\r\nb.example.com',
  ])('named %j is none [bucket-15]', async (domain) => {
    await expectRefusal(await bind(domain, 'mine', owner), 400, 'invalid argument');
  });

  test('is bound to a bucket of the caller only [bucket-15]', async () => {
    await expectRefusal(await bind('x.example.com', 'theirs', owner), 631, 'no such bucket');
    await expectRefusal(await bind('x.example.com', 'no-such', owner), 631, 'no such bucket');
    const path = `/publish/${encodeBase64Text('x.example.com')}/to/mine`;
    await expectRefusal(await bucketCall(path, {}, owner), 400, 'invalid argument');
  });

  test(
    'is bound by an operator without proof, whoever had it, and freed [bucket-15]',
    STARTS_SERVERS,
    async () => {
      const domain = 'operator.example.com';
      await deployment.run('domain', 'bind', domain, 'theirs');
      await deployment.run('domain', 'bind', domain, 'mine');
      expect(await domainsOf('mine', owner)).toContain(domain);
      await deployment.run('domain', 'unbind', domain);
      expect(await domainsOf('mine', owner)).not.toContain(domain);
    },
  );
});

test('where no proof is asked for, whoever comes first has a name [bucket-15]', STARTS_SERVERS, async () => {
  const open = await deployment.start({ settings: { MILLPOND_DOMAIN_PROOF: 'none' } });
  const [first, second] = [
    { ...owner, url: open.url },
    { ...other, url: open.url },
  ];
  expect((await bind('first.example.com', 'mine', first)).status).toBe(200);
  await expectRefusal(await bind('first.example.com', 'theirs', second), 614, 'the domain is bound already');
  await expectRefusal(await bind('uc.own.test', 'mine', first), 403, 'not allowed');
});

test('a bucket without domains has an empty list [bucket-07]', async () => {
  const bucket = await newBucket();
  expect(await bucketJson(`/v2/domains?tbl=${bucket}`)).toEqual([]);
  await expectRefusal(await bucketCall('/v2/domains?tbl=no-such'), 631, 'no such bucket');
});

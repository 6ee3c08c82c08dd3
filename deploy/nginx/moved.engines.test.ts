// @module-tag nginx
/** A bucket's traffic moves to another region by the steps of docs/regions.md, while its domain is asked for an object all the time. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { signDownloadUrl } from '@millpond/protocol';
import { nodeHashing } from '@millpond/server';
import {
  type Account,
  createDeployment,
  type Deployment,
  finishCommand,
  type ServerProcess,
  signedFetch,
  stat,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type RunningNginx, startNginx } from './start.ts';
import { ask } from './testing.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const DOMAIN = 'files.example.com';
const hostsOf = (region: string) =>
  ['up', 'io', 'rs', 'rsf', 'uc', 'api'].map((role) => `${role}=${role}.${region}.test`).join(',');
/** Longer than gateways remember where a domain is bound. */
const WATCHED_MS = 8_000;

let west: Deployment;
let east: Deployment;
let here: ServerProcess;
let there: ServerProcess;
let account: Account;
let nginx: RunningNginx;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mp-moved-'));
  west = await createDeployment({
    store: 'disk',
    log: 'ignore',
    settings: { MILLPOND_HOSTS: hostsOf('z0') },
  });
  const { MILLPOND_CONTROL_DB = '' } = west.environment;
  east = await createDeployment({
    store: 'disk',
    log: 'ignore',
    settings: { MILLPOND_CONTROL_DB, MILLPOND_REGION: 'z1', MILLPOND_HOSTS: hostsOf('z1') },
  });
  account = await west.createAccount(undefined, 'photos');
  [here, there] = await Promise.all([west.start(), east.start()]);
  const page = await readFile(path.join(import.meta.dirname, '../../docs/regions.md'), 'utf8');
  const [inside = '', location = ''] = [...page.matchAll(/^ *```nginx\n([^`]*)```/gm)].map(
    ([, text]) => text,
  );
  nginx = await startNginx({
    gatewayUrl: here.url,
    engineUrl: 'http://127.0.0.1:9',
    edit: (site) =>
      site
        .replace('server_name _;', `server_name ${DOMAIN};\n${location.replace(/https:[^;]+/, there.url)}`)
        .replace('location / {', `location / {\n${inside}`),
  });
});
afterAll(async () => {
  await nginx?.stop();
  await Promise.all([west?.destroy(), east?.destroy()]);
  await rm(folder, { recursive: true, force: true });
});

const put = (bucket: string, key: string, content: string, policy = {}) =>
  uploadForm(here.url, content, {
    token: uploadToken(account, { scope: `${bucket}:${key}`, ...policy }),
    key,
  });
const entry = (key: string) => Buffer.from(`photos:${key}`).toString('base64url');
const change = async (call: string) => expect((await signedFetch(here.url, account, call)).status).toBe(200);
const statThere = async (key: string) =>
  (await (await stat(there.url, account, 'photos-east', key)).json()) as Record<string, unknown>;

async function millpond(args: readonly string[]): Promise<void> {
  const environment = {
    HOME: folder,
    MILLPOND_ACCESS_KEY: account.accessKey,
    MILLPOND_SECRET_KEY: account.secretKey,
  };
  const { code, stderr } = await finishCommand(environment, args);
  expect({ args, code, stderr }).toMatchObject({ code: 0 });
}

test('nothing is lost, and no request for the domain fails', async () => {
  await millpond(['alias', 'set', 'west', here.url]);
  await millpond(['alias', 'set', 'east', there.url]);
  await west.run('domain', 'bind', DOMAIN, 'photos');
  for (const key of ['kept', 'replaced', 'deleted', 'disabled']) await put('photos', key, `${key} 1`);
  await put('photos', 'rare', 'rare', { fileType: 1 });
  await put('photos', 'short', 'short', { deleteAfterDays: 3 });
  await change('/mkbucketv3/photos-east/region/z1');
  await millpond(['sync', 'west:photos', 'east:photos-east']);

  await put('photos', 'replaced', 'replaced 2');
  await change(`/delete/${entry('deleted')}`);
  await change(`/chstatus/${entry('disabled')}/status/1`);
  await millpond(['sync', '--delete', 'west:photos', 'east:photos-east']);
  expect((await stat(there.url, account, 'photos-east', 'deleted')).status).toBe(612);
  expect(await statThere('disabled')).toMatchObject({ status: 1 });
  expect(await statThere('rare')).toMatchObject({ type: 1 });
  expect(await statThere('kept')).toMatchObject({ type: 0 });
  const { expiration } = (await statThere('short')) as { expiration: number };
  const daysLeft = (expiration - Date.now() / 1000) / 86_400;
  expect(daysLeft).toBeGreaterThan(2.9);
  expect(daysLeft).toBeLessThanOrEqual(5);

  // Only the new bucket has it: the answer says where it came from.
  const only = { token: uploadToken(account, { scope: 'photos-east:new' }), key: 'new' };
  expect((await uploadForm(there.url, 'new', only)).status).toBe(200);
  const at = (key: string) => ask(nginx.url, `/${key}`, { headers: { Host: DOMAIN } });
  expect((await at('new')).status).toBe(404);
  const kept = async () => {
    const { status, body } = await at('kept');
    return `${status} ${body.toString()}`;
  };
  expect(await kept()).toBe('200 kept 1');
  await east.run('domain', 'bind', DOMAIN, 'photos-east');
  const told = new Set<string>();
  for (const end = Date.now() + WATCHED_MS; Date.now() < end; ) told.add(await kept());
  expect([...told]).toEqual(['200 kept 1']);
  await expect.poll(async () => (await at('new')).status, { timeout: 60_000 }).toBe(200);
  expect((await at('replaced')).body.toString()).toBe('replaced 2');
  expect((await at('disabled')).status).toBe(403);

  // A URL that was signed for the host name is valid at both ends.
  await change('/private?bucket=photos-east&private=1');
  await expect.poll(async () => (await at('kept')).status, { timeout: 60_000 }).toBe(401);
  const keys = { accessKey: account.accessKey, secretKey: account.secretKey };
  const deadline = Math.floor(Date.now() / 1000) + 600;
  const signed = new URL(signDownloadUrl(nodeHashing, keys, `http://${DOMAIN}/kept`, deadline));
  const answer = await at(`kept${signed.search}`);
  expect([answer.status, answer.body.toString()]).toEqual([200, 'kept 1']);
});

/** Small objects: committed with their bytes, packed later, and at no time different from others to their users. */
import { formatEntry } from '@millpond/protocol';
import {
  type Account,
  createDeployment,
  type Deployment,
  parseExposition,
  type ServerProcess,
  signedFetch,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EngineProxy, openProxy, throughProxy } from '../support/receivers/proxy.ts';
import { takeStoreAway } from '../support/receivers/store-outage.ts';
import { target } from '../support/target.ts';

const BUCKET = 'small-objects';
const THRESHOLD = 16 * 1024;
let deployment: Deployment;
let account: Account;
let engine: EngineProxy | undefined;
let through: Record<string, string> = {};
let gateway: ServerProcess;

beforeAll(async () => {
  deployment = await createDeployment({
    store: target.store,
    log: 'ignore',
    settings: {
      MILLPOND_SMALL_OBJECTS: '16KiB',
      MILLPOND_PACK_AFTER: '1s',
      MILLPOND_TRASH_GRACE: '1s',
      MILLPOND_COLLECT_EVERY: '1s',
    },
  });
  account = await deployment.createAccount(undefined, BUCKET);
  const { MILLPOND_S3_ENDPOINT: endpoint = '' } = deployment.environment;
  if (target.store === 's3') {
    engine = await openProxy(endpoint);
    through = { MILLPOND_S3_ENDPOINT: throughProxy(endpoint, engine).replace(/\/$/, '') };
  }
  gateway = await startGateway();
});
afterAll(async () => {
  await deployment?.destroy();
  await engine?.close();
});

const startGateway = (settings: Record<string, string> = {}) =>
  deployment.start({ args: ['serve', '--no-work'], settings: { ...through, ...settings } });
const contentOf = (key: string, size = 1000) => key.repeat(Math.ceil(size / key.length)).slice(0, size);
const put = (key: string, content: string, { url } = gateway) =>
  uploadForm(url, content, { token: uploadToken(account, { scope: `${BUCKET}:${key}` }), key });
const get = (key: string, { url } = gateway, headers: Record<string, string> = {}) =>
  fetch(`${url}/${BUCKET}/${key}`, { headers });
const call = (path: string) => signedFetch(gateway.url, account, path);

async function expectContent(key: string, content: string, from = gateway): Promise<void> {
  const answer = await get(key, from);
  expect([answer.status, await answer.text()]).toEqual([200, content]);
}

/** Packs all that waits. */
const packed = () => deployment.run('sweep', '--json');

async function figure({ adminUrl }: ServerProcess, name: string, label?: string): Promise<number> {
  const metrics = parseExposition(await (await fetch(`${adminUrl}/metrics`)).text());
  const samples = metrics.get(name)?.samples ?? [];
  return samples.find(({ labels }) => label === undefined || labels.place === label)?.value ?? -1;
}

/** As a process says that has just started: one that runs counts them once a minute. */
async function trashRows(): Promise<number> {
  const fresh = await startGateway();
  const rows = await figure(fresh, 'millpond_trash_rows');
  await fresh.kill('SIGTERM');
  return rows;
}

test('a small object needs no store: with it away, uploads and downloads go on [small-01]', async () => {
  await put('large', contentOf('large', THRESHOLD + 1));
  // A gateway that sees nothing of what follows.
  const other = await startGateway();
  const away = await takeStoreAway(deployment, engine);
  try {
    expect((await put('alone', contentOf('alone', THRESHOLD))).status).toBe(200);
    expect((await put('too-large', contentOf('too-large', THRESHOLD + 1))).status).toBe(599);
    await expectContent('alone', contentOf('alone', THRESHOLD));
    await expectContent('alone', contentOf('alone', THRESHOLD), other);
    expect(await figure(other, 'millpond_small_reads_total', 'inbox')).toBe(1);
    await other.kill('SIGTERM');
  } finally {
    await away.restore();
  }
  await expectContent('large', contentOf('large', THRESHOLD + 1));
});

test('after it was packed, it is read from the pack: whole, in part, and as it was [small-02]', async () => {
  const sizes = { empty: 0, one: 1, page: 4096, most: THRESHOLD };
  for (const [key, size] of Object.entries(sizes))
    expect((await put(key, contentOf(key, size))).status).toBe(200);
  await packed();
  const fresh = await startGateway();
  for (const [key, size] of Object.entries(sizes)) await expectContent(key, contentOf(key, size), fresh);
  expect(await figure(fresh, 'millpond_small_reads_total', 'pack')).toBe(3);
  const part = await get('page', fresh, { range: 'bytes=4090-' });
  expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([
    206,
    contentOf('page', 4096).slice(4090),
    'bytes 4090-4095/4096',
  ]);
  // From its memory now.
  expect(await figure(fresh, 'millpond_small_reads_total', 'cache')).toBe(1);
  await fresh.kill('SIGTERM');
});

test('copies, moves and deletions are those of any object, in the inbox and in a pack [small-03]', async () => {
  const content = contentOf('source');
  const entry = (key: string) => formatEntry(BUCKET, key);
  const act = async () => {
    expect((await call(`/copy/${entry('source')}/${entry('copy')}/force/true`)).status).toBe(200);
    expect((await call(`/copy/${entry('source')}/${entry('second')}/force/true`)).status).toBe(200);
    expect((await call(`/move/${entry('second')}/${entry('moved')}/force/true`)).status).toBe(200);
    expect((await call(`/delete/${entry('source')}`)).status).toBe(200);
    for (const key of ['copy', 'moved']) await expectContent(key, content);
    expect([(await get('source')).status, (await get('second')).status]).toEqual([404, 404]);
  };
  await put('source', content);
  await act();
  await put('source', content);
  await packed();
  await act();
  // Long after the grace period, with collector, packer and compaction at work.
  const worker = await deployment.start({ args: ['work'], settings: through });
  await expect.poll(trashRows, { interval: 2000 }).toBe(0);
  for (const key of ['copy', 'moved']) await expectContent(key, content);
  await worker.kill('SIGTERM');
});

test('it can be turned off, on and changed at any time: what was written before is read as before [small-04]', async () => {
  const servers = { off: '0B', little: '100B', on: '16KiB' };
  for (const [name, MILLPOND_SMALL_OBJECTS] of Object.entries(servers)) {
    const server = await startGateway({ MILLPOND_SMALL_OBJECTS });
    expect((await put(`by-${name}`, contentOf(name, 1000), server)).status).toBe(200);
    await server.kill('SIGTERM');
  }
  await packed();
  for (const MILLPOND_SMALL_OBJECTS of Object.values(servers)) {
    const server = await startGateway({ MILLPOND_SMALL_OBJECTS });
    for (const name of Object.keys(servers)) await expectContent(`by-${name}`, contentOf(name, 1000), server);
    await server.kill('SIGTERM');
  }
});

test('a full inbox takes no more: bytes go to the store then [small-05]', async () => {
  const server = await startGateway({ MILLPOND_SMALL_INBOX: '1B' });
  expect((await put('past-the-inbox', contentOf('past'), server)).status).toBe(200);
  const away = await takeStoreAway(deployment, engine);
  const answer = await put('past-the-inbox-2', contentOf('past'), server);
  await away.restore();
  expect(answer.status).toBe(599);
  await expectContent('past-the-inbox', contentOf('past'), server);
  await server.kill('SIGTERM');
});

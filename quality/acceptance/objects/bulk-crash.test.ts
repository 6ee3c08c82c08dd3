/** Workers that die in the middle of work on many objects: nothing is lost, done twice or counted twice. */
import { nodeTransport } from '@millpond/client';
import { Client } from '@millpond/client/server';
import {
  type Account,
  createDeployment,
  type Deployment,
  openRegionDatabase,
  type RegionDatabase,
  type ServerProcess,
} from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entriesOfZip } from '../support/objects/zip.ts';
import { collected } from '../support/running/sdk.ts';
import { target } from '../support/target.ts';

const BUCKET = 'crashing';
const COUNT = 1600;
const MIB = 1024 * 1024;
const SOON = { timeout: 300_000, interval: 5 };

let deployment: Deployment;
let gateway: ServerProcess;
let region: RegionDatabase;
let client: Client;

beforeAll(async () => {
  deployment = await createDeployment({ store: target.store, log: 'ignore' });
  const account: Account = await deployment.createAccount(undefined, BUCKET);
  gateway = await deployment.start({ args: ['serve', '--no-work'] });
  region = await openRegionDatabase(deployment.environment.MILLPOND_REGION_DB ?? '');
  client = new Client({ url: gateway.url, credentials: account, transport: nodeTransport() });
});
afterAll(async () => {
  await region?.close();
  await deployment?.destroy();
});

const startWorker = () => deployment.start({ args: ['work'] });
const keysUnder = async (prefix: string) =>
  (await collected(client.objects.list(BUCKET, { prefix }))).map(({ item }) => item.key);

test('a worker that is killed in the middle of moves leaves none half done; the counts are exact [bulk-06]', async () => {
  await client.upload(BUCKET, 'source', 'content');
  const names = Array.from({ length: COUNT }, (_, index) => String(10_000 + index));
  await region.addCopies(
    'source',
    names.map((name) => `from/${name}`),
  );
  const to = { bucket: BUCKET, prefix: 'to/' };
  const { id } = await client.bulk.submit({ kind: 'move', bucket: BUCKET, prefix: 'from/', to });
  const worker = await startWorker();
  await expect.poll(async () => (await client.bulk.get(id)).done, SOON).toBeGreaterThan(0);
  await worker.kill('SIGKILL');
  const half = await client.bulk.get(id);
  expect([half.state, half.done]).toEqual(['running', (await keysUnder('to/')).length]);
  expect(half.done).toBeLessThan(COUNT);
  const second = await startWorker();
  expect(await client.bulk.wait(id)).toMatchObject({
    state: 'done',
    done: COUNT,
    failed: 0,
    bytes: 7 * COUNT,
    of: COUNT,
    problems: [],
  });
  expect(await keysUnder('from/')).toEqual([]);
  expect(await keysUnder('to/')).toEqual(names.map((name) => `to/${name}`));
  await second.kill('SIGTERM');
});

test('an archive is begun anew, and is whole [bulk-06]', async () => {
  const content = 'what the pond holds '.repeat(MIB / 20);
  await client.upload(BUCKET, 'piece', content);
  const names = Array.from({ length: 150 }, (_, index) => String(1000 + index));
  await region.addCopies(
    'piece',
    names.map((name) => `pieces/${name}`),
  );
  const zip = { bucket: BUCKET, key: 'all.zip' };
  const { id } = await client.bulk.submit({ kind: 'zip', bucket: BUCKET, prefix: 'pieces/', zip });
  const worker = await startWorker();
  await expect.poll(async () => (await client.bulk.get(id)).done, SOON).toBeGreaterThan(0);
  await worker.kill('SIGKILL');
  expect(await keysUnder('all.zip')).toEqual([]);
  const second = await startWorker();
  expect(await client.bulk.wait(id)).toMatchObject({ state: 'done', done: 150, failed: 0, of: 150 });
  const archive = await (await client.download(BUCKET, 'all.zip')).bytes();
  const entries = entriesOfZip(Buffer.from(archive));
  expect(Object.keys(entries)).toEqual(names);
  expect(Object.values(entries).every((each) => each === content)).toBe(true);
  await second.kill('SIGTERM');
});

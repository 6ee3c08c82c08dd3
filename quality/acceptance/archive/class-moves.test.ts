/** Bytes follow the class of their object into the engine's other tier, whatever is killed on the way. */
import { type Account, createDeployment, type Deployment, type ServerProcess } from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type ArchiveObject,
  archived,
  chtype,
  get,
  RESTORE_SECONDS,
  restoreAr,
  useArchiveRows,
} from '../support/objects/archive.ts';
import { type Tier, tiersOf } from '../support/objects/blobs.ts';
import { expectEmpty } from '../support/objects/change-metadata.ts';
import { beginUpload, putParts } from '../support/objects/multipart.ts';
import { randomContent } from '../support/objects/objects.ts';
import { target } from '../support/target.ts';

const BUCKET = 'moves';
const MIB = 1024 * 1024;

let deployment: Deployment;
let account: Account;
/** Answers, and does no background work. */
let gateway: ServerProcess;

beforeAll(async () => {
  deployment = await createDeployment({ store: target.store, log: 'ignore' });
  account = await deployment.createAccount(undefined, BUCKET);
  gateway = await deployment.start({ args: ['serve', '--no-work'] });
});
afterAll(() => deployment?.destroy());
const rows = useArchiveRows(() => deployment.environment.MILLPOND_REGION_DB ?? '');

const signer = () => ({ url: gateway.url, keys: account });
const site = () => ({ url: gateway.url, account });
const startWorker = () => deployment.start({ args: ['work'] });
const put = (storageClass: number, content = 'hello') =>
  archived(storageClass, content, { bucket: BUCKET, site: site() });
const change = async (object: ArchiveObject, storageClass: number) =>
  expectEmpty(await chtype(object, storageClass, signer()));

async function tierOf({ key }: ArchiveObject): Promise<Tier | undefined> {
  return (await tiersOf(deployment)).get(await rows.blobOf(key));
}

async function thaw(object: ArchiveObject): Promise<void> {
  expectEmpty(await restoreAr(object, 7, signer()));
  await rows.passTime(object.key, RESTORE_SECONDS[3]);
}

const allMoved = () => expect.poll(() => rows.misplaced(), { interval: 100 }).toBe(0);

test('uploads are written to the tier of their class [class-02]', async () => {
  for (const [storageClass, tier] of [
    [0, 'STANDARD'],
    [1, 'STANDARD'],
    [2, 'COLD'],
    [3, 'COLD'],
  ] as const)
    expect(await tierOf(await put(storageClass, 'x'.repeat(20_000))), `class ${storageClass}`).toBe(tier);
});

test('chtype counts at once; the bytes follow when a worker comes, and can be read all the while [class-03]', async () => {
  const content = 'x'.repeat(300_000);
  const object = await put(0, content);
  await change(object, 2);
  await thaw(object);
  expect([await tierOf(object), await rows.misplaced()]).toEqual(['STANDARD', 1]);
  expect((await get(object, gateway.url)).text()).toBe(content);
  const worker = await startWorker();
  await allMoved();
  expect(await tierOf(object)).toBe('COLD');
  expect((await get(object, gateway.url)).text()).toBe(content);
  await change(object, 1);
  await allMoved();
  expect(await tierOf(object)).toBe('STANDARD');
  expect((await get(object, gateway.url)).text()).toBe(content);
  await worker.kill('SIGTERM');
});

test('an upload whose class is told at its end lies where it belongs in the end [class-02]', async () => {
  const key = 'decided-late';
  const begun = await beginUpload(BUCKET, { key, site: site() });
  const parts = await putParts(begun, ['one part']);
  const ended = begun.by({ policy: { fileType: 3 } });
  expect((await ended.complete(parts)).status).toBe(200);
  const worker = await startWorker();
  await allMoved();
  expect(await tierOf({ bucket: BUCKET, key, storageClass: 3 })).toBe('COLD');
  await worker.kill('SIGTERM');
});

test('workers and connections killed while bytes are moved: class, tier and bytes agree in the end [class-07 G25]', {
  timeout: 300_000,
}, async () => {
  const contents = Array.from({ length: 30 }, (_, index) =>
    Buffer.from(randomContent(index % 10 === 0 ? 9 * MIB : 20_000)).toString('latin1'),
  );
  const objects = await Promise.all(contents.map((content) => put(0, content)));
  for (const object of objects) await change(object, 2);
  let worker = await startWorker();
  for (let kill = 0; kill < 4; kill++) {
    const before = await rows.misplaced();
    // Some were moved since: it dies in the middle of its work.
    await expect.poll(() => rows.misplaced(), { interval: 5 }).toBeLessThan(Math.max(before, 1));
    if (kill % 2 === 0) {
      await worker.kill('SIGKILL');
      worker = await startWorker();
    } else {
      await rows.breakConnections();
    }
  }
  await allMoved();
  await worker.kill('SIGTERM');
  const tiers = await tiersOf(deployment);
  for (const [index, object] of objects.entries()) {
    expect(tiers.get(await rows.blobOf(object.key)), object.key).toBe('COLD');
    await thaw(object);
    const answer = await get(object, gateway.url);
    expect(answer.status).toBe(200);
    const sent = Buffer.from(contents[index] ?? '');
    expect(answer.body.equals(sent), `bytes of ${object.key}`).toBe(true);
  }
});

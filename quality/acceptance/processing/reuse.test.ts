/** What is made once is not made again; and when a task is given up. The figures are those of the worker's metrics. */
import { unlink } from 'node:fs/promises';
import {
  type Account,
  createBucket,
  openRegionDatabase,
  type ServerProcess,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blobsOf } from '../support/objects/blobs.ts';
import { clip, ended, image, saveas, submitted } from '../support/objects/processing.ts';
import { useSecureDeployment } from '../support/running/secure-deployment.ts';

const BUCKET = 'reused';
/** The gateway leaves tasks to workers, which the tests start. */
// One of the tests takes a file from the store.
const own = useSecureDeployment({ MILLPOND_MEDIA_SLOTS: '0', MILLPOND_SMALL_OBJECTS: '0B' });
let account: Account;
let worker: ServerProcess | undefined;

beforeAll(async () => {
  account = await own.deployment.createAccount();
  await createBucket(own.server.url, account, BUCKET);
  // From here on tasks are accepted: some worker was there a moment ago.
  const gone = await own.deployment.start({ args: ['work'], settings: { MILLPOND_MEDIA_SLOTS: '1' } });
  await gone.kill('SIGTERM');
});
afterAll(() => worker?.kill('SIGTERM'));

async function startWorker(): Promise<ServerProcess> {
  worker ??= await own.deployment.start({ args: ['work'], settings: { MILLPOND_MEDIA_SLOTS: '2' } });
  return worker;
}

async function put(key: string, content: Uint8Array<ArrayBuffer>): Promise<void> {
  const token = uploadToken(account, { scope: `${BUCKET}:${key}` });
  expect((await uploadForm(own.server.url, content, { token, key })).status).toBe(200);
}

const submit = (key: string, fops: string, more: Readonly<Record<string, string>> = {}) =>
  submitted({ bucket: BUCKET, key, fops, ...more }, { keys: account, at: own.at });
const bytesOf = async (key: string) =>
  Buffer.from(await (await fetch(`${own.server.url}/${BUCKET}/${key}`)).arrayBuffer());

/** Commands that were run, and results that were taken from earlier ones. */
async function counts(): Promise<[made: number, reused: number]> {
  const text = await (await fetch(`${(await startWorker()).adminUrl}/metrics`)).text();
  const value = (name: string) =>
    Number(new RegExp(`^millpond_task_items_${name}(?:\\{[^}]*\\})? (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  return [value('made_total'), value('reused_total')];
}

test('identical commands that wait at the same time are run once [task-rule-13]', async () => {
  await put('clip', await clip({ seconds: 4 }));
  const targets = ['one.mp4', 'two.mp4', 'three.mp4'];
  const ids = [];
  for (const name of targets) ids.push(await submit('clip', `avthumb/mp4/s/160x90|${saveas(BUCKET, name)}`));
  await startWorker();
  const items = [];
  for (const id of ids) items.push((await ended(id, own.at)).items[0]);
  const [first] = items;
  expect(items.map((item) => [item?.code, item?.key, item?.hash, item?.returnOld])).toEqual(
    targets.map((name) => [0, name, first?.hash, 0]),
  );
  expect(await counts()).toEqual([1, 2]);
  const [one, two] = await Promise.all(['one.mp4', 'two.mp4'].map(bytesOf));
  expect(one?.length).toBeGreaterThan(1000);
  expect(two?.equals(one ?? Buffer.alloc(0))).toBe(true);
});

test('the same command on the same content gives the earlier result, unless it is forced or has been changed [task-rule-12]', async () => {
  const content = await image();
  for (const key of ['a', 'b']) await put(key, content);
  const run = async (key: string, command: string, name: string, more = {}) => {
    const before = await counts();
    const task = await ended(await submit(key, `${command}|${saveas(BUCKET, name)}`, more), own.at);
    const after = await counts();
    expect(task.items[0]).toMatchObject({ code: 0, key: name, returnOld: 0 });
    return { hash: task.items[0]?.hash, did: after.map((count, index) => count - (before[index] ?? 0)) };
  };
  const [MADE, REUSED] = [
    [1, 0],
    [0, 1],
  ];
  const first = await run('a', 'imageView2/2/w/90/h/80', 'first');
  expect(first.did).toEqual(MADE);
  // Another source of the same content, the parameters in another order, another name.
  expect(await run('b', 'imageView2/2/h/80/w/90', 'second')).toEqual({ hash: first.hash, did: REUSED });
  expect((await bytesOf('second')).equals(await bytesOf('first'))).toBe(true);
  expect((await run('a', 'imageView2/2/w/90/h/80', 'forced', { force: '1' })).did).toEqual(MADE);
  expect((await run('a', 'imageView2/2/w/91/h/80', 'other')).did).toEqual(MADE);
  await put('forced', Buffer.from('something else'));
  expect(await run('a', 'imageView2/2/w/90/h/80', 'again')).toEqual({ hash: first.hash, did: MADE });
});

test('a task whose bytes are gone fails at its first try; one tried 1,500 times is given up [task-rule-14]', async () => {
  await startWorker();
  const before = new Set((await blobsOf(own.deployment)).whole);
  await put('gone', await image('64x64'));
  const [blob = ''] = (await blobsOf(own.deployment)).whole.filter((name) => !before.has(name));
  await unlink(blob);
  const failed = await ended(await submit('gone', 'imageInfo'), own.at);
  expect(failed).toMatchObject({ code: 3, items: [{ code: 3, error: 'the bytes of a source are gone' }] });

  await worker?.kill('SIGTERM');
  worker = undefined;
  await put('image', await image());
  const id = await submit('image', 'imageInfo');
  const database = await openRegionDatabase(own.deployment.environment.MILLPOND_REGION_DB ?? '');
  await database.setAttempts(id, 1500);
  await database.close();
  await startWorker();
  const given = await ended(id, own.at);
  expect(given).toMatchObject({ code: 3, items: [{ error: 'given up after 1500 attempts' }] });
});

/** The codes of a task while workers come, die and stay away; how long it is known; who goes first. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Account,
  createBucket,
  openRegionDatabase,
  type RegionDatabase,
  type ServerProcess,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectRefusalOf } from '../support/expectations.ts';
import {
  clip,
  ended,
  image,
  prefop,
  saveas,
  submitted,
  type Task,
  taskOf,
} from '../support/objects/processing.ts';
import { secureSigned } from '../support/running/secure.ts';
import { useSecureDeployment } from '../support/running/secure-deployment.ts';

const SHRINK = 'imageView2/2/w/100';
const BUCKET = 'states';
/** The gateway leaves tasks to workers, which the tests start and kill. */
const own = useSecureDeployment({
  MILLPOND_MEDIA_SLOTS: '0',
  MILLPOND_TASK_QUERIES_PER_ADDRESS: '2000+60/m',
});
let account: Account;
let database: RegionDatabase;

beforeAll(async () => {
  account = await own.deployment.createAccount();
  await createBucket(own.server.url, account, BUCKET);
  await put('image', await image());
  // From here on tasks are accepted: some worker was there a moment ago.
  await (await startWorker()).kill('SIGTERM');
  await put('clip', await clip({ seconds: 60, size: '640x360', rate: 25 }));
  database = await openRegionDatabase(own.deployment.environment.MILLPOND_REGION_DB ?? '');
});
afterAll(() => database?.close());

async function put(key: string, content: Uint8Array<ArrayBuffer>): Promise<void> {
  const token = uploadToken(account, { scope: `${BUCKET}:${key}` });
  expect((await uploadForm(own.server.url, content, { token, key })).status).toBe(200);
}

const submit = (fields: Readonly<Record<string, string>>) =>
  submitted(
    { bucket: BUCKET, key: 'image', fops: SHRINK, force: '1', ...fields },
    { keys: account, at: own.at },
  );
const task = (id: string) => taskOf(id, own.at);
const end = (id: string) => ended(id, own.at);
const startWorker = (slots = '1'): Promise<ServerProcess> =>
  own.deployment.start({ args: ['work'], settings: { MILLPOND_MEDIA_SLOTS: slots } });

async function seen(id: string, code: number): Promise<Task> {
  for (const over = Date.now() + 60_000; ; await sleep(50)) {
    const found = await task(id);
    if (found.code === code) return found;
    if (Date.now() > over) throw new Error(`code ${code} was not seen: ${JSON.stringify(found)}`);
  }
}

test('a task waits for a worker, runs, survives its death and ends once [task-04 task-05 task-rule-01 task-rule-02]', async () => {
  const id = await submit({
    key: 'clip',
    fops: `avthumb/mp4/vcodec/libx264/crf/18|${saveas(BUCKET, 'made')}`,
  });
  const waiting = await task(id);
  expect([waiting.code, waiting.desc, waiting.items[0]?.code]).toEqual([
    1,
    'The fop is waiting for execution',
    1,
  ]);

  const first = await startWorker();
  expect((await seen(id, 2)).desc).toBe('The fop is executing now');
  // The task is taken a moment before its first command begins.
  await expect.poll(async () => (await task(id)).items[0]?.code).toBe(2);
  await first.kill('SIGKILL');
  const again = await seen(id, 1);
  expect(again.items[0]?.code).toBe(1);

  const second = await startWorker();
  expect(await end(id)).toMatchObject({ code: 0, items: [{ code: 0, key: 'made' }] });
  // Whatever the dead one left behind had its turn by the time another task has ended.
  await end(await submit({ fops: 'imageInfo' }));
  expect((await task(id)).code).toBe(0);
  await second.kill('SIGTERM');
});

test('its owner sees who runs it, when its items were begun and ended, and what took how long [task-call-05]', async () => {
  const call = async (method: string, path: string, body?: object) => {
    const json = { contentType: 'application/json', body: JSON.stringify(body) };
    const asked = { method, target: path, ...(body === undefined ? { contentType: null } : json) };
    return (await secureSigned(asked, { keys: account, at: own.at })).json();
  };
  await call('PUT', '/v1/pipelines/timed', { concurrency: 1 });
  const fops = 'avthumb/mp4/vcodec/libx264/s/320x180;imageInfo';
  const ids = [await submit({ key: 'clip', fops, pipeline: 'timed' }), await submit({ pipeline: 'timed' })];
  const pipelines = (await call('GET', '/v1/pipelines')) as { items: { oldest?: string }[] };
  expect(pipelines).toMatchObject({ items: [{ name: 'timed', concurrency: 1, waiting: 2, running: 0 }] });
  const timed = (await call('GET', `/v1/tasks/${ids[0]}`)) as { creationDate: string; begun?: string };
  expect(Date.parse(pipelines.items[0]?.oldest ?? '')).toBe(Date.parse(timed.creationDate));
  expect(timed.begun).toBeUndefined();

  const worker = await startWorker();
  const running = async () =>
    ((await call('GET', '/v1/pipelines')) as { items: { running: number }[] }).items[0]?.running;
  await expect.poll(running).toBe(1);
  for (const id of ids) await end(id);
  await worker.kill('SIGTERM');
  const done = (await call('GET', `/v1/tasks/${ids[0]}`)) as {
    creationDate: string;
    begun: string;
    finishDate: string;
    items: {
      begun: string;
      ended: string;
      stages: { name: string; begun: string; ms: number; words?: string }[];
    }[];
  };
  expect(done).toMatchObject({ code: 3, worker: expect.any(String) });
  const [video, picture] = done.items;
  expect(video?.stages.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['fetch', 'probe', 'run', 'store']),
  );
  expect(video?.stages.find(({ name }) => name === 'run')?.words).toBe('avthumb');
  expect(picture?.stages.at(-1)?.name).toBe('run');
  const times = [
    done.creationDate,
    done.begun,
    video?.begun,
    ...(video?.stages.map(({ begun }) => begun) ?? []),
    video?.ended,
    picture?.begun,
    picture?.ended,
    done.finishDate,
  ].map((time) => Date.parse(time ?? ''));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  // What anybody who knows the id may see has none of it.
  expect(JSON.stringify(await task(ids[0] ?? ''))).not.toMatch(/stages|worker|begun/);
});

test('normal tasks go before idle ones, whichever came first [task-rule-09 G34]', async () => {
  const idle = await submit({ key: 'clip', type: '1', fops: 'vframe/jpg/offset/1' });
  const normal = await Promise.all([submit({}), submit({ fops: 'imageInfo' })]);
  const worker = await startWorker();
  await end(idle);
  for (const id of normal) expect((await task(id)).code).toBe(0);
  await worker.kill('SIGTERM');
});

test('one account’s backlog does not keep another waiting [task-rule-11 G34]', async () => {
  const other = await own.deployment.createAccount();
  await createBucket(own.server.url, other, 'states-other');
  const token = uploadToken(other, { scope: 'states-other:image' });
  await uploadForm(own.server.url, await image(), { token, key: 'image' });
  const backlog: string[] = [];
  for (let rows = 0; rows < 6; rows++)
    backlog.push(...(await Promise.all(Array.from({ length: 25 }, () => submit({ fops: 'imageInfo' })))));
  const fields = { bucket: 'states-other', key: 'image', fops: 'imageInfo', force: '1' };
  const light = await submitted(fields, { keys: other, at: own.at });
  const worker = await startWorker();
  await end(light);
  const codes = await Promise.all(backlog.map(async (id) => (await task(id)).code));
  expect(codes.filter((code) => code === 1).length).toBeGreaterThan(50);
  await worker.kill('SIGKILL');
});

test('tasks of an account that is disabled meanwhile are finished [cred-12]', async () => {
  const leaving = await own.deployment.createAccount();
  await createBucket(own.server.url, leaving, 'states-leaving');
  const token = uploadToken(leaving, { scope: 'states-leaving:image' });
  await uploadForm(own.server.url, await image(), { token, key: 'image' });
  const fields = { bucket: 'states-leaving', key: 'image', fops: 'imageInfo' };
  const id = await submitted(fields, { keys: leaving, at: own.at });
  await own.deployment.run('account', 'disable', leaving.email, '--reason', 'left');
  const worker = await startWorker();
  expect((await end(id)).code).toBe(0);
  await worker.kill('SIGTERM');
});

test('a task is known for 10 days to the second [prefop-06 prefop-rule-02 err-prefop-04 G32]', async () => {
  const id = await submit({});
  const DAY = 86_400;
  await database.ageTask(id, 9 * DAY);
  expect((await prefop(id, own.at)).status).toBe(200);
  // A minute of room for a machine that is slow between the two.
  await database.ageTask(id, DAY - 60);
  expect((await prefop(id, own.at)).status).toBe(200);
  await database.ageTask(id, 60);
  expectRefusalOf(await prefop(id, own.at), 612, 'no such task');
});

test('one address asks often, not endlessly [prefop-rule-03 answer-12 G32]', async () => {
  const id = `z0.${'0'.repeat(40)}`;
  for (let asked = 0; asked < 4_000; asked += 50) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => prefop(id, own.at)));
    const refused = answers.find(({ status }) => status === 573);
    if (refused === undefined) continue;
    expectRefusalOf(refused, 573, 'too many requests');
    expect(Number(refused.header('retry-after'))).toBeGreaterThan(0);
    return;
  }
  throw new Error('nothing was refused in 4,000 queries');
});

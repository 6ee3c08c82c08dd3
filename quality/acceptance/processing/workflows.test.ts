/** Templates, triggers and pipelines: an account's own ways to start tasks and to queue them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { expectRefusalOf } from '../support/expectations.ts';
import { fetchInto, file, mirroredBucket } from '../support/objects/fetching.ts';
import { uploadInParts } from '../support/objects/multipart.ts';
import { callOperation, relocate } from '../support/objects/operations.ts';
import {
  clip,
  ended,
  image,
  pfop,
  put,
  saveas,
  submitted,
  type Task,
  taskOf,
} from '../support/objects/processing.ts';
import type { RawResponse } from '../support/raw.ts';
import { useReceiver } from '../support/receivers/receiver.ts';
import { sdkClient } from '../support/running/sdk.ts';
import { secureSigned } from '../support/running/secure.ts';
import { download, newBucket, stat, target } from '../support/target.ts';

const origin = useReceiver();
let bucket: string;
const SHRINK = 'imageView2/2/w/100';

beforeAll(async () => {
  bucket = await newBucket();
  await put(bucket, 'image', await image());
});

function call(method: string, path: string, body?: object, keys = target.account): Promise<RawResponse> {
  const content =
    body === undefined
      ? { contentType: null }
      : { contentType: 'application/json', body: JSON.stringify(body) };
  return secureSigned({ method, target: path, ...content }, { keys });
}

test('templates are made, listed, changed and deleted; each account has its own [template-01]', async () => {
  const path = '/v1/workflows/thumbs';
  const made = await call('PUT', path, { commands: SHRINK });
  expect([made.status, made.json()]).toEqual([
    200,
    expect.objectContaining({ name: 'thumbs', commands: SHRINK }),
  ]);
  await call('PUT', path, { commands: 'imageInfo' });
  expect((await call('GET', path)).json()).toMatchObject({ commands: 'imageInfo' });
  expect((await call('GET', '/v1/workflows')).json()).toMatchObject({
    items: expect.arrayContaining([expect.objectContaining({ name: 'thumbs' })]),
  });
  expect((await call('GET', path, undefined, target.stranger)).status).toBe(404);
  expect((await call('DELETE', path)).status).toBe(200);
  expect((await call('GET', path)).status).toBe(404);
  expect((await call('DELETE', path)).status).toBe(404);
});

test('a template with commands that do not parse is refused [template-01]', async () => {
  for (const commands of ['nonsense', '', 7])
    expectRefusalOf(await call('PUT', '/v1/workflows/bad', { commands }), 400, 'invalid argument');
  expectRefusalOf(
    await call('PUT', '/v1/workflows/bad%20name', { commands: SHRINK }),
    400,
    'invalid argument',
  );
});

test('templates come in pages, which our client follows; a longer one than 16 KiB is refused', async () => {
  const names = Array.from({ length: 101 }, (_, index) => `page-${String(index).padStart(3, '0')}`);
  for (const name of names) await call('PUT', `/v1/workflows/${name}`, { commands: SHRINK });
  const listed = async (query: string) =>
    (await call('GET', `/v1/workflows?${query}`)).json() as { items: { name: string }[]; marker?: string };
  const page = await listed('marker=page-&limit=2');
  expect([page.items.map(({ name }) => name), page.marker]).toEqual([names.slice(0, 2), names[1]]);
  expect((await listed('')).items).toHaveLength(100);
  expect(await listed('marker=zzz')).toEqual({ items: [] });
  const all = (await sdkClient().processing.workflows()).map(({ name }) => name);
  expect(all).toEqual(expect.arrayContaining(names));
  expect(new Set(all).size).toBe(all.length);
  for (const query of ['limit=0', 'limit=101', 'limit=x'])
    expectRefusalOf(await call('GET', `/v1/workflows?${query}`), 400, 'invalid argument');
  expectRefusalOf(await call('GET', '/v1/workflows?marker=%20'), 640, 'invalid list marker');
  const long = `concat/mimeType/dGV4dC9wbGFpbg==${'/aHR0cDovL2EvYg=='.repeat(970)}`;
  expectRefusalOf(await call('PUT', '/v1/workflows/long', { commands: long }), 400, 'invalid argument');
  for (const name of names) expect((await call('DELETE', `/v1/workflows/${name}`)).status).toBe(200);
});

test('a bucket takes 20 triggers, and an upload starts them all', async () => {
  const own = await newBucket();
  await call('PUT', '/v1/workflows/in-all', { commands: 'qhash/md5' });
  const trigger = { bucket: own, workflow: 'in-all' };
  for (let count = 0; count < 20; count++)
    expect((await call('POST', '/v1/triggers', trigger)).status).toBe(200);
  const refused = await call('POST', '/v1/triggers', trigger);
  expectRefusalOf(refused, 403, 'not allowed');
  expect(refused.json()).toMatchObject({ hint: 'a bucket may have at most 20 triggers' });
  await put(own, 'one', Buffer.from('x'));
  expect(await tasksOf(own, 20)).toHaveLength(20);
});

test('a task by template says so [pfop-15 task-19]', async () => {
  const commands = `${SHRINK}|${saveas(bucket, 'by template')}`;
  await call('PUT', '/v1/workflows/by-name', { commands });
  const task = await ended(await submitted({ bucket, key: 'image', workflowTemplateID: 'by-name' }));
  expect(task).toMatchObject({ code: 0, taskFrom: 'workflow:by-name', items: [{ cmd: commands }] });
  expect((await stat(bucket, 'by template')).status).toBe(200);
});

test('a trigger starts its template after a matching upload, and not after its own results [trigger-01 trigger-02 task-20 G33]', async () => {
  const own = await newBucket();
  await call('PUT', '/v1/workflows/on-arrival', { commands: `${SHRINK}|${saveas(own, 'in/small.png')}` });
  const trigger = { bucket: own, prefix: 'in/', suffix: '.png', workflow: 'on-arrival' };
  const made = await call('POST', '/v1/triggers', trigger);
  const { id } = made.json() as { id: string };
  expect([made.status, made.json()]).toEqual([200, { id: expect.any(String), ...trigger }]);
  expect((await call('GET', '/v1/triggers')).json()).toMatchObject({
    items: expect.arrayContaining([{ id, ...trigger }]),
  });
  await put(own, 'elsewhere.png', await image());
  await put(own, 'in/first.png', await image());
  const tasks = await tasksOf(own, 1);
  expect(tasks).toMatchObject([{ inputKey: 'in/first.png', taskFrom: `tigger:${id}` }]);
  expect((await ended(tasks[0]?.id ?? '')).code).toBe(0);
  expect((await stat(own, 'in/small.png')).status).toBe(200);
  expect(await tasksOf(own, 1)).toHaveLength(1);
  expect((await call('DELETE', '/v1/workflows/on-arrival')).status).toBe(403);
  expect((await call('DELETE', `/v1/triggers/${id}`, undefined, target.stranger)).status).toBe(404);
  expect((await call('DELETE', `/v1/triggers/${id}`)).status).toBe(200);
  expect((await call('DELETE', '/v1/workflows/on-arrival')).status).toBe(200);
});

test('what a trigger starts replaces nothing, unless the trigger says so [trigger-03]', async () => {
  const own = await newBucket();
  await put(own, 'small', await image('32x32'));
  const theirs = await hashOf(own, 'small');
  await call('PUT', '/v1/workflows/keeps', { commands: `${SHRINK}|${saveas(own, 'small')}` });
  const trigger = { bucket: own, prefix: 'in/', workflow: 'keeps' };
  const run = async (more: object) => {
    const made = await call('POST', '/v1/triggers', { ...trigger, ...more });
    expect(made.json()).toMatchObject({ ...trigger, ...more });
    const { id } = made.json() as { id: string };
    const before = (await tasksOf(own, 0)).length;
    await put(own, `in/${id}`, await image());
    const [newest] = await tasksOf(own, before + 1);
    await call('DELETE', `/v1/triggers/${id}`);
    return (await ended(newest?.id ?? '')).items[0];
  };
  expect(await run({})).toMatchObject({ code: 0, returnOld: 1, hash: theirs });
  expect(await hashOf(own, 'small')).toBe(theirs);
  expect(await run({ force: true })).toMatchObject({ code: 0, returnOld: 0 });
  expect(await hashOf(own, 'small')).not.toBe(theirs);
  for (const force of [1, '1', 'true'])
    expectRefusalOf(await call('POST', '/v1/triggers', { ...trigger, force }), 400, 'invalid argument');
});

async function hashOf(name: string, key: string): Promise<string> {
  return ((await (await stat(name, key)).json()) as { hash: string }).hash;
}

async function tasksOf(name: string, least: number): Promise<Task[]> {
  for (const end = Date.now() + 60_000; ; await sleep(100)) {
    const { items } = (await call('GET', `/v1/tasks?bucket=${name}`)).json() as { items: Task[] };
    if (items.length >= least || Date.now() > end) return items;
  }
}

test('resumable uploads and fetches start it too; copies, moves and mirror fills do not [trigger-01 trigger-02]', async () => {
  const content = await image('64x64');
  origin.at(file(content), '/away/in/mirrored');
  const own = await mirroredBucket(`${origin.url}/away`);
  await call('PUT', '/v1/workflows/on-every-way', { commands: 'imageInfo' });
  await call('POST', '/v1/triggers', { bucket: own, prefix: 'in/', workflow: 'on-every-way' });
  await put(own, 'aside', content);
  expect((await relocate('copy', { bucket: own, key: 'aside' }, { bucket: own, key: 'in/copy' })).ok).toBe(
    true,
  );
  expect((await relocate('move', { bucket: own, key: 'aside' }, { bucket: own, key: 'in/move' })).ok).toBe(
    true,
  );
  expect((await download(own, 'in/mirrored')).status).toBe(200);
  expect((await uploadInParts(own, [content], { key: 'in/parts' })).status).toBe(200);
  const from = origin.at(file(content)).url;
  expect((await fetchInto(own, from, { key: 'in/fetched' })).status).toBe(200);
  const tasks = await tasksOf(own, 2);
  expect(tasks.map((task) => task.inputKey).toSorted()).toEqual(['in/fetched', 'in/parts']);
});

test('a trigger goes with its bucket [trigger-01]', async () => {
  const own = await newBucket();
  await call('PUT', '/v1/workflows/short-lived', { commands: 'imageInfo' });
  const { id } = (await call('POST', '/v1/triggers', { bucket: own, workflow: 'short-lived' })).json() as {
    id: string;
  };
  const ids = async () =>
    ((await call('GET', '/v1/triggers')).json() as { items: { id: string }[] }).items.map((item) => item.id);
  expect(await ids()).toContain(id);
  expect((await callOperation(`/drop/${own}`)).status).toBe(200);
  expect(await ids()).not.toContain(id);
  expect((await call('DELETE', '/v1/workflows/short-lived')).status).toBe(200);
});

test('pipelines are made, listed, changed and deleted [pipeline-01 pfop-19 task-13 prefop-rule-07]', async () => {
  const path = '/v1/pipelines/mine';
  expect((await call('PUT', path, { concurrency: 2 })).json()).toMatchObject({
    name: 'mine',
    concurrency: 2,
  });
  expect((await call('PUT', path, { concurrency: 3 })).json()).toMatchObject({
    name: 'mine',
    concurrency: 3,
  });
  expect((await call('GET', '/v1/pipelines')).json()).toMatchObject({
    items: expect.arrayContaining([expect.objectContaining({ name: 'mine', concurrency: 3 })]),
  });
  for (const concurrency of [0, 1.5, '2', 100_000])
    expectRefusalOf(await call('PUT', path, { concurrency }), 400, 'invalid argument');
  const task = await ended(
    await submitted({ bucket, key: 'image', fops: SHRINK, force: '1', pipeline: 'mine' }),
  );
  expect(task).toMatchObject({ code: 0, pipeline: `${target.account.uid}.mine` });
  expect(
    (await pfop({ bucket, key: 'image', fops: SHRINK, pipeline: 'mine' }, { keys: target.stranger })).status,
  ).toBe(404);
  expect((await call('DELETE', path)).status).toBe(200);
  expect((await pfop({ bucket, key: 'image', fops: SHRINK, pipeline: 'mine' })).status).toBe(400);
});

test('a pipeline runs no more tasks at once than its concurrency [task-rule-10]', async () => {
  await call('PUT', '/v1/pipelines/narrow', { concurrency: 1 });
  await put(bucket, 'clip', await clip({ seconds: 4 }));
  const ids = await Promise.all(
    [1, 2, 3].map((n) =>
      submitted({
        bucket,
        key: 'clip',
        fops: `avthumb/mp4/s/160x90|${saveas(bucket, `n${n}`)}`,
        pipeline: 'narrow',
      }),
    ),
  );
  let most = 0;
  for (const end = Date.now() + 100_000; Date.now() < end; await sleep(50)) {
    const codes = (await Promise.all(ids.map((id) => taskOf(id)))).map((task) => task.code);
    most = Math.max(most, codes.filter((code) => code === 2).length);
    if (codes.every((code) => code === 0 || code === 3)) break;
  }
  expect(most).toBe(1);
  for (const id of ids) expect((await taskOf(id)).code).toBe(0);
  expect((await call('DELETE', '/v1/pipelines/narrow')).status).toBe(200);
});

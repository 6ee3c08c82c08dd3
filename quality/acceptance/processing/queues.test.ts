/** How a queue is named: by its own name, and as the status record prints it. What a task that is run again keeps. */
import { beforeAll, expect, test } from 'vitest';
import { operate } from '../support/accounts/operator.ts';
import { expectNothing, expectRefusalOf } from '../support/expectations.ts';
import {
  ended,
  idIn,
  image,
  pfop,
  put,
  submitted,
  type Task,
  taskOf,
} from '../support/objects/processing.ts';
import type { RawResponse } from '../support/raw.ts';
import { json, useReceiver } from '../support/receivers/receiver.ts';
import { useCommandLine } from '../support/running/cli.ts';
import { secureSigned } from '../support/running/secure.ts';
import { newBucket, target, upload } from '../support/target.ts';

const receiver = useReceiver();
const cli = useCommandLine();
const { uid } = target.account;
let bucket: string;
let others: string;

beforeAll(async () => {
  bucket = await newBucket();
  await put(bucket, 'image', await image());
  for (const keys of [target.account, target.stranger]) {
    const made = await call('PUT', '/v1/pipelines/queued', { concurrency: 2 }, keys);
    expect(made.status).toBe(200);
  }
  others = `${target.stranger.uid}.queued`;
});

function call(method: string, path: string, body?: object, keys = target.account): Promise<RawResponse> {
  const content =
    body === undefined
      ? { contentType: null }
      : { contentType: 'application/json', body: JSON.stringify(body) };
  return secureSigned({ method, target: path, ...content }, { keys });
}

const submit = (pipeline: string) =>
  submitted({ bucket, key: 'image', fops: 'imageInfo', force: '1', pipeline });

test('a submission names the shared queue by 0.default, and its own pipeline by what the record prints [pipeline-02]', async () => {
  expect((await taskOf(await submit('0.default'))).pipeline).toBe('0.default');
  for (const name of ['queued', `${uid}.queued`]) {
    const { pipeline } = await taskOf(await submit(name));
    expect(pipeline).toBe(`${uid}.queued`);
    // What is printed can be given back.
    expect((await taskOf(await submit(pipeline))).pipeline).toBe(pipeline);
  }
});

test('somebody else’s pipeline is one that does not exist [pipeline-03]', async () => {
  for (const pipeline of [others, `${uid}.nowhere`, '0.queued', `0${uid}.queued`, `${uid}.`]) {
    const answer = await pfop({ bucket, key: 'image', fops: 'imageInfo', pipeline });
    expectRefusalOf(answer, 400, 'invalid argument');
    expect(answer.json()).toMatchObject({ hint: expect.stringContaining('there is no pipeline') });
  }
  expect((await taskOf(await submit('queued'))).pipeline).toBe(`${uid}.queued`);
});

test('persistentPipeline names queues in the same words [pipeline-02 pipeline-03]', async () => {
  const persistentNotifyUrl = receiver.at(json({})).url;
  const send = async (key: string, persistentPipeline: string) =>
    upload(
      { scope: bucket, persistentOps: 'imageInfo', persistentNotifyUrl, persistentPipeline },
      await image(),
      { key },
    );
  for (const [name, printed] of [
    ['0.default', '0.default'],
    [`${uid}.queued`, `${uid}.queued`],
  ] as const) {
    const answer = await send(`upload ${name}`, name);
    expect(answer.status, await answer.clone().text()).toBe(200);
    const { persistentId } = (await answer.json()) as { persistentId: string };
    expect((await taskOf(persistentId)).pipeline).toBe(printed);
  }
  expect((await send('refused', others)).status).toBe(400);
  await expectNothing(bucket, 'refused');
});

test('tasks are listed by queues in the same words, by call and command [pipeline-02 pipeline-03 task-call-01]', async () => {
  const own = await newBucket();
  await put(own, 'image', await image());
  const start = (pipeline: string) =>
    submitted({ bucket: own, key: 'image', fops: 'imageInfo', force: '1', pipeline });
  const [shared, queued] = [await start(''), await start('queued')];
  const listed = async (pipeline: string) => {
    const answer = await call('GET', `/v1/tasks?bucket=${own}&pipeline=${pipeline}`);
    return (answer.json() as { items: Task[] }).items.map(({ id }) => id);
  };
  const shown = async (pipeline: string) => {
    const found = await cli.json(['task', 'list', '--bucket', own, '--pipeline', pipeline]);
    return found.map(({ id }) => id);
  };
  for (const [name, ids] of [
    ['0.default', [shared]],
    ['queued', [queued]],
    [`${uid}.queued`, [queued]],
    [others, []],
    [`${uid}.`, []],
  ] as const) {
    expect(await listed(name), name).toEqual(ids);
  }
  expect(await shown('0.default')).toEqual([shared]);
  expect(await shown(`${uid}.queued`)).toEqual([queued]);
  const operators = async (pipeline: string, ...more: string[]) => {
    const args = ['task', 'list', '--bucket', own, '--pipeline', pipeline, '--json', ...more];
    const lines = (await operate(args)).split('\n').filter((line) => line !== '');
    return lines.map((line) => (JSON.parse(line) as { id: string }).id);
  };
  expect(await operators('0.default')).toEqual([shared]);
  expect(await operators(`${uid}.queued`)).toEqual([queued]);
  expect(await operators(others)).toEqual([]);
  expect(await operators(`${uid}.queued`, '--account', target.stranger.email)).toEqual([]);
});

test('a pipeline is changed and deleted by either name; the shared queue by nobody [pipeline-01 pipeline-02]', async () => {
  await call('PUT', '/v1/pipelines/either', { concurrency: 2 });
  const path = `/v1/pipelines/${uid}.either`;
  expect((await call('PUT', path, { concurrency: 3 })).json()).toMatchObject({
    name: 'either',
    concurrency: 3,
  });
  expect((await call('DELETE', `/v1/pipelines/${uid}.either`, undefined, target.stranger)).status).toBe(404);
  expect((await call('DELETE', path)).status).toBe(200);
  expectRefusalOf(await call('PUT', '/v1/pipelines/0.default', { concurrency: 3 }), 400, 'invalid argument');
  expect((await call('DELETE', '/v1/pipelines/0.default')).status).toBe(404);
});

test('a task that is run again says what made it the first time [task-call-04]', async () => {
  await call('PUT', '/v1/workflows/again', { commands: 'imageInfo' });
  const first = await ended(await submitted({ bucket, key: 'image', workflowTemplateID: 'again' }));
  const rerun = async (id: string) => ended(idIn(await call('POST', `/v1/tasks/${id}/rerun`)));
  const second = await rerun(first.id);
  expect(second).toMatchObject({ taskFrom: 'workflow:again', items: [{ cmd: 'imageInfo' }] });
  expect(await rerun(second.id)).toMatchObject({ taskFrom: 'workflow:again' });
  expect(await rerun((await ended(await submit('0.default'))).id)).not.toHaveProperty('taskFrom');
});

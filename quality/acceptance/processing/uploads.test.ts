/** Tasks that an upload starts: in its own commit, told of in its answer, its redirect or its callback. */
import { encodeBase64Text, formatEntry } from '@millpond/protocol';
import { expect, test } from 'vitest';
import { expectNothing } from '../support/expectations.ts';
import { callOperation } from '../support/objects/operations.ts';
import { clip, ended, image, saveas, taskOf } from '../support/objects/processing.ts';
import { json, useReceiver } from '../support/receivers/receiver.ts';
import { secureSigned } from '../support/running/secure.ts';
import { newBucket, stat, target, upload } from '../support/target.ts';

const receiver = useReceiver();
const SHRINK = 'imageView2/2/w/100';

interface ObjectRef {
  readonly bucket: string;
  readonly ops: { readonly persistentOps: string; readonly persistentNotifyUrl: string };
}

/** A new bucket, and the policy fields of one command whose end is told to nobody in particular. */
async function place(persistentOps?: string): Promise<ObjectRef> {
  const bucket = await newBucket();
  const notify = receiver.at(json({}));
  const ops = {
    persistentOps: persistentOps ?? `${SHRINK}|${saveas(bucket, 'small')}`,
    persistentNotifyUrl: notify.url,
  };
  return { bucket, ops };
}

async function put(
  bucket: string,
  policy: Readonly<Record<string, unknown>>,
  key = 'source',
): Promise<Response> {
  return upload({ scope: `${bucket}:${key}`, ...policy }, await image(), { key });
}

async function answered(answer: Promise<Response>): Promise<Record<string, unknown>> {
  const found = await answer;
  expect(found.status).toBe(200);
  return (await found.json()) as Record<string, unknown>;
}

const idOf = async (answer: Promise<Response>) => String((await answered(answer)).persistentId);

test('the commands run after the upload, and its answer carries their id [policy-ops-03 policy-ops-06 policy-ops-10 upload-11]', async () => {
  const { bucket, ops } = await place();
  const answer = await answered(put(bucket, { ...ops, persistentType: 0, persistentPipeline: '' }));
  expect(answer).toEqual({ hash: expect.any(String), key: 'source', persistentId: expect.any(String) });
  const task = await ended(String(answer.persistentId));
  expect(task).toMatchObject({ code: 0, inputBucket: bucket, inputKey: 'source', pipeline: '0.default' });
  expect(task).not.toHaveProperty('type');
  expect(task).not.toHaveProperty('taskFrom');
  expect((await stat(bucket, 'small')).status).toBe(200);
});

test('two commands give two items; variables of the upload stand in them [policy-ops-04]', async () => {
  const { bucket, ops } = await place(`${SHRINK};imageInfo`);
  const { items } = await ended(await idOf(put(bucket, ops)));
  expect(items.map(({ cmd, code }) => [cmd, code])).toEqual([
    [SHRINK, 0],
    ['imageInfo', 0],
  ]);
});

test('an upload that fails starts no task [policy-ops-05]', async () => {
  const { bucket, ops } = await place();
  const refused = await put(bucket, { ...ops, fsizeLimit: 10 });
  expect(refused.status).toBe(413);
  expect(await refused.json()).not.toHaveProperty('persistentId');
  const tasks = await secureSigned({
    method: 'GET',
    target: `/v1/tasks?bucket=${bucket}`,
    contentType: null,
  });
  expect(tasks.json()).toEqual({ items: [] });
});

test('persistentType 1 is an idle-time task [policy-ops-07 task-16]', async () => {
  const { bucket, ops } = await place('vframe/jpg/offset/0');
  expect((await taskOf(await idOf(put(bucket, { ...ops, persistentType: 1 })))).type).toBe(1);
});

test('a workflow template runs by its name [policy-ops-08 prefop-rule-10]', async () => {
  const { bucket, ops } = await place();
  const { persistentOps, ...rest } = ops;
  await secureSigned({
    method: 'PUT',
    target: '/v1/workflows/of-uploads',
    contentType: 'application/json',
    body: JSON.stringify({ commands: persistentOps }),
  });
  const id = await idOf(put(bucket, { ...rest, persistentWorkflowTemplateID: 'of-uploads' }));
  expect(await ended(id)).toMatchObject({ code: 0, taskFrom: 'workflow:of-uploads' });
  expect((await stat(bucket, 'small')).status).toBe(200);
});

test('persistentPipeline names its queue; idle time has none [policy-ops-09 policy-ops-11]', async () => {
  const { bucket, ops } = await place();
  await secureSigned({
    method: 'PUT',
    target: '/v1/pipelines/of-uploads',
    contentType: 'application/json',
    body: JSON.stringify({ concurrency: 1 }),
  });
  const task = await ended(await idOf(put(bucket, { ...ops, persistentPipeline: 'of-uploads' })));
  expect(task.pipeline).toBe(`${target.account.uid}.of-uploads`);
  const idle = await put(bucket, { ...ops, persistentPipeline: 'of-uploads', persistentType: 1 }, 'idle');
  expect(idle.status).toBe(400);
  await expectNothing(bucket, 'idle');
});

test('the same content once more runs the commands again [policy-ops-rule-05]', async () => {
  const { bucket, ops } = await place('imageInfo');
  const content = await image();
  const again = () => upload({ scope: bucket, ...ops }, content, { key: 'same' });
  const [first, second] = [await idOf(again()), await idOf(again())];
  expect(second).not.toBe(first);
  expect((await ended(second)).code).toBe(0);
});

test('what can not be run is refused before anything is stored [policy-ops-rule-06]', async () => {
  const { bucket, ops } = await place();
  for (const wrong of [{ persistentOps: 'nonsense' }, { persistentPipeline: 'nowhere' }]) {
    expect((await put(bucket, { ...ops, ...wrong })).status).toBe(400);
    await expectNothing(bucket, 'source');
  }
});

test('the redirect without a body of its own carries the id [upload-12]', async () => {
  const { bucket, ops } = await place('imageInfo');
  const back = receiver.at(json({}));
  await upload({ scope: bucket, ...ops, returnUrl: back.url }, await image(), { key: 'k' });
  const location = new URL(back.only.target, back.url);
  const told = JSON.parse(Buffer.from(location.searchParams.get('upload_ret') ?? '', 'base64url').toString());
  expect((await taskOf(told.persistentId)).inputKey).toBe('k');
});

test('a body of one’s own has the id where it asks for it, and only there [upload-13 upload-15]', async () => {
  const { bucket, ops } = await place('imageInfo');
  const named = await answered(put(bucket, { ...ops, returnBody: '{"task":$(persistentId),"key":$(key)}' }));
  expect((await taskOf(String(named.task))).inputKey).toBe('source');
  const silent = await answered(put(bucket, { ...ops, returnBody: '{"key":$(key)}' }));
  expect(silent).toEqual({ key: 'source' });
});

test('the callback carries the id, and the task is found from within it [upload-14 prefop-rule-01 G12]', async () => {
  const { bucket, ops } = await place('imageInfo');
  const seen: string[] = [];
  const callback = receiver.at(async (response, received) => {
    const id = new URLSearchParams(received.text).get('task') ?? '';
    seen.push((await taskOf(id)).inputKey);
    json({ received: id })(response, received);
  });
  const policy = { ...ops, callbackUrl: callback.url, callbackBody: 'task=$(persistentId)' };
  const { received } = await answered(put(bucket, policy));
  expect(seen).toEqual(['source']);
  expect((await ended(String(received))).code).toBe(0);
});

test('an address that could never be told of the end is refused before anything is stored', async () => {
  const { bucket, ops } = await place();
  // In ASCII, as a host is called, it is half as long again.
  const labels = Array.from({ length: 600 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000)));
  const host = labels.join('').replaceAll(/.{3}/gu, '$&.');
  const persistentNotifyUrl = `http://${host}example/`;
  expect((await put(bucket, { ...ops, persistentNotifyUrl })).status).toBe(400);
  await expectNothing(bucket, 'source');
});

test('the file of an archive class is not processed [G26]', async () => {
  const { bucket, ops } = await place();
  for (const fileType of [2, 3]) expect((await put(bucket, { ...ops, fileType })).status).toBe(400);
  await expectNothing(bucket, 'source');
});

/** An upload of this policy, with an object of the user where its result would be; the item, and the object by then. */
async function keptOr(more: (saved: string) => Record<string, unknown>) {
  const { bucket, ops } = await place();
  const theirs = await hashOf(put(bucket, {}, 'small'));
  const { persistentOps, ...rest } = ops;
  const task = await ended(await idOf(put(bucket, { ...rest, ...more(persistentOps) })));
  const found = (await (await stat(bucket, 'small')).json()) as { hash: string };
  return { theirs, item: task.items[0], code: task.code, now: found.hash };
}

const hashOf = async (answer: Promise<Response>) => String((await answered(answer)).hash);

async function template(commands: string): Promise<string> {
  const name = `keeps-${Buffer.from(commands).toString('hex').slice(-40)}`;
  await secureSigned({
    method: 'PUT',
    target: `/v1/workflows/${name}`,
    contentType: 'application/json',
    body: JSON.stringify({ commands }),
  });
  return name;
}

test('an object that is where the result would be stays, and is the result [policy-ops-rule-07 item-11]', async () => {
  for (const persistentOpsForce of [undefined, 0]) {
    const { theirs, item, code, now } = await keptOr((persistentOps) => ({
      persistentOps,
      persistentOpsForce,
    }));
    expect([code, item?.code, item?.returnOld, item?.key, item?.hash]).toEqual([0, 0, 1, 'small', theirs]);
    expect(now).toBe(theirs);
  }
});

test('persistentOpsForce 1 replaces it [policy-ops-rule-08]', async () => {
  const { theirs, item, now } = await keptOr((persistentOps) => ({ persistentOps, persistentOpsForce: 1 }));
  expect([item?.code, item?.returnOld, item?.hash]).toEqual([0, 0, now]);
  expect(now).not.toBe(theirs);
});

test('both hold of the commands of a template [policy-ops-rule-07 policy-ops-rule-08]', async () => {
  const { bucket, ops } = await place();
  const persistentWorkflowTemplateID = await template(ops.persistentOps);
  const theirs = await hashOf(put(bucket, {}, 'small'));
  const { persistentNotifyUrl } = ops;
  const run = async (more: object) =>
    (await ended(await idOf(put(bucket, { persistentNotifyUrl, persistentWorkflowTemplateID, ...more }))))
      .items[0];
  expect(await run({})).toMatchObject({ code: 0, returnOld: 1, hash: theirs });
  const forced = await run({ persistentOpsForce: 1 });
  expect(forced).toMatchObject({ code: 0, returnOld: 0 });
  expect(forced?.hash).not.toBe(theirs);
});

test('persistentOpsForce of any other value is refused before anything is stored [policy-ops-rule-09]', async () => {
  const { bucket, ops } = await place();
  for (const persistentOpsForce of [2, -1, '1', true]) {
    expect((await put(bucket, { ...ops, persistentOpsForce })).status).toBe(400);
    await expectNothing(bucket, 'source');
  }
});

test('files that a pattern names replace no other object either, unless it is forced [result-keep-01]', async () => {
  const bucket = await newBucket();
  const content = await clip();
  const notify = { persistentNotifyUrl: receiver.at(json({})).url };
  const vsample = `vsample/jpg/ss/0/t/2/interval/1/s/80x/pattern/${encodeBase64Text('still-$(count)')}|${saveas(bucket, 'list')}`;
  const theirs = await hashOf(put(bucket, {}, 'still-000001'));
  const run = async (more: object) => {
    const policy = { scope: `${bucket}:clip`, ...notify, persistentOps: vsample, ...more };
    const task = await ended(await idOf(upload(policy, content, { key: 'clip' })));
    const found = (await (await stat(bucket, 'still-000001')).json()) as { hash: string };
    return { item: task.items[0], hash: found.hash };
  };
  const kept = await run({});
  const error = 'the object still-000001 exists, and without force a task replaces nothing';
  expect(kept).toMatchObject({ item: { code: 3, error, returnOld: 0 }, hash: theirs });
  await expectNothing(bucket, 'list');
  const forced = await run({ persistentOpsForce: 1 });
  expect(forced.item?.code).toBe(0);
  expect(forced.hash).not.toBe(theirs);
  // Files with the same content are what it would store.
  expect((await callOperation(`/delete/${formatEntry(bucket, 'list')}`)).status).toBe(200);
  expect((await run({})).item).toMatchObject({ code: 0, returnOld: 0 });
});

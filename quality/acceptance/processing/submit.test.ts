/** Submitting a task: what is accepted, what is refused, and that nothing is made of what is refused. */
import { encodeBase64Text } from '@millpond/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectRefusalOf } from '../support/expectations.ts';
import {
  clip,
  ended,
  idIn,
  image,
  pfop,
  prefop,
  put,
  saveas,
  submitted,
  taskOf,
} from '../support/objects/processing.ts';
import { secureSend, secureSigned } from '../support/running/secure.ts';
import { authorize } from '../support/signing.ts';
import { newBucket, stat, target } from '../support/target.ts';

let bucket: string;

beforeAll(async () => {
  bucket = await newBucket();
  await put(bucket, 'clip', await clip());
  await put(bucket, 'image', await image());
});

const SHRINK = 'imageView2/2/w/100';
const fields = (more: Readonly<Record<string, string>> = {}) => ({
  bucket,
  key: 'image',
  fops: SHRINK,
  ...more,
});

test('a submit answers with the id of its task [pfop-01 pfop-02 pfop-04 pfop-23 task-state-01 task-id-01 prefop-02 prefop-rule-01]', async () => {
  const answer = await pfop(fields());
  expect(answer.status).toBe(200);
  expect(answer.json()).toEqual({ persistentId: expect.stringMatching(/^z0\.[0-9a-f]{40}$/) });
  expect([0, 1, 2, 3]).toContain((await taskOf(idIn(answer))).code);
});

test('without the slash it is a redirect, even without a credential [pfop-03 pfop-rule-08 G29]', async () => {
  const answer = await secureSend({ target: '/pfop', body: 'bucket=b' });
  expect([answer.status, answer.header('location')]).toEqual([301, '/pfop/']);
});

describe('idle time', () => {
  const idle = (fops: string) => pfop(fields({ key: 'clip', type: '1', fops }));
  test.each([
    ['avthumb/mp4/vb/100k', 'pfop-07'],
    ['avthumb/m3u8/segtime/10', 'pfop-09'],
    ['vframe/jpg/offset/1', 'pfop-10'],
    ['vsample/jpg/ss/0/t/2/interval/1/pattern/JChjb3VudCk=', 'pfop-rule-06'],
  ])('%s may wait for it [%s]', async (fops) => {
    const task = await taskOf(idIn(await idle(fops)));
    expect([task.type, task.pipeline]).toEqual([1, '0.default']);
  });

  test('joining videos may wait for it [pfop-08]', async () => {
    const other = encodeBase64Text(`${target.url}/${bucket}/clip`);
    expect((await taskOf(idIn(await idle(`avconcat/2/format/mp4/${other}`)))).type).toBe(1);
  });

  test('other commands may not, not even beside one that may [pfop-11 pfop-rule-06 G34]', async () => {
    expectRefusalOf(await idle(SHRINK), 400, 'invalid argument');
    expectRefusalOf(await idle(`vframe/jpg/offset/1;${SHRINK}`), 400, 'invalid argument');
  });

  test('goes without a pipeline [pfop-20 pfop-rule-05 G34]', async () => {
    const named = fields({ key: 'clip', type: '1', fops: 'vframe/jpg/offset/1', pipeline: 'mine' });
    expectRefusalOf(await pfop(named), 400, 'invalid argument');
  });
});

test('type 0 is a normal task; others are refused [pfop-06 pfop-rule-04]', async () => {
  expect(await taskOf(await submitted(fields({ type: '0' })))).not.toHaveProperty('type');
  for (const type of ['2', '-1', 'x', '01'])
    expectRefusalOf(await pfop(fields({ type })), 400, 'invalid argument');
});

test('what is missing or given twice is refused [pfop-14 pfop-22 err-pfop-01 pfop-rule-01]', async () => {
  const { bucket: _bucket, ...noBucket } = fields();
  const { key: _key, ...noKey } = fields();
  const { fops: _fops, ...noCommands } = fields();
  for (const wrong of [noBucket, noKey, noCommands, fields({ workflowTemplateID: 'w' })])
    expectRefusalOf(await pfop(wrong), 400, 'invalid argument');
});

test.each([
  'nonsense',
  'imageView2',
  'imageView2/9/w/1',
  'avthumb/mp4/vb/lots',
  'avthumb/mp4/unknown/1',
  `${SHRINK}|`,
  `${SHRINK};;${SHRINK}`,
  `${SHRINK}|saveas/***`,
  'saveas/YTpi',
  'avthumb/mp4/vcodec/libx264;rm -rf',
])('the command %s is refused [err-pfop-02 pfop-rule-02 task-state-03]', async (fops) => {
  expectRefusalOf(await pfop(fields({ fops })), 400, 'invalid argument');
});

test.each(['avthumb/m4a/audioProfile/aac_he', 'avthumb/amr'])(
  'the command %s, which this ffmpeg can not do, is refused and says so [command-13]',
  async (fops) => {
    const answer = await pfop(fields({ fops }));
    expectRefusalOf(answer, 400, 'unsupported command');
    expect(answer.json()).toMatchObject({ hint: expect.stringMatching(/./) });
  },
);

test('an unknown pipeline or template is refused [pfop-rule-03 version-02]', async () => {
  expectRefusalOf(await pfop(fields({ pipeline: 'nowhere' })), 400, 'invalid argument');
  const template = { bucket, key: 'image', workflowTemplateID: 'nowhere' };
  expectRefusalOf(await pfop(template), 400, 'invalid argument');
});

test('an empty pipeline is the shared queue [pfop-21 task-14 prefop-rule-07]', async () => {
  expect((await taskOf(await submitted(fields({ pipeline: '' })))).pipeline).toBe('0.default');
});

test('a bad credential is refused [err-pfop-03]', async () => {
  const call = { target: '/pfop/', body: new URLSearchParams(fields()).toString() };
  const signed = authorize(call, { url: target.secure.url });
  for (const credential of [undefined, `${signed.slice(0, -3)}AA=`, 'Svc nonsense'])
    expectRefusalOf(await secureSend(call, credential), 401, 'bad token');
});

test('a source that is not there, or not the caller’s, is 404 [err-pfop-04 pfop-rule-09 G29]', async () => {
  const missing = await pfop(fields({ key: 'nothing' }));
  expectRefusalOf(missing, 404, 'not found');
  const nowhere = await pfop(fields({ bucket: 'no-such-bucket-here' }));
  const foreign = await pfop(fields(), { keys: target.stranger });
  expectRefusalOf(foreign, 404, 'not found');
  expect(nowhere.text()).toBe(foreign.text());
});

test('results may be saved in one’s own buckets only [pfop-rule-10]', async () => {
  const foreign = await newBucket();
  await put(foreign, 'image', await image());
  const fops = `${SHRINK}|${saveas('somebody-elses', 'k')}`;
  expectRefusalOf(await pfop(fields({ fops })), 400, 'invalid argument');
  const theirs = `${SHRINK}|${saveas(foreign, 'k')}`;
  const answer = await secureSigned(
    { target: '/pfop/', body: new URLSearchParams(fields({ fops: theirs })).toString() },
    { keys: target.stranger },
  );
  expect(answer.status).toBe(404);
});

test('a playlist whose segments would have no keys is refused before anything is made [pfop-rule-02]', async () => {
  const playlist = (bytes: number) =>
    pfop(fields({ key: 'clip', fops: `avthumb/m3u8|${saveas(bucket, 'k'.repeat(bytes))}` }));
  const refused = await playlist(741);
  expectRefusalOf(refused, 400, 'invalid argument');
  expect(refused.json()).toMatchObject({ hint: expect.stringContaining('at most 740 bytes') });
  const [item] = (await ended(idIn(await playlist(740)))).items;
  expect(item).toMatchObject({ code: 0, keys: ['k'.repeat(740), `${'k'.repeat(740)}/000000.ts`] });
  expect((await stat(bucket, `${'k'.repeat(740)}/000000.ts`)).status).toBe(200);
});

test('a refused submit makes neither task nor object [task-state-03]', async () => {
  const fops = `${SHRINK}|${saveas(bucket, 'never')};nonsense`;
  expect((await pfop(fields({ fops }))).status).toBe(400);
  expect((await stat(bucket, 'never')).status).toBe(612);
});

test('an id that no task has is 612, none at all 400 [err-prefop-01 err-prefop-02 prefop-05 G29]', async () => {
  for (const id of [`z0.${'0'.repeat(40)}`, 'nonsense', `z9.${'0'.repeat(40)}`])
    expect((await prefop(id)).status).toBe(612);
  for (const target of ['/status/get/prefop', '/status/get/prefop?id='])
    expectRefusalOf(await secureSend({ method: 'GET', target, contentType: null }), 400, 'invalid argument');
});

test('two commands are two items [pfop-12 task-12]', async () => {
  const { items } = await ended(await submitted(fields({ fops: `${SHRINK};imageInfo` })));
  expect(items.map((item) => item.cmd)).toEqual([SHRINK, 'imageInfo']);
});

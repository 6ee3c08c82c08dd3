/** What a task leaves behind: results under their keys, items with their codes, and what an existing result means. */
import { createHash } from 'node:crypto';
import { etagOf } from '@millpond/protocol';
import { hashing } from '@millpond/testing';
import { beforeAll, expect, test } from 'vitest';
import { recordOf } from '../support/expectations.ts';
import {
  clip,
  ended,
  image,
  probed,
  processed,
  put,
  saveas,
  submitted,
  taskOf,
} from '../support/objects/processing.ts';
import { download, newBucket, stat, target, upload } from '../support/target.ts';

const SHRINK = 'imageView2/2/w/100';
let bucket: string;

beforeAll(async () => {
  bucket = await newBucket();
  await put(bucket, 'image', await image());
  await put(bucket, 'clip', await clip());
});

const bytesOf = async (key: string) => Buffer.from(await (await download(bucket, key)).arrayBuffer());

test('the result is made from the source and stored under the key of saveas [pfop-05 pfop-13 task-03 item-01 item-05 item-08 item-09 item-10]', async () => {
  const cmd = `${SHRINK}|${saveas(bucket, 'small/é')}`;
  const task = await ended(await submitted({ bucket, key: 'image', fops: cmd }));
  const { hash } = await recordOf(bucket, 'small/é');
  expect(task).toMatchObject({ code: 0, desc: 'The fop was completed successfully' });
  expect(task.items).toEqual([
    {
      cmd,
      code: 0,
      desc: 'The fop was completed successfully',
      error: '',
      hash,
      key: 'small/é',
      returnOld: 0,
    },
  ]);
  const { streams } = await probed(await bytesOf('small/é'));
  expect(streams[0]).toMatchObject({ width: 100, height: 75 });
});

test('without saveas it lands beside the source, named by command and source [task-rule-05]', async () => {
  const { key } = await processed({ bucket, key: 'image', fops: SHRINK });
  const name = createHash('sha1').update(SHRINK).digest('base64').replaceAll('+', '-').replaceAll('/', '_');
  expect(key).toBe(`${name}/${(await recordOf(bucket, 'image')).hash}`);
  expect((await stat(bucket, key)).status).toBe(200);
});

test('the record has these fields, of these types [task-01 task-02 task-07 task-08 task-09 task-10 task-11 task-15 task-17 task-18 item-02 item-03 prefop-01 prefop-04 prefop-rule-04 prefop-rule-06 prefop-rule-08 prefop-rule-09 G31]', async () => {
  const before = Date.now();
  const id = await submitted({ bucket, key: 'image', fops: SHRINK });
  const task = await ended(id);
  expect(Object.keys(task).toSorted()).toEqual(
    [
      'code',
      'creationDate',
      'desc',
      'id',
      'inputBucket',
      'inputKey',
      'items',
      'pipeline',
      'reqid',
    ].toSorted(),
  );
  expect(task).toMatchObject({
    id,
    code: 0,
    inputBucket: bucket,
    inputKey: 'image',
    pipeline: '0.default',
  });
  expect(task.creationDate).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
  // The two clocks are the same machine's; a minute is room for a slow one.
  expect(Math.abs(Date.parse(task.creationDate) - before)).toBeLessThan(60_000);
  expect(task.reqid).toMatch(/./);
});

test('an existing result is not made again unless forced; only 1 forces [pfop-17 pfop-18 pfop-rule-11 task-rule-06 item-11 G27]', async () => {
  await put(bucket, 'taken', Buffer.from('was here before'));
  const { hash } = await recordOf(bucket, 'taken');
  const fops = `${SHRINK}|${saveas(bucket, 'taken')}`;
  for (const force of ['', '0', 'true', '01']) {
    expect(await processed({ bucket, key: 'image', fops, force })).toMatchObject({
      key: 'taken',
      hash,
      returnOld: 1,
    });
  }
  const made = await processed({ bucket, key: 'image', fops, force: '1' });
  expect(made.returnOld).toBe(0);
  expect(made.hash).not.toBe(hash);
  expect((await recordOf(bucket, 'taken')).hash).toBe(made.hash);
});

test('of two that race for one target one makes it, the other returns it [task-rule-07 G27]', async () => {
  const commands = ['imageView2/2/w/90', 'imageView2/2/w/80', 'imageView2/2/w/70'];
  const ids = await Promise.all(
    commands.map((cmd) => submitted({ bucket, key: 'image', fops: `${cmd}|${saveas(bucket, 'raced')}` })),
  );
  const items = (await Promise.all(ids.map((id) => ended(id)))).map((task) => task.items[0]);
  const { hash } = await recordOf(bucket, 'raced');
  expect(items.map((item) => [item?.code, item?.hash])).toEqual(commands.map(() => [0, hash]));
  expect(items.filter((item) => item?.returnOld === 1)).toHaveLength(2);
});

test('the source is the one of the submission, whatever happens to its key [task-rule-08 G28]', async () => {
  await put(bucket, 'fleeting', await image('200x100'));
  const slow = `imageMogr2/blur/50x50|${saveas(bucket, 'of the old')}`;
  const id = await submitted({ bucket, key: 'fleeting', fops: slow });
  await put(bucket, 'fleeting', await image('60x60'));
  expect((await ended(id)).code).toBe(0);
  const { streams } = await probed(await bytesOf('of the old'));
  expect(streams[0]).toMatchObject({ width: 200, height: 100 });
});

test('a failed item says why and where, and fails its task; the others are done [task-06 item-04 item-06 prefop-rule-05 task-rule-03 G30]', async () => {
  await put(bucket, 'text', Buffer.from('not an image'));
  const fops = `${SHRINK}|${saveas(bucket, 'none')};qhash/md5|${saveas(bucket, 'digest')}`;
  const task = await ended(await submitted({ bucket, key: 'text', fops }));
  expect(task).toMatchObject({ code: 3, desc: 'The fop is failed' });
  const [failed, done] = task.items;
  expect(failed).toEqual({
    cmd: `${SHRINK}|${saveas(bucket, 'none')}`,
    code: 3,
    desc: 'The fop is failed',
    error: expect.stringMatching(/./),
    errorIndex: '0',
    returnOld: 0,
  });
  expect(done).toMatchObject({ code: 0, key: 'digest' });
  expect(JSON.parse((await bytesOf('digest')).toString())).toEqual({
    hash: createHash('md5').update('not an image').digest('hex'),
    fsize: 12,
  });
  expect((await stat(bucket, 'none')).status).toBe(612);
});

test('errorIndex counts the segments of a pipe [item-07]', async () => {
  const fops = `vframe/jpg/offset/1|avthumb/mp4|${saveas(bucket, 'never')}`;
  const task = await ended(await submitted({ bucket, key: 'text', fops }));
  expect(task.items[0]).toMatchObject({ code: 3, errorIndex: '0' });
  const second = `qhash/md5|imageView2/2/w/10|${saveas(bucket, 'never')}`;
  expect((await ended(await submitted({ bucket, key: 'text', fops: second }))).items[0]).toMatchObject({
    code: 3,
    errorIndex: '1',
  });
});

test('the hash of a result is the hash of its bytes', async () => {
  const { key, hash } = await processed({
    bucket,
    key: 'clip',
    fops: `vframe/jpg/offset/1|${saveas(bucket, 'f')}`,
  });
  expect(hash).toBe(etagOf(hashing, await bytesOf(key)));
});

test('a task of an upload is made with its object and found by the id in the answer [task-state-02 prefop-03 upload-07]', async () => {
  const policy = {
    scope: `${bucket}:uploaded`,
    persistentOps: `${SHRINK}|${saveas(bucket, 'of the upload')}`,
    persistentNotifyUrl: `${target.url.replace(/:\d+$/, ':9')}/`,
  };
  const answer = await upload(policy, await image(), { key: 'uploaded' });
  const { persistentId } = (await answer.json()) as { persistentId: string };
  expect((await taskOf(persistentId)).inputKey).toBe('uploaded');
  expect((await ended(persistentId)).code).toBe(0);
  expect((await stat(bucket, 'of the upload')).status).toBe(200);
});

/** Calls on one's own tasks, over which transport processing answers, and sources that can't be read. */
import { FORM_TYPE } from '@millpond/protocol';
import { signedFetch } from '@millpond/testing';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { expectRefusalOf } from '../support/expectations.ts';
import { chtype } from '../support/objects/archive.ts';
import {
  clip,
  ended,
  idIn,
  image,
  pfop,
  put,
  saveas,
  submitted,
  type Task,
} from '../support/objects/processing.ts';
import type { RawResponse } from '../support/raw.ts';
import { secureSigned } from '../support/running/secure.ts';
import { newBucket, stat, target, upload } from '../support/target.ts';

interface OwnTask extends Task {
  readonly percent: number;
  readonly items: readonly (Task['items'][number] & { readonly words?: string })[];
}

let bucket: string;

beforeAll(async () => {
  bucket = await newBucket();
  await put(bucket, 'image', await image());
  await put(bucket, 'text', Buffer.from('no image'));
  await put(bucket, 'clip', await clip({ seconds: 90, size: '640x360', rate: 25 }));
});

const LONG = 'avthumb/mp4/vcodec/libx264/crf/10';
const call = (method: string, path: string, keys = target.account): Promise<RawResponse> =>
  secureSigned({ method, target: path, contentType: null }, { keys });
const own = async (id: string) => (await call('GET', `/v1/tasks/${id}`)).json() as OwnTask;
const listed = async (query: string) =>
  (await call('GET', `/v1/tasks?${query}`)).json() as { items: OwnTask[]; marker?: string };

test('tasks are listed by state, pipeline, key and time, to their owner only [task-call-01]', async () => {
  const place = await newBucket();
  await put(place, 'a', await image());
  await put(place, 'b', Buffer.from('no image'));
  const ids = [];
  for (const key of ['a', 'b', 'a'])
    ids.push(await submitted({ bucket: place, key, fops: 'imageInfo', force: '1' }));
  for (const id of ids) await ended(id);
  const idsOf = async (query: string) => (await listed(`bucket=${place}&${query}`)).items.map(({ id }) => id);
  const [first, second, third] = ids;
  expect(await idsOf('')).toEqual([third, second, first]);
  expect(await idsOf('state=failed')).toEqual([second]);
  expect(await idsOf('state=done&key=a')).toEqual([third, first]);
  expect(await idsOf('pipeline=none')).toEqual([]);
  expect(await idsOf(`from=${Math.floor(Date.now() / 1000) + 60}`)).toEqual([]);
  const page = await listed(`bucket=${place}&limit=2`);
  expect(page.items.map(({ id }) => id)).toEqual([third, second]);
  expect(await idsOf(`marker=${encodeURIComponent(page.marker ?? '')}`)).toEqual([first]);
  for (const query of ['state=odd', 'limit=0', 'limit=1001', 'from=x', 'key=a'])
    expectRefusalOf(await call('GET', `/v1/tasks?${query}`), 400, 'invalid argument');
  expect((await call('GET', `/v1/tasks/${first}`, target.stranger)).status).toBe(612);
  expect((await call('GET', `/v1/tasks?bucket=${place}`, target.stranger)).status).toBe(631);
});

test('a running task tells how far it has come, and can be cancelled [task-call-02 task-call-03]', async () => {
  const id = await submitted({ bucket, key: 'clip', fops: `${LONG}|${saveas(bucket, 'cancelled')}` });
  await vi.waitFor(
    async () => {
      const { percent } = await own(id);
      expect(percent).toBeGreaterThan(0);
      expect(percent).toBeLessThan(100);
    },
    { timeout: 300_000, interval: 200 },
  );
  expect((await call('POST', `/v1/tasks/${id}/cancel`, target.stranger)).status).toBe(612);
  expect((await call('POST', `/v1/tasks/${id}/cancel`)).status).toBe(200);
  expect(await ended(id)).toMatchObject({ code: 3, items: [{ code: 3, error: 'cancelled' }] });
  expect((await stat(bucket, 'cancelled')).status).toBe(612);
  expect((await call('POST', `/v1/tasks/${id}/cancel`)).status).toBe(403);
});

test('a failed task shows the last words of its engine to its owner; run again it is a new one [task-call-02 task-call-03]', async () => {
  const id = await submitted({ bucket, key: 'text', fops: `avthumb/mp4|${saveas(bucket, 'never')}` });
  const failed = await ended(id);
  expect(failed.code).toBe(3);
  expect(failed.items[0]).not.toHaveProperty('words');
  expect((await own(id)).items[0]?.words).toMatch(/./);
  await put(bucket, 'text', await clip({ seconds: 1 }));
  const again = idIn(await call('POST', `/v1/tasks/${id}/rerun`));
  expect(again).not.toBe(id);
  expect((await ended(again)).code).toBe(0);
});

describe('over plain HTTP', () => {
  test('neither submit nor query is answered, nor redirected [https-rule-05]', async () => {
    const body = new URLSearchParams({ bucket, key: 'image', fops: 'imageInfo' }).toString();
    for (const answer of [
      await signedFetch(target.url, target.account, '/pfop/', { body, contentType: FORM_TYPE }),
      await fetch(`${target.url}/status/get/prefop?id=x`),
    ]) {
      expect(answer.status).toBe(400);
      expect(await answer.json()).toEqual({ error: 'this host answers over HTTPS only' });
    }
  });
});

test('a frozen source answers 403 [pfop-rule-07 G26]', async () => {
  const content = await image('64x64');
  for (const [fileType, text] of [
    [2, 'archive unrestored'],
    [3, 'deep archive unrestored'],
  ] as const) {
    const key = `class ${fileType}`;
    expect((await upload({ scope: `${bucket}:${key}`, fileType }, content, { key })).status).toBe(200);
    expectRefusalOf(await pfop({ bucket, key, fops: 'imageInfo' }), 403, text);
  }
});

test('a task is not run again on a source that was frozen since [pfop-rule-07 G26]', async () => {
  const key = 'frozen later';
  await put(bucket, key, await image('64x64'));
  const id = await submitted({ bucket, key, fops: 'imageInfo' });
  await ended(id);
  expect((await chtype({ bucket, key }, 2)).status).toBe(200);
  expectRefusalOf(await call('POST', `/v1/tasks/${id}/rerun`), 403, 'archive unrestored');
  expect((await listed(`bucket=${bucket}&key=${encodeURIComponent(key)}`)).items).toHaveLength(1);
});

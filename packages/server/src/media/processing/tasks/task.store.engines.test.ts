/** Fences, leases and pipelines of tasks, on a real database. */
import { randomBytes } from 'node:crypto';
import { makeTaskId } from '@millpond/protocol';
import { beforeAll, expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { openTransaction } from '../../../../test/locks.ts';
import { noChildren } from '../../../identity/accounts/accounts.testing.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { Admission } from '../pipelines/admission.ts';
import { PipelineStore } from '../pipelines/pipeline.store.ts';
import { SOURCE_BUCKET as BUCKET, putSource } from '../processing.testing.ts';
import type { TaskItem } from '../task.ts';
import { TaskStore } from './task.store.ts';
import { runOf } from './task-completion.ts';
import { TaskDaysStore } from './task-days.store.ts';
import { idTimeOf } from './tasks.ts';

const UID = 1_380_000_001n;
const databases = useDatabases();
let store: TaskStore;

beforeAll(async () => {
  store = new TaskStore(databases.region);
  await putSource(databases.region);
});

const ITEM: TaskItem = { cmd: 'imageInfo', code: 1, error: '', returnOld: 0 };

async function newTask(
  on: Queryable = databases.region,
  pipeline?: string,
  isAdmitted = true,
  item = ITEM,
): Promise<string> {
  const id = makeTaskId('z0', Math.floor(Date.now() / 1000), randomBytes(16));
  const task = {
    id,
    idTime: idTimeOf(id),
    uid: UID,
    bucketId: BUCKET,
    bucket: 'b',
    key: 'source',
    items: [item],
    isIdle: false,
    pipeline,
    isAdmitted,
    isForced: false,
    notifyUrl: undefined,
    accessKey: undefined,
    reqid: 'r',
    taskFrom: undefined,
  };
  expect(await store.insert(task, on)).toBeDefined();
  return id;
}

async function begun(id: string) {
  const row = await store.begin(id, idTimeOf(id));
  if (row === undefined) throw new Error('the task can not be begun');
  return row;
}

test('a run that another has followed can not write any more', async () => {
  const id = await newTask();
  const first = runOf(await begun(id));
  const second = runOf(await begun(id));
  const done: TaskItem = { ...ITEM, code: 0 };
  expect(await store.setItem(first, 0, done)).toBe(false);
  expect(await store.renew(first, 10)).toBe('lost');
  expect(await store.finish(first, 0, [done], databases.region)).toBeUndefined();
  expect(await store.renew(second, 10)).toBe('held');
  expect(await store.setItem(second, 0, done)).toBe(true);
  expect(await store.finish(second, 0, [done], databases.region)).toMatchObject({ code: 0, items: [done] });
  expect(await store.begin(id, idTimeOf(id))).toBeUndefined();
});

test('what an item under way does is shown, until the item has ended', async () => {
  const id = await newTask();
  const row = await store.begin(id, idTimeOf(id), databases.region, 'here');
  if (row === undefined) throw new Error('the task can not be begun');
  expect(row).toMatchObject({ worker: 'here', begun_at: expect.any(Date), now: expect.any(Date) });
  const doing = { position: 0, stages: [{ name: 'fetch', begun: '2026-11-17T00:00:00.000Z', ms: 5 }] };
  await store.setItem(runOf(row), 0, { ...ITEM, code: 2 });
  expect(await store.renew(runOf(row), 10, doing)).toBe('held');
  const item = async () => (await store.find(id, idTimeOf(id)))?.items[0];
  expect(await item()).toMatchObject({ code: 2, stages: doing.stages });
  // A beat that was under way while the item ended comes too late.
  await store.setItem(runOf(row), 0, { ...ITEM, code: 0 });
  expect(await store.renew(runOf(row), 20, doing)).toBe('held');
  expect(await item()).toEqual({ ...ITEM, code: 0 });
});

test('only runs that did not say how they ended count against a task', async () => {
  const id = await newTask();
  for (let tries = 0; tries < 20; tries++) {
    const row = await begun(id);
    expect(row.silent_runs).toBe(1);
    await store.handBack(runOf(row));
  }
  await begun(id);
  expect((await begun(id)).silent_runs).toBe(2);
});

test('a cancelled run learns of it when it renews, and writes no item', async () => {
  const id = await newTask();
  const run = runOf(await begun(id));
  await store.cancel(id, run.idTime, UID, databases.region);
  expect(await store.setItem(run, 0, ITEM)).toBe(false);
  expect(await store.renew(run, 1)).toBe('cancelled');
});

test('a page of tasks ends where their items are too much for one answer, and the next goes on there', async () => {
  const item = { ...ITEM, cmd: `imageInfo${' '.repeat(1024 * 1024)}` };
  const ids: string[] = [];
  for (let count = 0; count < 10; count++) ids.unshift(await newTask(undefined, 'large', false, item));
  const any = { code: undefined, bucketId: undefined, key: undefined, from: undefined, to: undefined };
  for (const uid of [UID, undefined]) {
    const sizes: number[] = [];
    const seen: string[] = [];
    for (let before: { createdAt: string; id: string } | undefined; ; ) {
      const page = await store.list({ ...any, uid, pipeline: 'large', before, limit: 1000 });
      const last = page.at(-1);
      if (last === undefined) break;
      sizes.push(page.length);
      seen.push(...page.map((row) => row.task_id));
      before = { createdAt: last.creation_date, id: last.task_id };
    }
    expect(sizes).toEqual([4, 4, 2]);
    // Ids of one second have no order of their own.
    expect(uid === undefined ? seen.toSorted() : seen).toEqual(uid === undefined ? ids.toSorted() : ids);
  }
});

test('however many are submitted at once, no more have a job than the pipeline allows; each that ends makes room', async () => {
  const enqueued: string[] = [];
  const admission = new Admission(
    {
      enqueueMany: async (_client, _queue, jobs) => {
        enqueued.push(...jobs.map(({ data }) => String(data.taskId)));
        return [];
      },
      enqueueLater: () => Promise.reject(new Error('nothing is put off here')),
    },
    noChildren,
  );
  await store.transaction((transaction) =>
    new PipelineStore(databases.region).put(transaction, UID, 'narrow', 3, 10),
  );
  const ids = await Promise.all(
    Array.from({ length: 12 }, () =>
      store.transaction(async (transaction) => {
        const isAdmitted = await admission.hasRoom(transaction, UID, 'narrow');
        const id = await newTask(transaction, 'narrow', isAdmitted);
        if (isAdmitted) await admission.enqueue(transaction, UID, [id], false);
        return id;
      }),
    ),
  );
  expect(enqueued).toHaveLength(3);
  for (let ended = 0; ended < ids.length; ended++) {
    const id = enqueued[ended];
    if (id === undefined) throw new Error(`after ${ended} tasks none has moved up`);
    const run = runOf(await begun(id));
    await store.transaction(async (transaction) => {
      await store.finish(run, 0, [{ ...ITEM, code: 0 }], transaction);
      await admission.refill(transaction, UID, 'narrow');
    });
    expect(enqueued.length - ended - 1).toBeLessThanOrEqual(3);
  }
  expect(enqueued.toSorted((a, b) => a.localeCompare(b))).toEqual(ids.toSorted((a, b) => a.localeCompare(b)));
});

test('days wait for their turn while a backup holds the tasks, and let everybody else through', async () => {
  await databases.region.pool.query(
    `CREATE TABLE region.tasks_20200101 PARTITION OF region.tasks
     FOR VALUES FROM ('2020-01-01 00:00+00') TO ('2020-01-02 00:00+00')`,
  );
  const backup = await openTransaction(databases.region);
  await backup.query('LOCK TABLE region.tasks IN ACCESS SHARE MODE');
  const days = new TaskDaysStore(databases.region);
  const [made, dropped] = [days.ensure(9), days.drop(11)];
  await begun(await newTask());
  await made;
  expect(await dropped).toBe(0);
  await backup.query('COMMIT');
  await backup.end();
  expect(await days.drop(11)).toBe(1);
});

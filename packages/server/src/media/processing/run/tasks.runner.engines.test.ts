/** A run that is cancelled ends its task, whoever notices it first; and every run is counted. */
import { randomBytes } from 'node:crypto';
import { openLog } from '@millpond/base';
import { EngineMissingError } from '@millpond/jail';
import { Fault, makeTaskId } from '@millpond/protocol';
import { beforeAll, expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { noChildren } from '../../../identity/accounts/accounts.testing.ts';
import { Admission } from '../pipelines/admission.ts';
import { putSource } from '../processing.testing.ts';
import { TaskStore } from '../tasks/task.store.ts';
import { TaskCompletion } from '../tasks/task-completion.ts';
import { idTimeOf } from '../tasks/tasks.ts';
import { ItemRunner } from './item-runner.ts';
import { ResultCacheStore } from './result-cache.store.ts';
import { TaskRunner } from './tasks.runner.ts';

const UID = 1_380_000_001n;
const databases = useDatabases();
let store: TaskStore;

beforeAll(async () => {
  store = new TaskStore(databases.region);
  await putSource(databases.region);
});

async function newTask(cmd = 'imageInfo', isForced = true): Promise<string> {
  const id = makeTaskId('z0', Math.floor(Date.now() / 1000), randomBytes(16));
  await store.insert(
    {
      id,
      idTime: idTimeOf(id),
      uid: UID,
      bucketId: 7n,
      bucket: 'b',
      key: 'source',
      items: [{ cmd, code: 1, error: '', returnOld: 0 }],
      isIdle: false,
      pipeline: undefined,
      isAdmitted: true,
      isForced,
      notifyUrl: 'http://x/',
      accessKey: undefined,
      reqid: 'r',
      taskFrom: undefined,
    },
    databases.region,
  );
  return id;
}

/** Runs a task whose item comes as far as this; who was told of its end. */
async function run(
  id: string,
  item: () => Promise<void>,
  enqueued: unknown[] = [],
): Promise<{ told: string[]; isSettled: boolean }> {
  const told: string[] = [];
  const queue = {
    enqueueMany: async (_client: unknown, name: string, jobs: readonly unknown[]) => {
      enqueued.push({ name, jobs });
      return [];
    },
    enqueueLater: async () => '',
  };
  const admission = new Admission(queue, noChildren);
  const notify = async (_transaction: unknown, task: { task_id: string }) => {
    told.push(task.task_id);
  };
  const works = new ResultCacheStore(databases.region);
  const owned = async () => {
    await item();
    throw new Fault('noSuchBucket');
  };
  // The first thing that an item asks for is its bucket; it comes no further here.
  const parts = { store, works, buckets: { owned }, objects: {}, results: {}, engine: {}, reuse: {} };
  const items = new ItemRunner(parts as unknown as ConstructorParameters<typeof ItemRunner>[0]);
  const ending = new TaskCompletion({ store, admission, notify });
  const runner = new TaskRunner({
    store,
    works,
    admission,
    tenants: noChildren,
    ending,
    items,
    worker: 'here',
    log: openLog('silent'),
  });
  let isSettled = false;
  const commit = async () => {
    isSettled = true;
  };
  await runner.run(id, { id: 'j', data: {}, attempt: 1, signal: new AbortController().signal, commit });
  return { told, isSettled };
}

const cancel = (id: string) => store.cancel(id, idTimeOf(id), UID, databases.region);
const codeOf = async (id: string) => (await store.find(id, idTimeOf(id)))?.code;

test('cancelled while its dead worker still has the lease: the next run ends it', async () => {
  const id = await newTask();
  await store.begin(id, idTimeOf(id));
  await cancel(id);
  expect(await run(id, async () => undefined)).toEqual({ told: [id], isSettled: true });
  expect(await codeOf(id)).toBe(3);
});

test('cancelled between two beats, when an item ends: the run ends it', async () => {
  const id = await newTask();
  expect(await run(id, async () => void (await cancel(id)))).toEqual({ told: [id], isSettled: true });
  expect(await codeOf(id)).toBe(3);
});

test('a run whose task another has begun says nothing', async () => {
  const id = await newTask();
  const { told } = await run(id, async () => void (await store.begin(id, idTimeOf(id))));
  expect([told, await codeOf(id)]).toEqual([[], 2]);
});

test('a task that this worker lacks an engine for goes to those that have it, and no try of it is lost', async () => {
  const id = await newTask('avthumb/mp4');
  const enqueued: unknown[] = [];
  const lacking = async () => {
    throw new EngineMissingError('media', { problem: 'ffmpeg is missing', remedy: 'install it' });
  };
  expect(await run(id, lacking, enqueued)).toEqual({ told: [], isSettled: true });
  expect(enqueued).toEqual([
    { name: 'task-media', jobs: [{ data: { taskId: id }, account: UID.toString() }] },
  ]);
  expect(await store.find(id, idTimeOf(id))).toMatchObject({ code: 1, silent_runs: 0 });
});

test('a run that fails of a command which this version does not know is counted: it is not tried for ever', async () => {
  for (const isForced of [true, false]) {
    const id = await newTask('from-the-future', isForced);
    await expect(run(id, async () => undefined)).rejects.toThrow('there is no command');
    expect(await store.find(id, idTimeOf(id))).toMatchObject({ code: 1, attempt: 1, silent_runs: 0 });
  }
});

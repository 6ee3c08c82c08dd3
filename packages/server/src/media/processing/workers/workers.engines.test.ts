/** What some worker can run, and what a task waits for, on a real database and its real queue. */
import { randomBytes, randomUUID } from 'node:crypto';
import { openLog } from '@millpond/base';
import { ENGINE_KINDS, type EngineKind, type MissingEngines } from '@millpond/jail';
import { makeTaskId, parseFops } from '@millpond/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { noChildren } from '../../../identity/accounts/accounts.testing.ts';
import { openQueue, type Queue } from '../../../platform/queue/queue.ts';
import { Admission } from '../pipelines/admission.ts';
import { taskQueues } from '../processing.create.ts';
import { putSource, SOURCE_BUCKET } from '../processing.testing.ts';
import { TaskStore } from '../tasks/task.store.ts';
import { TaskWaits } from '../tasks/task-waits.ts';
import { idTimeOf } from '../tasks/tasks.ts';
import { AbleWorkers } from './able-workers.ts';
import { WorkerPresence } from './presence.ts';
import { WorkerStore } from './worker.store.ts';

const databases = useDatabases();
const run = (text: string, values: unknown[] = []) => databases.region.pool.query(text, values);
const NO_FFMPEG: MissingEngines = {
  media: { problem: '/usr/bin/ffmpeg is missing', remedy: 'apt-get install ffmpeg' },
};

let store: WorkerStore;
beforeAll(() => {
  store = new WorkerStore(databases.region);
});
beforeEach(() => run('TRUNCATE region.task_workers, region.figures_processes, queue.jobs'));

async function worker(
  host: string,
  engines: readonly EngineKind[] | undefined,
  missing: MissingEngines = {},
) {
  const identity = { process: randomUUID(), host, pid: 7 };
  await store.report(identity, engines, missing);
  return identity;
}
const quiet = (process: string, seconds: number) =>
  run(`UPDATE region.task_workers SET seen_at = now() - make_interval(secs => $2) WHERE process = $1`, [
    process,
    seconds,
  ]);
/** What a submit of these commands is told; each time by a gateway that has just started. */
async function refusal(fops: string): Promise<string | undefined> {
  return new AbleWorkers(store).refuseUnable(parseFops(fops)).then(
    () => undefined,
    (error: { fault: string; status: number; hint: string }) =>
      `${error.status} ${error.fault}: ${error.hint}`,
  );
}

describe('a submit', () => {
  test('that nothing can run is refused with what is missing where, and what to do', async () => {
    expect(await refusal('qhash/md5')).toBe(
      '400 unsupportedCommand: qhash needs a worker, and for ten minutes there was none: no worker runs; an operator starts one with `millpond work`',
    );
    await worker('a', ['files', 'images'], NO_FFMPEG);
    expect(await refusal('imageView2/2/w/9|avthumb/mp4')).toBe(
      '400 unsupportedCommand: avthumb needs a worker with ffmpeg, and for ten minutes there was none: ' +
        'at a:7 /usr/bin/ffmpeg is missing (apt-get install ffmpeg)',
    );
    expect(await refusal('imageView2/2/w/9;qhash/md5')).toBeUndefined();
  });

  test('is accepted while some worker may have the engine: it has it, is still looking, or is of the version before', async () => {
    await worker('a', ['files'], NO_FFMPEG);
    expect(await refusal('avthumb/mp4')).toContain('400 ');
    await worker('b', undefined);
    expect(await refusal('avthumb/mp4')).toBeUndefined();
    await run('TRUNCATE region.task_workers');
    await run(
      `INSERT INTO region.figures_processes VALUES (gen_random_uuid(), 'old', 1, '{serve,work}', '{}', 1)`,
    );
    expect(await refusal('avthumb/mp4')).toBeUndefined();
  });

  test('is accepted for ten minutes after the last able worker ended: a restart refuses nobody', async () => {
    const gone = await worker('a', ENGINE_KINDS);
    await store.end(gone);
    await quiet(gone.process, 590);
    expect(await refusal('avthumb/mp4')).toBeUndefined();
    await quiet(gone.process, 610);
    expect(await refusal('avthumb/mp4')).toContain('no worker runs');
  });
});

test('a worker is there from before it knows what it has until it stops', async () => {
  const presence = new WorkerPresence(store, { warn: () => undefined });
  await presence.start();
  expect(await refusal('avthumb/mp4')).toBeUndefined();
  expect(await presence.opened(NO_FFMPEG)).toEqual(['files', 'images']);
  expect(await refusal('avthumb/mp4')).toContain('/usr/bin/ffmpeg is missing');
  // What comes before in the row of engines is needed by those after it.
  const { media } = NO_FFMPEG;
  expect(await presence.opened(media === undefined ? {} : { images: media })).toEqual(['files']);
  await presence.stop();
  expect((await store.list(600)).map(({ is_alive }) => is_alive)).toEqual([false]);
  await quiet((await run('SELECT process FROM region.task_workers')).rows[0]?.process as string, 2 * 86_400);
  await store.forget();
  expect(await store.list(1_000_000)).toEqual([]);
});

test('a process that runs no tasks says so, and is no worker', async () => {
  const presence = new WorkerPresence(store, { warn: () => undefined }, false);
  await presence.start();
  expect(await refusal('qhash/md5')).toMatch(/MILLPOND_MEDIA_SLOTS is 0 \(set it to 1 or more/);
  await presence.stop();
});

describe('what a task waits for', () => {
  let queue: Queue;
  let tasks: TaskStore;
  let admission: Admission;
  beforeAll(async () => {
    queue = openQueue({ pool: databases.region.pool, log: openLog('silent') });
    for (const [name, definition] of Object.entries(taskQueues)) await queue.define(name, definition);
    tasks = new TaskStore(databases.region);
    admission = new Admission(queue, noChildren);
    await putSource(databases.region);
    await run(`INSERT INTO region.pipelines VALUES (1, 'films', 1)`);
  });
  afterAll(() => queue.close());

  async function submit(
    uid: bigint,
    cmd: string,
    more: { isIdle?: boolean; pipeline?: string; isAdmitted?: boolean } = {},
  ) {
    const id = makeTaskId('z0', Math.floor(Date.now() / 1000), randomBytes(16));
    const { isIdle = false, pipeline, isAdmitted = true } = more;
    await tasks.transaction(async (transaction) => {
      const items = [{ cmd, code: 1 as const, error: '', returnOld: 0 as const }];
      const source = { bucketId: SOURCE_BUCKET, bucket: 'b', key: 'source', notifyUrl: undefined };
      const by = { accessKey: undefined, reqid: 'r', taskFrom: undefined, isForced: false };
      const task = { ...source, ...by, id, idTime: idTimeOf(id), uid, items, isIdle, pipeline, isAdmitted };
      await tasks.insert(task, transaction);
      if (isAdmitted) await admission.enqueue(transaction, uid, [id], isIdle);
    });
    return id;
  }
  async function waitOf(id: string) {
    const row = await tasks.find(id, idTimeOf(id));
    if (row === undefined) throw new Error('no such task');
    return new TaskWaits(databases.region, tasks, new AbleWorkers(store)).of(row);
  }

  test('its turn, with how many are before it and whose; nothing once it runs', async () => {
    await worker('a', ENGINE_KINDS);
    const first = await submit(1n, 'qhash/md5');
    const second = await submit(1n, 'qhash/md5');
    const other = await submit(2n, 'qhash/md5');
    expect(await waitOf(first)).toEqual({
      reason: 'turn',
      text: 'its turn: it is the next',
      ahead: 0,
      aheadOwn: 0,
    });
    expect(await waitOf(second)).toEqual({
      reason: 'turn',
      ahead: 2,
      aheadOwn: 1,
      text: 'its turn: 2 before it, 1 of them of this account',
    });
    expect(await waitOf(other)).toMatchObject({ ahead: 0 });
    await tasks.begin(second, idTimeOf(second));
    expect(await waitOf(second)).toBeUndefined();
  });

  test('a worker with the engine of what is still to be done, also where it was left for one', async () => {
    await worker('a', ['files', 'images'], NO_FFMPEG);
    const film = await submit(1n, 'avthumb/mp4');
    const expected = {
      reason: 'worker',
      text: 'a worker with ffmpeg: at a:7 /usr/bin/ffmpeg is missing (apt-get install ffmpeg)',
    };
    expect(await waitOf(film)).toEqual(expected);
    await tasks.transaction(async (transaction) => {
      await run('DELETE FROM queue.jobs');
      await admission.leaveTo(transaction, { uid: 1n, task_id: film }, 'media');
    });
    expect(await waitOf(film)).toEqual(expected);
    await worker('b', ENGINE_KINDS);
    expect(await waitOf(film)).toMatchObject({ reason: 'turn', ahead: 0 });
  });

  test('room in its pipeline, with those that get it before', async () => {
    await worker('a', ENGINE_KINDS);
    await submit(1n, 'qhash/md5', { pipeline: 'films' });
    const next = await submit(1n, 'qhash/md5', { pipeline: 'films', isAdmitted: false });
    const last = await submit(1n, 'qhash/md5', { pipeline: 'films', isAdmitted: false });
    expect(await waitOf(next)).toEqual({
      reason: 'pipeline',
      ahead: 0,
      text: 'room in the pipeline 1.films: it is the next',
    });
    expect(await waitOf(last)).toMatchObject({ ahead: 1, text: 'room in the pipeline 1.films: 1 before it' });
  });

  test('idle time, the same work elsewhere, and the next try with its time', async () => {
    await worker('a', ENGINE_KINDS);
    const idle = await submit(1n, 'avthumb/mp4', { isIdle: true });
    expect(await waitOf(idle)).toMatchObject({
      reason: 'idle',
      text: 'a worker that has nothing else to do: it is the next',
    });
    const late = await submit(1n, 'qhash/md5');
    await run(`DELETE FROM queue.jobs WHERE data ->> 'taskId' = $1`, [late]);
    await tasks.transaction((transaction) =>
      admission.putOff(transaction, { uid: 1n, task_id: late, is_idle: false }, 0),
    );
    expect(await waitOf(late)).toMatchObject({ reason: 'sameWork' });
    const failed = await submit(1n, 'qhash/md5');
    await run(
      `UPDATE queue.jobs SET state = 'retry', until = '2030-01-01Z', reason = 'secret' WHERE data ->> 'taskId' = $1`,
      [failed],
    );
    expect(await waitOf(failed)).toEqual({
      reason: 'retry',
      until: '2030-01-01T00:00:00.000Z',
      text: 'the next try at 2030-01-01T00:00:00.000Z: the server failed at the last one',
    });
  });

  test('costs the same however many wait: 1,000 are counted', async () => {
    await worker('a', ENGINE_KINDS);
    const ids = Array.from({ length: 1500 }, (_, n) => `z0.x${n}`);
    await tasks.transaction((transaction) => admission.enqueue(transaction, 3n, ids, false));
    const last = await submit(3n, 'qhash/md5');
    expect(await waitOf(last)).toMatchObject({
      ahead: 1000,
      aheadOwn: 1000,
      text: 'its turn: 1000 or more are before it, 1000 of them of this account',
    });
    await run('ANALYZE queue.jobs');
    const { rows } = await run(
      `EXPLAIN (FORMAT JSON) SELECT FROM queue.jobs WHERE coalesce(data ->> 'taskId', data ->> 'fetchId') = 'x' AND data ?| '{taskId,fetchId}'`,
    );
    expect(JSON.stringify(rows)).toContain('jobs_subject');
  });
});

import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FailedJob, openFailedJobs } from './queue.failures.ts';
import { createTestDatabase, inTransaction, type TestDatabase, until } from './queue.testing.ts';
import type { Job, Queue } from './queue.ts';

let database: TestDatabase;
let queue: Queue;

beforeAll(async () => {
  database = await createTestDatabase();
  queue = database.open();
});
afterAll(() => database.drop());

const failuresOf = (name: string): Promise<FailedJob[]> => openFailedJobs(database.pool).list(name, 100);

describe('enqueue', () => {
  test('a job exists exactly when its transaction commits', async () => {
    await queue.define('committed', { kind: 'normal' });
    const ran: unknown[] = [];
    const worker = await queue.work({ committed: async (job) => void ran.push(job.data.n) }, { slots: 4 });
    await inTransaction(database.pool, async (client) => {
      await queue.enqueue(client, 'committed', { n: 'rolled back' });
      throw new Error('change of mind');
    }).catch(() => undefined);
    await inTransaction(database.pool, async (client) => {
      await queue.enqueue(client, 'committed', { n: 'committed' });
      // One that was committed later is taken first.
      await queue.enqueue(database.pool, 'committed', { n: 'meanwhile' });
      await until(() => ran.length > 0);
      expect(ran).toEqual(['meanwhile']);
    });
    await until(() => ran.length > 1);
    await queue.enqueue(database.pool, 'committed', { n: 'last' });
    await until(() => ran.length > 2);
    await worker.stop();
    expect(ran).toEqual(['meanwhile', 'committed', 'last']);
  });

  test('takes no connection but the one it is given, from the first job on', async () => {
    await queue.define('first-use', { kind: 'normal' });
    const connections = database.pool.options.max;
    // All there are: a further one would be waited for in vain.
    const clients = await Promise.all(Array.from({ length: connections }, () => database.pool.connect()));
    try {
      const ids = await Promise.all(clients.map((client) => queue.enqueue(client, 'first-use', {})));
      expect(new Set(ids).size).toBe(connections);
    } finally {
      for (const client of clients) client.release();
    }
  });

  test('many jobs keep their data and get an id each', async () => {
    await queue.define('many', { kind: 'normal' });
    const jobs = Array.from({ length: 2500 }, (_, n) => ({
      data: { n, text: `"quoted" $1 ü ${n}` },
      account: `a${n % 7}`,
    }));
    const ids = await queue.enqueueMany(database.pool, 'many', jobs);
    const ran = new Map<string, unknown>();
    const worker = await queue.work({ many: async (job) => void ran.set(job.id, job.data) }, { slots: 50 });
    await until(() => ran.size === 2500);
    await worker.stop();
    expect(ids.map((id) => ran.get(id))).toEqual(jobs.map((job) => job.data));
  });

  test('an undefined queue, too much data and a bad name are refused', async () => {
    await expect(queue.enqueue(database.pool, 'nowhere', {})).rejects.toThrow('not defined');
    await queue.define('small', { kind: 'normal' });
    await expect(queue.enqueue(database.pool, 'small', { text: 'x'.repeat(70_000) })).rejects.toThrow(
      'too large',
    );
    await expect(queue.define("x' OR 1", { kind: 'normal' })).rejects.toThrow('not a queue name');
  });

  test('a definition may be repeated and changed', async () => {
    await queue.define('changing', { kind: 'normal', retryLimit: 7 });
    await queue.define('changing', { kind: 'normal', retryLimit: 0 });
    await queue.enqueue(database.pool, 'changing', {});
    const worker = await queue.work({ changing: () => Promise.reject(new Error('broken')) }, { slots: 1 });
    await until(async () => (await failuresOf('changing')).length > 0);
    await worker.stop();
    expect(await failuresOf('changing')).toMatchObject([{ attempts: 1 }]);
  });
});

describe('failing jobs', () => {
  test('are retried later, then kept as failed, with the reason, and can be sent again', async () => {
    await queue.define('failing', { kind: 'normal', retryLimit: 1 });
    const seen: { attempt: number; at: number }[] = [];
    let isMended = false;
    const worker = await queue.work(
      {
        failing: async (job) => {
          seen.push({ attempt: job.attempt, at: performance.now() });
          if (!isMended) throw new Error(`broken at ${String(job.data.place)}`);
        },
      },
      { slots: 2 },
    );
    await queue.enqueue(database.pool, 'failing', { place: 'the mill' });
    await until(async () => (await failuresOf('failing')).length > 0);
    expect(seen.map((entry) => entry.attempt)).toEqual([1, 2]);
    expect((seen[1]?.at ?? 0) - (seen[0]?.at ?? 0)).toBeGreaterThan(900);
    const [failure] = await failuresOf('failing');
    expect(failure).toMatchObject({ data: { place: 'the mill' }, reason: 'broken at the mill', attempts: 2 });
    await until(async () =>
      (await queue.stats()).some((entry) => entry.queue === 'failing' && entry.failed === 1),
    );

    isMended = true;
    expect(await openFailedJobs(database.pool).retryAll('failing')).toBe(1);
    await until(() => seen.length === 3);
    await worker.stop();
    expect(await failuresOf('failing')).toEqual([]);
  });
});

describe('stop', () => {
  test('waits for what can finish and hands the rest back at once, unspent', async () => {
    await queue.define('stopping', { kind: 'normal', retryLimit: 0 });
    const started: Job[] = [];
    const stopping = new EventEmitter();
    let quickDone = false;
    const worker = await queue.work(
      {
        stopping: async (job) => {
          started.push(job);
          if (job.data.kind === 'quick') {
            await once(stopping, 'begins');
            quickDone = true;
          } else {
            await new Promise((_, reject) =>
              job.signal.addEventListener('abort', () => reject(job.signal.reason)),
            );
          }
        },
      },
      { slots: 3, graceSeconds: 5 },
    );
    await queue.enqueueMany(
      database.pool,
      'stopping',
      ['quick', 'slow', 'slow'].map((kind) => ({ data: { kind } })),
    );
    await until(() => started.length === 3);
    const stopped = worker.stop();
    stopping.emit('begins');
    await stopped;
    expect(quickDone).toBe(true);
    expect(worker.running()).toBe(0);

    const again: Job[] = [];
    const next = await queue.work({ stopping: async (job) => void again.push(job) }, { slots: 3 });
    await until(() => again.length === 2);
    await next.stop();
    expect(again.map((job) => [job.data.kind, job.attempt])).toEqual([
      ['slow', 2],
      ['slow', 2],
    ]);
    expect(await failuresOf('stopping')).toEqual([]);
  });

  test('a handler that ignores its signal cannot finish the job after it was handed back', async () => {
    await queue.define('deaf', { kind: 'normal' });
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let isCommitRefused = false;
    let isStarted = false;
    const worker = await queue.work(
      {
        deaf: async (job) => {
          isStarted = true;
          await held;
          await job.commit(database.pool).catch(() => {
            isCommitRefused = true;
          });
        },
      },
      { slots: 1, graceSeconds: 0 },
    );
    await queue.enqueue(database.pool, 'deaf', {});
    await until(() => isStarted);
    await worker.stop();
    letGo();
    await until(() => isCommitRefused);
    let attempt = 0;
    const next = await queue.work(
      {
        deaf: async (job) => {
          attempt = job.attempt;
        },
      },
      { slots: 1 },
    );
    await until(() => attempt > 0);
    await next.stop();
    expect(attempt).toBe(2);
  });
});

test('stats count what waits, runs and is delayed, and how long the oldest waits', async () => {
  await queue.define('counted', { kind: 'normal' });
  await queue.enqueueMany(
    database.pool,
    'counted',
    Array.from({ length: 5 }, () => ({ data: {} })),
  );
  await queue.enqueueLater(database.pool, 'counted', {}, 3600);
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const worker = await queue.work({ counted: () => held }, { slots: 2 });
  await until(async () => {
    const entry = (await queue.stats()).find((candidate) => candidate.queue === 'counted');
    const isCounted = entry?.waiting === 3 && entry.active === 2 && entry.delayed === 1 && entry.failed === 0;
    // It waits for as long as somebody could have run it: this test's seconds, not the hour of the delayed one.
    return isCounted && entry.oldestSeconds > 0 && entry.oldestSeconds < 3000;
  });
  letGo();
  await worker.stop();
});

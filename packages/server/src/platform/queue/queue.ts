/**
 * Durable work in the region database. A job exists exactly when the transaction that enqueued it commits, and then
 * runs at least once, whatever crashes; `job.commit` makes its effects happen once. Accounts take turns in a queue,
 * idle queues wait for free slots, delayed and periodic work go by the database's clock.
 *
 * The deploy step runs `migrateQueue` and the region's migrations; a running process calls `openQueue`.
 */
import type pg from 'pg';
import type { PgBoss } from 'pg-boss';
import type { Log } from '../log.ts';
import { createAttempts } from './attempts.ts';
import { migrateQueue, startBoss } from './boss.ts';
import { type DefinedQueue, defineQueue, type QueueDefinition } from './definitions.ts';
import { enqueueDelayed, startPromoting } from './delayed.ts';
import { type EnqueueOptions, enqueueJobs, type JobData, type NewJob } from './enqueue.ts';
import { type FailedJob, listFailures, retryFailures } from './failures.ts';
import { createVirtualTime, tidyTurns } from './fairness.ts';
import { LeaseLost } from './leases.ts';
import type { Loop } from './loop.ts';
import { createPeriodic, type PeriodicHandler } from './periodic.ts';
import type { SqlClient } from './statements.ts';
import { type QueueStats, readStats } from './stats.ts';
import { type Handler, type Job, startWorker, type Worker, type WorkOptions } from './worker.ts';

export type { Handler, Job, JobData, QueueDefinition, QueueStats, SqlClient, Worker };
export { LeaseLost, migrateQueue };

/** The process is about to stop: no new work is begun. */
export class QueueClosed extends Error {
  constructor() {
    super('the queue is closed');
  }
}

export interface Queue {
  /** Once per process and queue, before the queue is used; repeated calls and other processes do no harm. */
  define(name: string, definition: QueueDefinition): Promise<void>;
  /** On the caller's connection: the job commits, or is rolled back, with the caller's transaction. Returns its id. */
  enqueue(client: SqlClient, queue: string, data: JobData, options?: EnqueueOptions): Promise<string>;
  enqueueMany(client: SqlClient, queue: string, jobs: readonly NewJob[]): Promise<string[]>;
  /** `when` is a moment or seconds from now. The job keeps the id returned here. */
  enqueueLater(
    client: SqlClient,
    queue: string,
    data: JobData,
    when: Date | number,
    options?: EnqueueOptions,
  ): Promise<string>;
  /** Starts running jobs of the queues named by the handlers. */
  work(handlers: Readonly<Record<string, Handler>>, options: WorkOptions): Promise<Worker>;
  /** Runs `handler` every so many seconds, in one process of the region at a time. */
  every(name: string, seconds: number, handler: PeriodicHandler): Promise<void>;
  stats(): Promise<QueueStats[]>;
  failures(queue: string, limit?: number): Promise<FailedJob[]>;
  retryFailures(queue: string, limit?: number): Promise<number>;
  /** Stops workers and periodic work. The pool stays open. */
  close(): Promise<void>;
}

/** Of jobs that wait for other machines: a database or engine that is away for two hours costs none of them. */
export const LONG_RETRIES = { retryLimit: 20, retryDelayMaxSeconds: 600 };

export interface QueueOptions {
  readonly pool: pg.Pool;
  readonly log: Log;
}

/** A crash is noticed at most this much later than the heartbeat allows. */
const SUPERVISE_SECONDS = 2;
/** Also if the process that died was the one that looks for the dead. */
const SUPERVISE_LEASE_SECONDS = 3;
const TIDY_SECONDS = 60;
const PERIODIC_GRACE_SECONDS = 10;

export async function openQueue({ pool, log }: QueueOptions): Promise<Queue> {
  const boss = await startBoss(pool, log);
  const queues = new Map<string, DefinedQueue>();
  const virtualTime = createVirtualTime(pool, log);
  const periodic = createPeriodic(pool, log);
  const workers = new Set<Worker>();
  let upkeep: Promise<Loop> | undefined;
  let isClosed = false;

  const defined = (name: string): DefinedQueue => {
    const queue = queues.get(name);
    if (queue === undefined) throw new Error(`queue ${name} is not defined`);
    return queue;
  };

  const startUpkeep = async (): Promise<Loop> => {
    await periodic.every(
      'queue-supervise',
      SUPERVISE_SECONDS,
      () => boss.supervise(),
      SUPERVISE_LEASE_SECONDS,
    );
    await periodic.every('queue-tidy', TIDY_SECONDS, () => tidy(boss, pool));
    return startPromoting(boss, pool, queues, log);
  };

  return {
    async define(name, definition) {
      queues.set(name, await defineQueue(boss, pool, name, definition));
    },
    async enqueue(client, queue, data, options = {}) {
      const [id] = await enqueueJobs(boss, client, defined(queue), [{ data, ...options }]);
      if (id === undefined) throw new Error('the job got no id');
      return id;
    },
    enqueueMany: (client, queue, jobs) => enqueueJobs(boss, client, defined(queue), jobs),
    enqueueLater: (client, queue, data, when, options = {}) =>
      enqueueDelayed(client, defined(queue), data, when, options),
    async work(handlers, options) {
      const work = new Map(Object.entries(handlers).map(([name, handler]) => [defined(name), handler]));
      upkeep ??= startUpkeep();
      await upkeep;
      if (isClosed) throw new QueueClosed();
      const worker = startWorker({ attempts: createAttempts(boss, pool), virtualTime, log }, work, options);
      workers.add(worker);
      return worker;
    },
    every: (name, seconds, handler) => periodic.every(name, seconds, handler),
    stats: () => readStats(boss, pool, [...queues.keys()]),
    failures: (queue, limit = 100) => listFailures(pool, queue, limit),
    retryFailures: (queue, limit = 1000) => retryFailures(boss, queue, limit),
    async close() {
      isClosed = true;
      await Promise.all([...workers].map((worker) => worker.stop()));
      await (await upkeep)?.stop();
      await periodic.stop(PERIODIC_GRACE_SECONDS);
      await boss.stop({ graceful: false, close: false });
    },
  };
}

/** Over all queues that exist, not only those this process has defined. */
async function tidy(boss: PgBoss, pool: SqlClient): Promise<void> {
  for (const queue of await boss.getQueues()) await tidyTurns(pool, queue.name);
}

/**
 * Durable work in the region database. A job exists exactly when the transaction that enqueued it commits, and then runs at
 * least once, whatever crashes; `job.commit` makes its effects happen once. Accounts take turns in a queue, idle queues wait
 * for free slots, delayed and periodic work go by the database's clock.
 *
 * Its tables are in the schema `queue`, created by the region's migrations.
 */
import { currentTrace, type Log } from '@millpond/base';
import type pg from 'pg';
import { createAttempts } from './attempts.ts';
import { type DefinedQueue, definedQueue, type QueueDefinition } from './definitions.ts';
import { startDue } from './due.ts';
import { type EnqueueOptions, enqueueJobs, enqueueLater, type JobData, type NewJob } from './enqueue.ts';
import { forgetPassedTurns, startTime } from './fair-share.ts';
import { LeaseLostError } from './job-lease.ts';
import type { Loop } from './loop.ts';
import { createPeriodic, type PeriodicHandler } from './periodic.ts';
import type { SqlClient } from './statements.ts';
import { type PeriodicStats, type QueueStats, readPeriodic, readStats } from './stats.ts';
import { type Handler, type Job, startWorker, type Worker, type WorkOptions } from './worker.ts';

export type { Handler, Job, JobData, PeriodicStats, QueueDefinition, QueueStats, SqlClient, Worker };
export { LeaseLostError };

/** The process is about to stop: no new work is started. */
export class QueueClosedError extends Error {
  constructor() {
    super('the queue is closed');
  }
}

export interface Queue {
  /** Call this once per process and queue, before the queue is used; repeated calls and other processes do no harm. */
  define(name: string, definition: QueueDefinition): Promise<void>;
  /** Uses the caller's connection: the job commits, or is rolled back, with the caller's transaction. Returns its id. */
  enqueue(client: SqlClient, queue: string, data: JobData, options?: EnqueueOptions): Promise<string>;
  enqueueMany(client: SqlClient, queue: string, jobs: readonly NewJob[]): Promise<string[]>;
  /** `when` is a point in time or seconds from now. The job keeps the id returned here. */
  enqueueLater(
    client: SqlClient,
    queue: string,
    data: JobData,
    when: Date | number,
    options?: EnqueueOptions,
  ): Promise<string>;
  /** Starts running jobs of the queues named by the handlers. */
  work(handlers: Readonly<Record<string, Handler>>, options: WorkOptions): Promise<Worker>;
  /** Runs `handler` at this interval, in one process of the region at a time. */
  every(name: string, seconds: number, handler: PeriodicHandler): Promise<void>;
  stats(): Promise<QueueStats[]>;
  /** State of work that some process has registered, whether this one has or not. */
  periodicStats(names: readonly string[]): Promise<PeriodicStats[]>;
  /** Stops workers and periodic work. The pool stays open. */
  close(): Promise<void>;
}

/** For jobs that depend on other machines: a database or engine that is down for two hours costs none of them. */
export const LONG_RETRIES = { retryLimit: 20, retryDelayMaxSeconds: 600 };

export interface QueueOptions {
  readonly pool: pg.Pool;
  readonly log: Log;
}

const TIDY_SECONDS = 60;
const PERIODIC_GRACE_SECONDS = 10;

export function openQueue({ pool, log }: QueueOptions): Queue {
  const attempts = createAttempts(pool);
  const queues = new Map<string, DefinedQueue>();
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
    await periodic.every('queue-tidy', TIDY_SECONDS, () => forgetPassedTurns(pool));
    return startDue(pool, queues, log);
  };

  return {
    async define(name, definition) {
      const queue = definedQueue(name, definition);
      await startTime(pool, name);
      queues.set(name, queue);
    },
    async enqueue(client, queue, data, options = {}) {
      const [id] = await noted(queue, enqueueJobs(client, defined(queue), [{ data, ...options }]));
      if (id === undefined) throw new Error('the job got no id');
      return id;
    },
    enqueueMany: (client, queue, jobs) => noted(queue, enqueueJobs(client, defined(queue), jobs)),
    enqueueLater: (client, queue, data, when, options = {}) =>
      noted(queue, enqueueLater(client, defined(queue), { data, ...options }, when)),
    async work(handlers, options) {
      const work = new Map(Object.entries(handlers).map(([name, handler]) => [defined(name), handler]));
      upkeep ??= startUpkeep();
      await upkeep;
      if (isClosed) throw new QueueClosedError();
      const worker = startWorker({ attempts, log }, work, options);
      workers.add(worker);
      return worker;
    },
    every: (name, seconds, handler) => periodic.every(name, seconds, handler),
    stats: () => readStats(pool, [...queues.keys()]),
    periodicStats: (names) => readPeriodic(pool, names),
    async close() {
      isClosed = true;
      await Promise.all([...workers].map((worker) => worker.stop()));
      await (await upkeep)?.stop();
      await periodic.stop(PERIODIC_GRACE_SECONDS);
    },
  };
}

/** A step of the request that enqueues. */
async function noted<T>(queue: string, enqueuing: Promise<T>): Promise<T> {
  const begun = performance.now();
  const enqueued = await enqueuing;
  currentTrace()?.step('job', queue, begun, true);
  return enqueued;
}

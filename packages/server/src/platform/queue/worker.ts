/**
 * Runs handlers for the jobs of some queues, `slots` at a time. A job runs at least once until its handler has returned or
 * `commit` has been committed; a handler that throws is retried later, and after the last retry the job is failed, with
 * the reason. A worker that dies or stalls loses its jobs to others after the heartbeat.
 */
import type { Log } from '@millpond/base';
import { settledWithin } from '../sleep.ts';
import type { Attempts } from './attempts.ts';
import type { DefinedQueue } from './definitions.ts';
import type { JobData } from './enqueue.ts';
import { LeaseLostError, WorkerStoppingError } from './job-lease.ts';
import { createOutcomeWriter } from './job-outcomes.ts';
import { createLeases, type JobLease } from './lease-renewal.ts';
import { startLoop } from './loop.ts';
import { createPolling } from './polling.ts';
import type { SqlClient } from './statements.ts';

export interface Job {
  readonly id: string;
  readonly data: JobData;
  /** 1 for the first. */
  readonly attempt: number;
  /** Aborted when the job has passed to another attempt or the worker hands it back: stop, and change nothing more. */
  readonly signal: AbortSignal;
  /**
   * Ends the job on the handler's own transaction, so that its effects and its end are one commit. Throws LeaseLostError if another
   * attempt has the job: then roll back. Must be the last statement before COMMIT.
   */
  commit(client: SqlClient): Promise<void>;
}

export type Handler = (job: Job) => Promise<void>;

export interface WorkOptions {
  /** Concurrent jobs, over all the given queues. */
  readonly slots: number;
  /** Stops the worker when aborted. */
  readonly signal?: AbortSignal;
  /** How long a stop waits for running handlers before it aborts their signals. Default 20. */
  readonly graceSeconds?: number;
}

export interface Worker {
  /** Takes no more jobs, waits for the running ones, hands back those that are not done in time. */
  stop(): Promise<void>;
  /** Jobs running now. */
  running(): number;
}

/** After the grace period, how long handlers have to notice their signal before their jobs go to others. */
const UNWIND_MS = 1000;

export interface WorkerParts {
  readonly attempts: Attempts;
  readonly log: Log;
}

export function startWorker(
  { attempts, log }: WorkerParts,
  work: ReadonlyMap<DefinedQueue, Handler>,
  options: WorkOptions,
): Worker {
  const queues = [...work.keys()];
  const leases = createLeases(attempts, Math.min(...queues.map((queue) => queue.leaseSeconds)), log);
  const settling = createOutcomeWriter(attempts, log);
  const running = new Map<JobLease, Promise<void>>();

  const take = async (queue: DefinedQueue, count: number): Promise<number> => {
    const claimedAt = performance.now();
    const taken = await attempts.claim(queue, count);
    for (const attempt of taken) {
      const lease = leases.take(attempt, claimedAt, queue.leaseSeconds * 1000);
      const handler = work.get(queue);
      if (handler !== undefined) running.set(lease, runJob(lease, handler));
    }
    return taken.length;
  };

  const runJob = async (lease: JobLease, handler: Handler): Promise<void> => {
    const { attempt, controller } = lease;
    let isCommitted = false;
    const job: Job = {
      id: attempt.id,
      data: attempt.data,
      attempt: attempt.number,
      signal: controller.signal,
      async commit(client) {
        // From here on a renewal finds the row locked by the handler's transaction.
        lease.isSettling = true;
        isCommitted = (await attempts.complete([attempt], client)).has(attempt.id);
        if (!isCommitted) throw new LeaseLostError();
      },
    };
    try {
      await handler(job);
      if (!isCommitted) await settling.complete(lease);
    } catch (error) {
      await settleFailure(lease, error);
    } finally {
      leases.release(lease);
      running.delete(lease);
      loop.wake();
    }
  };

  const settleFailure = async (lease: JobLease, error: unknown): Promise<void> => {
    if (lease.isLost || error instanceof LeaseLostError) return;
    const { queue, id, number } = lease.attempt;
    if (lease.controller.signal.aborted) return settling.handBack(lease);
    log.warn({ queue: queue.name, job: id, attempt: number, error: String(error) }, 'job failed');
    await settling.fail(lease, error);
  };

  const polling = createPolling(queues, () => options.slots - running.size, take);
  const loop = startLoop(async () => {
    try {
      return await polling.round();
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'jobs could not be fetched');
      return polling.longestWait;
    }
  });

  const stop = async (): Promise<void> => {
    await loop.stop();
    await settledWithin((options.graceSeconds ?? 20) * 1000, running.values());
    for (const lease of leases.held()) lease.controller.abort(new WorkerStoppingError());
    await settledWithin(UNWIND_MS, running.values());
    await Promise.all(leases.held().map((lease) => settling.handBack(lease)));
    leases.stop();
  };
  let stopped: Promise<void> | undefined;
  const stopOnce = () => {
    stopped ??= stop();
    return stopped;
  };
  options.signal?.addEventListener('abort', () => void stopOnce(), { once: true });
  if (options.signal?.aborted) void stopOnce();
  return { stop: stopOnce, running: () => running.size };
}

/** Background work of a process: the periodic jobs, each run once in the whole region, and the queued jobs. */
import type { Log } from '@millpond/base';
import type { BackgroundJob, PeriodicJob, QueuedJob } from '../platform/feature.ts';
import { type Queue, QueueClosedError } from '../platform/queue/queue.ts';

/** Runs in every process, before anything is enqueued. */
export async function defineQueues(queue: Queue, jobs: readonly BackgroundJob[]): Promise<void> {
  for (const job of jobs.filter(isQueued))
    for (const [name, definition] of Object.entries(job.queues)) await queue.define(name, definition);
}

/** Runs until the queue is closed. */
export async function startWork(queue: Queue, jobs: readonly BackgroundJob[], log: Log): Promise<void> {
  for (const job of jobs)
    await (isQueued(job) ? startQueued(queue, job, log) : startPeriodic(queue, job, log));
}

function startPeriodic(queue: Queue, job: PeriodicJob, log: Log): Promise<void> {
  return queue.every(job.name, job.everySeconds, async (signal) => {
    const figures = await job.run(signal);
    if (Object.values(figures).some((figure) => figure > 0)) log.info(figures, job.says);
  });
}

async function startQueued(queue: Queue, job: QueuedJob, log: Log): Promise<void> {
  if (job.slots === 0) return;
  const work = (names: readonly string[]) => {
    const handlers = Object.fromEntries(names.map((name) => [name, job.run.bind(job)]));
    return queue.work(handlers, { slots: job.slots });
  };
  if (job.ready === undefined) {
    await work(Object.keys(job.queues));
    return;
  }
  // What the job needs may take time to prove that it works; the server need not wait for it.
  job
    .ready()
    .then((names) => (names.length > 0 ? work(names) : undefined))
    .catch((error: unknown) => {
      if (!(error instanceof QueueClosedError)) log.error({ err: error }, 'jobs cannot be run here');
    });
}

function isQueued(job: BackgroundJob): job is QueuedJob {
  return job.queues !== undefined;
}

/** Runs tasks in this process, where it has the jail and the engines for them; elsewhere they wait for one that has. */

import type { Processing } from '../compose/processing-services.ts';
import type { Config } from '../config/config.ts';
import type { Infra } from '../engines/infra.ts';
import { IDLE_TASK_QUEUE, TASK_QUEUE } from '../features/processing/index.ts';
import { type Job, type Queue, QueueClosed } from '../platform/queue/queue.ts';
import { SandboxUnavailable } from '../platform/sandbox/index.ts';

const HOUR_SECONDS = 3600;
const DAYS_AHEAD = 7;
/** One more than a task can be queried. */
const DAYS_KEPT = 11;
/** For so long it is known that an object is what a command made of a content. */
const RESULT_DAYS = 30;
/** Somebody waits for most tasks; a poll that finds nothing costs a fraction of a millisecond. */
const PICKUP_MS = 100;
/** A week of tries: the task itself knows when to give up, and an engine that is away for a day costs no task. */
const RETRIES = 10_000;

export async function defineTaskQueues(queue: Queue): Promise<void> {
  const retries = { retryLimit: RETRIES, retryDelayMaxSeconds: 60 };
  await queue.define(TASK_QUEUE, { kind: 'normal', longestPollMs: PICKUP_MS, ...retries });
  await queue.define(IDLE_TASK_QUEUE, { kind: 'idle', ...retries });
}

export async function startTasks(
  config: Config,
  infra: Infra,
  queue: Queue,
  processing: Processing,
): Promise<void> {
  const { days, works, runner } = processing;
  await queue.every('task-days', HOUR_SECONDS, async () => {
    await days.ensure(DAYS_AHEAD);
    const dropped = await days.drop(DAYS_KEPT);
    if (dropped > 0) infra.log.info({ dropped }, 'old tasks dropped');
  });
  await queue.every('task-result-forget', HOUR_SECONDS, async () => {
    const forgotten = await works.forget(RESULT_DAYS);
    if (forgotten > 0) infra.log.info({ forgotten }, 'old results of tasks forgotten');
  });
  if (config.mediaSlots === 0) return;
  countItems(infra, processing);
  // The jail takes its time to show that it holds; the server need not wait for it.
  startRunning(config, infra, queue, runner).catch((error: unknown) => {
    if (error instanceof SandboxUnavailable) infra.log.warn(`processing off: ${error.message}`);
    else if (!(error instanceof QueueClosed)) infra.log.error({ err: error }, 'tasks can not be run here');
  });
}

function countItems({ metrics }: Infra, { items }: Processing): void {
  const gauge = (name: keyof typeof items.counts, help: string) =>
    metrics.gauge(`millpond_task_items_${name}`, help, () => items.counts[name]);
  gauge('made', 'Commands of tasks that this process has run');
  gauge('reused', 'Commands whose result was copied from an earlier one');
  gauge('returned', 'Commands that were not run because their target was there');
}

async function startRunning(
  config: Config,
  infra: Infra,
  queue: Queue,
  runner: Processing['runner'],
): Promise<void> {
  await infra.media.engine();
  const run = (job: Job) => runner.run(String(job.data.taskId), job);
  await queue.work({ [TASK_QUEUE]: run, [IDLE_TASK_QUEUE]: run }, { slots: config.mediaSlots });
}

/**
 * Runs tasks. A run may die anywhere: finished items are not done again, what it stored under a key is complete, and all
 * its writes to the task are fenced, so a run that was presumed dead changes nothing.
 */
import type { Log } from '@millpond/base';
import { EngineMissingError } from '@millpond/jail';
import { Fault, parseFops } from '@millpond/protocol';
import type { Tenants } from '../../../identity/accounts/index.ts';
import type { Job } from '../../../platform/queue/queue.ts';
import type { Admission } from '../pipelines/admission.ts';
import { type TaskItem, type TaskRow, unfinishedCommands } from '../task.ts';
import type { StartedTask, TaskStore } from '../tasks/task.store.ts';
import { endedItems, runOf, type TaskCompletion } from '../tasks/task-completion.ts';
import { idTimeOf } from '../tasks/tasks.ts';
import { type Heartbeat, RunCancelledError, RunLostError, startHeartbeat } from './heartbeat.ts';
import type { ItemRunner } from './item-runner.ts';
import { ItemTimes, RunClock } from './item-times.ts';
import type { ResultCacheStore } from './result-cache.store.ts';
import { resultCacheKey } from './result-cache-key.ts';

/** A task that crashes its worker each time must not go on for ever. An engine that is away is not the task's fault. */
const MAX_CRASHES = 5;
/** A minute apart: an engine may be away for a day. What fails for longer is a fault that no retry will fix. */
const MAX_ATTEMPTS = 1500;

export interface RunnerDeps {
  readonly store: TaskStore;
  readonly works: ResultCacheStore;
  readonly admission: Admission;
  readonly tenants: Pick<Tenants, 'of'>;
  readonly ending: TaskCompletion;
  readonly items: ItemRunner;
  /** The name of this process, for the record. */
  readonly worker: string;
  readonly log: Log;
}

export class TaskRunner {
  readonly #deps: RunnerDeps;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
  }

  async run(taskId: string, job: Job): Promise<void> {
    const row = await this.#begin(taskId, job);
    // It was ended, by its owner or by another run whose job was not settled; or it waits for another task.
    if (row === undefined) return;
    // The next task of its pipeline is queued in the transaction that ends this one.
    await this.#deps.tenants.of(row.uid);
    if (row.silent_runs > MAX_CRASHES)
      return this.#end(row, endedItems(row, `given up: ${MAX_CRASHES} workers died while running it`), job);
    if (row.attempt > MAX_ATTEMPTS)
      return this.#end(row, endedItems(row, `given up after ${MAX_ATTEMPTS} attempts`), job);
    const beat = startHeartbeat(this.#deps.store, runOf(row), job.signal);
    try {
      const items = await this.#runItems(row, beat);
      beat.stop();
      await this.#end(row, items, job);
    } catch (error) {
      beat.stop();
      await this.#afterFailure(row, beat.signal.aborted ? beat.signal.reason : error, job);
    }
  }

  /** Waits for another task that does identical work instead of doing it twice; unless the task is forced. */
  async #begin(taskId: string, job: Job): Promise<StartedTask | undefined> {
    const { store, works, admission, worker } = this.#deps;
    let waiting: TaskRow | undefined;
    const begun = await store
      .transaction(async (transaction) => {
        const row = await store.begin(taskId, idTimeOf(taskId), transaction, worker);
        if (row === undefined || row.is_forced) return row;
        if (await works.claim(row, worksOf(row), transaction)) return row;
        waiting = row;
        throw new ClaimedElsewhereError();
      })
      .catch((error: unknown) => {
        if (!(error instanceof ClaimedElsewhereError)) throw error;
        return undefined;
      });
    const late = waiting;
    if (late !== undefined)
      await store.transaction(async (transaction) => {
        await admission.putOff(transaction, late, Number(job.data.putOff ?? 0));
        await job.commit(transaction.client);
      });
    return begun;
  }

  async #runItems(row: StartedTask, beat: Heartbeat): Promise<TaskItem[]> {
    const items = [...row.items];
    const clock = new RunClock(row.now);
    for (const [position, item] of items.entries()) {
      if (item.code === 0 || item.code === 3) continue;
      beat.signal.throwIfAborted();
      const [fop] = parseFops(item.cmd);
      if (fop === undefined) throw new Error('an item without a command');
      const progress = (percent: number) => beat.progress((100 * position + percent) / items.length);
      const times = new ItemTimes(clock);
      beat.doing(position, times);
      const { signal } = beat;
      items[position] = await this.#deps.items.run(row, position, fop, { signal, progress, times });
    }
    return items;
  }

  /** Final code, notification, the pipeline's next task and the end of the job: all or nothing. */
  async #end(row: TaskRow, items: readonly TaskItem[], job: Job): Promise<void> {
    const { store, ending } = this.#deps;
    await store.transaction(async (transaction) => {
      if (!(await ending.finish(transaction, runOf(row), items))) throw new RunLostError();
      await job.commit(transaction.client);
    });
  }

  /** This worker lacks the engine, others may have it. What is done of the task stays done. */
  async #leave(row: TaskRow, engine: 'images' | 'media', job: Job): Promise<void> {
    const { store, admission } = this.#deps;
    await store.transaction(async (transaction) => {
      await store.handBack(runOf(row), transaction);
      await admission.leaveTo(transaction, row, engine);
      await job.commit(transaction.client);
    });
  }

  async #afterFailure(row: TaskRow, reason: unknown, job: Job): Promise<void> {
    const isOver =
      reason instanceof RunLostError &&
      (await this.#deps.store.renew(runOf(row), row.percent)) !== 'cancelled';
    if (isOver) return;
    // A cancelled run's writes are refused too, often before a heartbeat has told it why: it still has the task, and ends it.
    if (reason instanceof RunLostError || reason instanceof RunCancelledError) {
      const now = (await this.#deps.store.find(row.task_id, row.id_time)) ?? row;
      return this.#end(row, endedItems(now, 'cancelled'), job);
    }
    if (reason instanceof EngineMissingError && reason.kind !== 'files')
      return this.#leave(row, reason.kind, job);
    const error = reason instanceof Fault ? `${reason.fault}: ${reason.message}` : String(reason);
    this.#deps.log.warn({ task: row.task_id, attempt: row.attempt, error }, 'a run of a task failed');
    await this.#deps.store.handBack(runOf(row));
    throw reason;
  }
}

class ClaimedElsewhereError extends Error {}

function worksOf(row: TaskRow): Buffer[] {
  return unfinishedCommands(row).map((fop) => resultCacheKey(fop, row).digest);
}

/**
 * The end of a task: its final code, its notification and the next task of its pipeline, in one transaction. Every task
 * ends here, whatever the reason.
 */
import type { Transaction } from '../../../platform/db/database.ts';
import type { Admission } from '../pipelines/admission.ts';
import { type TaskItem, type TaskRow, taskRecord } from '../task.ts';
import type { Run, TaskStore } from './task.store.ts';

/** Writes the delivery of a notification, together with its cause. */
export type Notify = (transaction: Transaction, task: TaskRow, body: Buffer) => Promise<void>;

export interface TaskCompletionDeps {
  readonly store: TaskStore;
  readonly admission: Admission;
  readonly notify: Notify;
}

export class TaskCompletion {
  readonly #deps: TaskCompletionDeps;

  constructor(deps: TaskCompletionDeps) {
    this.#deps = deps;
  }

  /** False if the run may no longer write: then nothing was changed. */
  async finish(transaction: Transaction, run: Run, items: readonly TaskItem[]): Promise<boolean> {
    const { store, admission, notify } = this.#deps;
    const code = items.some((item) => item.code !== 0) ? 3 : 0;
    const row = await store.finish(run, code, items, transaction);
    if (row === undefined) return false;
    if (row.notify_url !== null) await notify(transaction, row, Buffer.from(JSON.stringify(taskRecord(row))));
    await admission.refill(transaction, row.uid, row.pipeline);
    return true;
  }

  /** Finished items stay finished; the rest end with this reason. */
  cancelled(transaction: Transaction, row: TaskRow): Promise<boolean> {
    return this.finish(transaction, runOf(row), endedItems(row, 'cancelled'));
  }
}

export function runOf({ task_id, id_time, attempt }: TaskRow): Run {
  return { id: task_id, idTime: id_time, attempt };
}

export function endedItems({ items }: Pick<TaskRow, 'items'>, error: string): TaskItem[] {
  return items.map((item) =>
    item.code === 0 || item.code === 3
      ? item
      : { cmd: item.cmd, code: 3, error, errorIndex: '0', returnOld: 0, ...timesOf(item) },
  );
}

/** Times of an item that was aborted. */
function timesOf({ begun, stages }: TaskItem): Pick<TaskItem, 'begun' | 'ended' | 'stages'> {
  if (begun === undefined) return {};
  return { begun, ended: new Date().toISOString(), ...(stages === undefined ? {} : { stages }) };
}

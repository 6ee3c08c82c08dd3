/** Why a task waits: for a worker that can run it, its turn, room in its pipeline, the same work elsewhere, or its next try. */
import type { WireRecord } from '@millpond/protocol';
import type { Database } from '../../../platform/db/database.ts';
import { aheadText, MAX_AHEAD, type Standing, standingOf } from '../../../platform/queue/standing.ts';
import { printQueue } from '../pipeline-name.ts';
import { IDLE_TASK_QUEUE } from '../pipelines/admission.ts';
import { type TaskRow, unfinishedCommands } from '../task.ts';
import { type AbleWorkers, engineOfAll, workerWords } from '../workers/able-workers.ts';
import type { TaskStore } from './task.store.ts';

type WaitingFor = WireRecord<'WaitingFor'>;

export class TaskWaits {
  readonly #region: Database;
  readonly #store: Pick<TaskStore, 'aheadInPipeline'>;
  readonly #workers: AbleWorkers;

  constructor(region: Database, store: Pick<TaskStore, 'aheadInPipeline'>, workers: AbleWorkers) {
    this.#region = region;
    this.#store = store;
    this.#workers = workers;
  }

  /** Undefined if it doesn't wait: it runs, or has ended. */
  async of(row: TaskRow): Promise<WaitingFor | undefined> {
    if (row.code !== 1) return undefined;
    if (!row.is_admitted) {
      const ahead = await this.#store.aheadInPipeline(row, MAX_AHEAD);
      const text = `room in the pipeline ${printQueue(row.uid, row.pipeline)}: ${aheadText(ahead)}`;
      return { reason: 'pipeline', text, ahead };
    }
    const standing = await standingOf(this.#region.pool, row.task_id);
    if (standing?.state === 'delayed')
      return { reason: 'sameWork', text: 'another task that does the same work on the same content' };
    const engine = engineOfAll(unfinishedCommands(row));
    if (!(await this.#workers.isThere(engine))) {
      const reasons = await this.#workers.reasons(engine);
      return { reason: 'worker', text: `${workerWords(engine)}: ${reasons}` };
    }
    return standing && waitInQueue(standing);
  }
}

function waitInQueue({ queue, state, until, ahead, aheadOwn }: Standing): WaitingFor | undefined {
  if (state === 'retry' && until !== null) {
    const at = until.toISOString();
    return { reason: 'retry', text: `the next try at ${at}: the server failed at the last one`, until: at };
  }
  if (state !== 'ready') return undefined;
  const before = aheadText(ahead, aheadOwn);
  return queue === IDLE_TASK_QUEUE
    ? { reason: 'idle', text: `a worker that has nothing else to do: ${before}`, ahead, aheadOwn }
    : { reason: 'turn', text: `its turn: ${before}`, ahead, aheadOwn };
}

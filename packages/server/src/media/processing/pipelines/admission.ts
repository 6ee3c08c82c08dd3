/**
 * Which tasks have a job in the queue. Tasks of the shared queue have one from the start; those of a pipeline wait
 * until it has room, so no more of them run than its cap allows, and none blocks a worker by waiting.
 *
 * The pipeline's row is locked while its tasks are counted: the cap is exact, and only submissions to the same
 * pipeline wait for each other.
 */
import { Fault } from '@millpond/protocol';
import type { Tenants } from '../../../identity/accounts/index.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { Queue } from '../../../platform/queue/queue.ts';
import type { TaskRow } from '../task.ts';
import { admitTasks, admittedTasks, pipelineCap } from './admission.store.ts';

export const TASK_QUEUE = 'task';
export const IDLE_TASK_QUEUE = 'task-idle';
/**
 * Where a worker puts a task that it lacks an engine for, for those that have it. Only they look there, so one such worker among
 * many costs the others nothing, and a task that nobody can run is taken by nobody.
 */
export const ENGINE_QUEUES = { images: 'task-images', media: 'task-media' } as const;

export type Enqueue = Pick<Queue, 'enqueueMany' | 'enqueueLater'>;

const MIN_WAIT_SECONDS = 0.5;
const MAX_WAIT_SECONDS = 10;

export class Admission {
  readonly #queue: Enqueue;
  readonly #tenants: Pick<Tenants, 'turnOf'>;

  constructor(queue: Enqueue, tenants: Pick<Tenants, 'turnOf'>) {
    this.#queue = queue;
    this.#tenants = tenants;
  }

  /** Whether a new task may have its job at once. Call it before the task is written, in its transaction. */
  async hasRoom(transaction: Transaction, uid: bigint, pipeline: string | undefined): Promise<boolean> {
    if (pipeline === undefined) return true;
    const cap = await pipelineCap(transaction, uid, pipeline);
    if (cap === undefined)
      throw new Fault('invalidArgument', { hint: `there is no pipeline ${JSON.stringify(pipeline)}` });
    return (await admittedTasks(transaction, uid, pipeline)) < cap;
  }

  async enqueue(
    transaction: Transaction,
    uid: bigint,
    ids: readonly string[],
    isIdle: boolean,
  ): Promise<void> {
    if (ids.length === 0) return;
    const account = this.#tenants.turnOf(uid);
    const jobs = ids.map((taskId) => ({ data: { taskId }, account }));
    await this.#queue.enqueueMany(transaction.client, queueOf(isIdle), jobs);
  }

  /** The task gets its job later: another task is doing the same work. */
  async putOff(
    transaction: Transaction,
    { uid, task_id: taskId, is_idle }: Pick<TaskRow, 'uid' | 'task_id' | 'is_idle'>,
    times: number,
  ): Promise<void> {
    const seconds = Math.min(MAX_WAIT_SECONDS, MIN_WAIT_SECONDS * 2 ** times);
    const data = { taskId, putOff: times + 1 };
    const options = { account: this.#tenants.turnOf(uid) };
    await this.#queue.enqueueLater(transaction.client, queueOf(is_idle), data, seconds, options);
  }

  /** Only a worker that has the engine takes it from there. */
  async leaveTo(
    transaction: Transaction,
    { uid, task_id: taskId }: Pick<TaskRow, 'uid' | 'task_id'>,
    engine: keyof typeof ENGINE_QUEUES,
  ): Promise<void> {
    const job = { data: { taskId }, account: this.#tenants.turnOf(uid) };
    await this.#queue.enqueueMany(transaction.client, ENGINE_QUEUES[engine], [job]);
  }

  /** Admits waiting tasks, after a task of the pipeline has ended or its cap has changed. */
  async refill(transaction: Transaction, uid: bigint, pipeline: string | null): Promise<void> {
    if (pipeline === null) return;
    const cap = await pipelineCap(transaction, uid, pipeline);
    const room = (cap ?? 0) - (await admittedTasks(transaction, uid, pipeline));
    if (room <= 0) return;
    // Idle tasks have no pipeline.
    await this.enqueue(transaction, uid, await admitTasks(transaction, uid, pipeline, room), false);
  }
}

function queueOf(isIdle: boolean): string {
  return isIdle ? IDLE_TASK_QUEUE : TASK_QUEUE;
}

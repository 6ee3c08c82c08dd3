/** Pipelines: an account's own queues. A changed cap applies at once to waiting tasks. */
import { Fault } from '@millpond/protocol';
import { ownPipeline, SHARED_QUEUE } from '../pipeline-name.ts';
import type { TaskStore } from '../tasks/task.store.ts';
import { pipelineCap } from './admission.store.ts';
import type { Admission } from './admission.ts';
import type { PipelineStore, PipelineView } from './pipeline.store.ts';

const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_PIPELINES = 100;
const MAX_CONCURRENCY = 1000;

export interface PipelineDeps {
  readonly store: PipelineStore;
  readonly tasks: TaskStore;
  readonly admission: Admission;
}

export class Pipelines {
  readonly #deps: PipelineDeps;

  constructor(deps: PipelineDeps) {
    this.#deps = deps;
  }

  async put(uid: bigint, named: string, concurrency: unknown): Promise<PipelineView> {
    const name = ownPipeline(uid, named);
    if (name === undefined)
      throw new Fault('invalidArgument', { hint: `${SHARED_QUEUE} is the queue of all accounts` });
    if (!NAME.test(name))
      throw new Fault('invalidArgument', { hint: 'a name must have 1 to 64 letters, digits, - and _' });
    if (!isCap(concurrency))
      throw new Fault('invalidArgument', {
        hint: `concurrency must be a whole number from 1 to ${MAX_CONCURRENCY}`,
      });
    const { store, tasks, admission } = this.#deps;
    await tasks.transaction(async (transaction) => {
      const row = await store.put(transaction, uid, name, concurrency, MAX_PIPELINES);
      if (row === undefined)
        throw new Fault('notAllowed', { hint: `an account may have at most ${MAX_PIPELINES} pipelines` });
      await admission.refill(transaction, uid, name);
    });
    const [view] = await store.list(uid, name);
    return view ?? { name, concurrency, waiting: 0, running: 0, oldest: null };
  }

  list(uid: bigint): Promise<PipelineView[]> {
    return this.#deps.store.list(uid);
  }

  async remove(uid: bigint, named: string): Promise<void> {
    const name = ownPipeline(uid, named);
    if (name === undefined) throw new Fault('notFound');
    const { store, tasks } = this.#deps;
    await tasks.transaction(async (transaction) => {
      // Locked before its tasks are checked: none can be submitted in between.
      if ((await pipelineCap(transaction, uid, name)) === undefined) throw new Fault('notFound');
      if (!(await store.delete(transaction, uid, name)))
        throw new Fault('notAllowed', { hint: 'the pipeline has unfinished tasks' });
    });
  }
}

function isCap(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_CONCURRENCY;
}

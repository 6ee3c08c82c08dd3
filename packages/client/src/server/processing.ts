/** Persistent processing: tasks, workflow templates, triggers, pipelines, styles. HTTPS only. */
import { MillpondError } from '../core/error.ts';
import { pause } from '../core/retry.ts';
import { type ApiCall, type Caller, type CallOptions, queryText } from './caller.ts';
import { itemsOf } from './pages.ts';
import { pathOf } from './paths.ts';
import type { OwnTaskRecord, Pipeline, Styles, TaskRecord, Trigger, Workflow } from './records.ts';

export interface Submission {
  readonly bucket: string;
  readonly key: string;
  /** One of these two. */
  readonly fops?: string | undefined;
  readonly workflowTemplateID?: string | undefined;
  readonly notifyURL?: string | undefined;
  readonly pipeline?: string | undefined;
  /** Process even if the result already exists. */
  readonly force?: boolean | undefined;
  /** Only when there is nothing else to do. */
  readonly idle?: boolean | undefined;
}

export interface TaskFilter extends CallOptions {
  readonly state?: 'done' | 'waiting' | 'processing' | 'failed' | undefined;
  readonly pipeline?: string | undefined;
  readonly bucket?: string | undefined;
  readonly key?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface PageOptions {
  readonly marker?: string | undefined;
  /** At most 1,000. */
  readonly limit?: number | undefined;
}

export interface TaskPage {
  readonly items: readonly OwnTaskRecord[];
  readonly marker?: string;
}

export class Processing {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async submit(submission: Submission, options: CallOptions = {}): Promise<string> {
    const { force, idle, ...fields } = submission;
    const form = { ...fields, ...(force ? { force: 1 } : {}), ...(idle ? { type: 1 } : {}) };
    const answer = await this.#call<{ persistentId: string }>({ target: '/pfop/', form, ...options });
    return answer.persistentId;
  }

  /** Needs no credential. */
  status(id: string, options: CallOptions = {}): Promise<TaskRecord> {
    return this.#call({
      method: 'GET',
      target: `/status/get/prefop${queryText({ id })}`,
      open: true,
      ...options,
    });
  }

  /** Polls until the task has ended, successfully or not; `code` tells. */
  async wait(
    id: string,
    options: CallOptions & { every?: number; timeout?: number } = {},
  ): Promise<TaskRecord> {
    const { every = 1000, timeout = Number.POSITIVE_INFINITY, signal } = options;
    for (const begun = Date.now(); ; ) {
      const task = await this.status(id, { signal });
      if (task.code === 0 || task.code === 3) return task;
      if (Date.now() - begun > timeout) throw new MillpondError('timeout', `task ${id} has not ended`);
      await pause(every, signal);
    }
  }

  /** The account's own tasks, newest first, page by page. */
  tasks({ signal, ...fields }: TaskFilter = {}): AsyncGenerator<OwnTaskRecord, void> {
    return itemsOf<OwnTaskRecord>((marker) => {
      const target = `/v1/tasks${queryText({ ...fields, marker, limit: 1000 })}`;
      return this.#call({ method: 'GET', target, signal });
    });
  }

  /** One page of them. An empty page, which has no marker, is the last. */
  taskPage({ signal, ...fields }: TaskFilter & PageOptions = {}): Promise<TaskPage> {
    return this.#call({ method: 'GET', target: `/v1/tasks${queryText({ ...fields })}`, signal });
  }

  task(id: string, options: CallOptions = {}): Promise<OwnTaskRecord> {
    return this.#call({ method: 'GET', target: pathOf`/v1/tasks/${id}`, ...options });
  }

  cancel(id: string, options: CallOptions = {}): Promise<void> {
    return this.#done({ target: pathOf`/v1/tasks/${id}/cancel`, ...options });
  }

  async rerun(id: string, options: CallOptions = {}): Promise<string> {
    const answer = await this.#call<{ persistentId: string }>({
      target: pathOf`/v1/tasks/${id}/rerun`,
      ...options,
    });
    return answer.persistentId;
  }

  /** All of them. */
  async workflows(options: CallOptions = {}): Promise<Workflow[]> {
    const found: Workflow[] = [];
    const ask = (marker: string | undefined) => {
      const target = `/v1/workflows${queryText({ marker, limit: 100 })}`;
      return this.#call<{ items: Workflow[]; marker?: string }>({ method: 'GET', target, ...options });
    };
    for await (const workflow of itemsOf(ask)) found.push(workflow);
    return found;
  }

  workflow(name: string, options: CallOptions = {}): Promise<Workflow> {
    return this.#call({ method: 'GET', target: pathOf`/v1/workflows/${name}`, ...options });
  }

  putWorkflow(name: string, commands: string, options: CallOptions = {}): Promise<Workflow> {
    return this.#call({
      method: 'PUT',
      target: pathOf`/v1/workflows/${name}`,
      json: { commands },
      ...options,
    });
  }

  removeWorkflow(name: string, options: CallOptions = {}): Promise<void> {
    return this.#done({ method: 'DELETE', target: pathOf`/v1/workflows/${name}`, ...options });
  }

  async triggers(options: CallOptions = {}): Promise<Trigger[]> {
    return (await this.#call<{ items: Trigger[] }>({ method: 'GET', target: '/v1/triggers', ...options }))
      .items;
  }

  addTrigger(
    trigger: Pick<Trigger, 'bucket' | 'workflow'> & Partial<Trigger>,
    options: CallOptions = {},
  ): Promise<Trigger> {
    return this.#call({ target: '/v1/triggers', json: trigger, ...options });
  }

  removeTrigger(id: string, options: CallOptions = {}): Promise<void> {
    return this.#done({ method: 'DELETE', target: pathOf`/v1/triggers/${id}`, ...options });
  }

  async pipelines(options: CallOptions = {}): Promise<Pipeline[]> {
    return (await this.#call<{ items: Pipeline[] }>({ method: 'GET', target: '/v1/pipelines', ...options }))
      .items;
  }

  putPipeline(name: string, concurrency: number, options: CallOptions = {}): Promise<Pipeline> {
    return this.#call({
      method: 'PUT',
      target: pathOf`/v1/pipelines/${name}`,
      json: { concurrency },
      ...options,
    });
  }

  removePipeline(name: string, options: CallOptions = {}): Promise<void> {
    return this.#done({ method: 'DELETE', target: pathOf`/v1/pipelines/${name}`, ...options });
  }

  styles(bucket: string, options: CallOptions = {}): Promise<Styles> {
    return this.#call({ method: 'GET', target: pathOf`/v1/buckets/${bucket}/styles`, ...options });
  }

  setStyleRules(
    bucket: string,
    rules: { separator?: string; allow?: string },
    options: CallOptions = {},
  ): Promise<Styles> {
    return this.#call({
      method: 'PUT',
      target: pathOf`/v1/buckets/${bucket}/styles`,
      json: rules,
      ...options,
    });
  }

  putStyle(bucket: string, name: string, command: string, options: CallOptions = {}): Promise<void> {
    const target = pathOf`/v1/buckets/${bucket}/styles/${name}`;
    return this.#done({ method: 'PUT', target, json: { command }, ...options });
  }

  removeStyle(bucket: string, name: string, options: CallOptions = {}): Promise<void> {
    return this.#done({ method: 'DELETE', target: pathOf`/v1/buckets/${bucket}/styles/${name}`, ...options });
  }

  #call<T>(call: Omit<ApiCall, 'role'>): Promise<T> {
    return this.#caller.json({
      role: 'api',
      repeatable: call.method === 'GET' || call.method === 'PUT',
      ...call,
    });
  }

  #done(call: Omit<ApiCall, 'role'>): Promise<void> {
    return this.#caller.sendEmpty({ role: 'api', repeatable: call.method === 'PUT', ...call });
  }
}

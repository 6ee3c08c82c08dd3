/** Persistent tasks: created from a submission or an upload, found by their id, cancelled, run again. */
import { randomBytes } from 'node:crypto';
import { currentTrace } from '@millpond/base';
import {
  Fault,
  type Fop,
  makeTaskId,
  parseFops,
  parseTaskId,
  productOf,
  qualifiesForIdle,
  type RequiredPermission,
  TASK_ID_RANDOM_BYTES,
  type WireRecord,
} from '@millpond/protocol';
import type { Transaction } from '../../../platform/db/database.ts';
import type { Bucket, Buckets } from '../../../storage/buckets/index.ts';
import { assertReadable, type RestorableRow } from '../../../storage/objects/index.ts';
import { TASK_QUERY_SECONDS } from '../../limits.ts';
import { checkPartKeys } from '../part-keys.ts';
import { ownPipeline } from '../pipeline-name.ts';
import type { Admission } from '../pipelines/admission.ts';
import { explicitKey } from '../processing.target.ts';
import type { TaskItem, TaskRow } from '../task.ts';
import type { AbleWorkers } from '../workers/able-workers.ts';
import type { Workflows } from '../workflows/workflows.ts';
import { commandPermissions } from './command-permissions.ts';
import type { TaskFilter, TaskStore } from './task.store.ts';
import type { TaskCompletion } from './task-completion.ts';
import type { TaskWaits } from './task-waits.ts';

/** No host name is longer; and a task never ends if its notification can't be written because its receiver has no name. */
const MAX_HOST_LENGTH = 253;

/** The request, before it is known whether it can be done. */
export interface TaskRequest {
  readonly uid: bigint;
  /** The key that signed the request, if one did: it signs the notification. */
  readonly accessKey: string | undefined;
  /** As text, or already parsed. */
  readonly fops: string | readonly Fop[] | undefined;
  readonly workflow: string | undefined;
  readonly isIdle: boolean;
  /** As the client named it. */
  readonly pipeline: string | undefined;
  readonly isForced: boolean;
  readonly notifyUrl: string | undefined;
  readonly reqid: string;
  /** Refuses commands that are beyond the limits of the key that asks for them. */
  readonly check?: ((commands: readonly Fop[]) => void) | undefined;
  readonly trigger?: string;
  /** For a rerun: what created the task the first time. */
  readonly taskFrom?: string;
}

/** A fully checked task that lacks only its source. */
export interface PreparedTask {
  readonly id: string;
  readonly request: TaskRequest;
  readonly items: readonly TaskItem[];
}

export interface TaskDeps {
  readonly store: TaskStore;
  readonly workers: AbleWorkers;
  readonly waits: TaskWaits;
  readonly admission: Admission;
  readonly ending: TaskCompletion;
  readonly workflows: Workflows;
  readonly buckets: Buckets;
  readonly region: string;
}

export class Tasks {
  readonly #deps: TaskDeps;

  constructor(deps: TaskDeps) {
    this.#deps = deps;
  }

  /** Checks the commands, or says what is wrong with them. Writes nothing. */
  async prepare(request: TaskRequest): Promise<PreparedTask> {
    if ((URL.parse(request.notifyUrl ?? '')?.hostname.length ?? 0) > MAX_HOST_LENGTH) {
      const hint = `the host of the notification's URL has more than ${MAX_HOST_LENGTH} characters`;
      throw new Fault('invalidArgument', { hint });
    }
    const commands = await this.#commandsOf(request);
    request.check?.(commands);
    if (request.isIdle && !qualifiesForIdle(commands)) {
      const hint = 'only avthumb, avconcat, vframe and vsample may run in idle time';
      throw new Fault('invalidArgument', { hint });
    }
    if (commands.some(isNamedByItself)) {
      const hint =
        'saveKey works only for a single file: a playlist names its parts before its own hash is known';
      throw new Fault('invalidArgument', { hint });
    }
    for (const command of commands) {
      const key = explicitKey(command);
      if (key !== undefined) checkPartKeys(command, key);
    }
    await this.#checkTargets(request.uid, commands);
    const random = randomBytes(TASK_ID_RANDOM_BYTES);
    const id = makeTaskId(this.#deps.region, Math.floor(Date.now() / 1000), random);
    const items = commands.map(({ cmd }): TaskItem => ({ cmd, code: 1, error: '', returnOld: 0 }));
    return { id, request: { ...request, pipeline: ownPipeline(request.uid, request.pipeline) }, items };
  }

  /** Creates task and job in the transaction that made or found its source; returns the source. */
  async create(
    transaction: Transaction,
    { id, request, items }: PreparedTask,
    bucket: Pick<Bucket, 'id' | 'name'>,
    key: string,
  ): Promise<RestorableRow> {
    const { store, admission } = this.#deps;
    const { uid, pipeline, isIdle } = request;
    const isAdmitted = await admission.hasRoom(transaction, uid, pipeline);
    const taskFrom = originOf(request);
    const source = await store.insert(
      {
        ...request,
        id,
        idTime: idTimeOf(id),
        bucketId: bucket.id,
        bucket: bucket.name,
        key,
        items,
        isAdmitted,
        taskFrom,
      },
      transaction,
    );
    if (source === undefined) throw new Fault('notFound', { hint: 'the source does not exist' });
    if (isAdmitted) await admission.enqueue(transaction, uid, [id], isIdle);
    currentTrace()?.causes('tasks', id);
    return source;
  }

  /**
   * A submission on an object that exists and can be read. Refused if no worker can run it: whoever submits it is there to be told. (What
   * arrives by an upload or a fetch is accepted, in any class, and waits.)
   */
  async submit(request: TaskRequest, bucket: Bucket, key: string): Promise<string> {
    const task = await this.prepare(request);
    await this.#deps.workers.refuseUnable(task.items.flatMap(({ cmd }) => parseFops(cmd)));
    await this.#deps.store.transaction(async (transaction) =>
      assertReadable(await this.create(transaction, task, bucket, key)),
    );
    return task.id;
  }

  /** The id alone is enough, for ten days. */
  async find(id: string, cancel: AbortSignal): Promise<TaskRow> {
    const idTime = this.#timeOf(id);
    const row = idTime && (await this.#deps.store.findRecent(id, idTime, TASK_QUERY_SECONDS, cancel));
    if (row === undefined) throw new Fault('noSuchTask');
    return row;
  }

  list(filter: TaskFilter): Promise<TaskRow[]> {
    return this.#deps.store.list(filter);
  }

  /** Finds a task of any account if `uid` is undefined: for operators. */
  async own(uid: bigint | undefined, id: string): Promise<TaskRow> {
    const idTime = this.#timeOf(id);
    const row = idTime && (await this.#deps.store.find(id, idTime));
    if (row === undefined || (uid !== undefined && row.uid !== uid)) throw new Fault('noSuchTask');
    return row;
  }

  /** What it waits for; undefined if it doesn't. */
  waitingFor(row: TaskRow): Promise<WireRecord<'WaitingFor'> | undefined> {
    return this.#deps.waits.of(row);
  }

  /** A waiting task ends at once; a running one is stopped by its worker within seconds. */
  async cancel(uid: bigint | undefined, id: string): Promise<void> {
    const { store, ending } = this.#deps;
    const row = await this.own(uid, id);
    await store.transaction(async (transaction) => {
      const cancelled = await store.cancel(id, row.id_time, row.uid, transaction);
      if (cancelled === undefined) throw new Fault('notAllowed', { hint: 'the task has ended' });
      if (cancelled.code === 2) return;
      const mine = await store.begin(id, row.id_time, transaction);
      if (mine !== undefined) await ending.cancelled(transaction, mine);
    });
  }

  /** The same commands on the object as it is now, as a new task, whatever results exist. */
  async rerun(
    uid: bigint | undefined,
    id: string,
    {
      refuse,
      ...by
    }: Pick<TaskRequest, 'accessKey' | 'reqid'> & {
      /** Throws if the key that asks may not do it. */
      readonly refuse?: (asked: readonly RequiredPermission[]) => void;
    },
  ): Promise<string> {
    const row = await this.own(uid, id);
    const source = { bucket: row.input_bucket, key: row.input_key };
    if (row.code === 1 || row.code === 2) throw new Fault('notAllowed', { hint: 'the task has not ended' });
    const bucket = await this.#deps.buckets.owned(row.uid, row.input_bucket);
    const request: TaskRequest = {
      ...by,
      uid: row.uid,
      check: (commands) =>
        refuse?.([{ action: 'read', ...source }, ...commandPermissions(commands, source.bucket)]),
      fops: row.items.map((item) => item.cmd).join(';'),
      workflow: undefined,
      isIdle: row.is_idle,
      pipeline: row.pipeline ?? undefined,
      isForced: true,
      notifyUrl: row.notify_url ?? undefined,
      ...(row.task_from === null ? {} : { taskFrom: row.task_from }),
    };
    return this.submit(request, bucket, row.input_key);
  }

  async #commandsOf({ uid, fops, workflow }: TaskRequest): Promise<readonly Fop[]> {
    if (fops !== undefined) return typeof fops === 'string' ? parseFops(fops) : fops;
    const template = workflow === undefined ? undefined : await this.#deps.workflows.find(uid, workflow);
    if (template === undefined)
      throw new Fault('invalidArgument', { hint: 'there is no such workflow template' });
    return parseFops(template.commands);
  }

  /** Another account's bucket is answered like one that does not exist. */
  async #checkTargets(uid: bigint, commands: readonly Fop[]): Promise<void> {
    const names = new Set(commands.flatMap((command) => command.saveAs?.entry.bucket ?? []));
    for (const name of names) {
      const bucket = await this.#deps.buckets.byName(name);
      if (bucket?.uid !== uid || bucket.region !== this.#deps.region)
        throw new Fault('invalidArgument', {
          hint: 'the bucket of saveas is not one of yours in this region',
        });
    }
  }

  #timeOf(id: string): Date | undefined {
    const parsed = parseTaskId(id);
    return parsed?.region === this.#deps.region ? new Date(parsed.createdAt * 1000) : undefined;
  }
}

export function idTimeOf(id: string): Date {
  const parsed = parseTaskId(id);
  if (parsed === undefined) throw new Error('this is not a task id of this service');
  return new Date(parsed.createdAt * 1000);
}

function isNamedByItself({ stages, saveAs }: Fop): boolean {
  const last = stages.at(-1);
  return saveAs?.saveKey !== undefined && last !== undefined && productOf(last) === 'files';
}

/** `tigger` is how the API spells it. */
function originOf({ trigger, workflow, taskFrom }: TaskRequest): string | undefined {
  if (taskFrom !== undefined) return taskFrom;
  if (trigger !== undefined) return `tigger:${trigger}`;
  return workflow === undefined ? undefined : `workflow:${workflow}`;
}

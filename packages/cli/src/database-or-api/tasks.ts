/** Tasks as `millpond task` shows them: for an operator from the database, for a user from the API. */
import type { Client, OwnTaskRecord } from '@millpond/client/server';
import { type OperatorTools, ownTaskRecord, parseQueue } from '@millpond/server';
import { prefixNotFound } from '../report.ts';
import { TASK_STATES, type TaskState } from '../task-states.ts';
import { firstOf, type Sources } from './source.ts';

/** The owner's record; an operator also sees whose it is, and who is notified. */
export type TaskView = OwnTaskRecord & { readonly uid?: bigint; readonly notify?: string };

export interface TaskQuery {
  readonly account?: string;
  readonly state?: TaskState;
  readonly pipeline?: string;
  readonly bucket?: string;
  readonly key?: string;
  readonly since?: Date;
  readonly until?: Date;
  readonly limit: number;
}

export interface TaskSource {
  list(query: TaskQuery): Promise<TaskView[]>;
  get(id: string): Promise<TaskView>;
  cancel(id: string): Promise<void>;
  /** The new task's id. */
  rerun(id: string): Promise<string>;
}

const PAGE = 1000;

export const taskSources: Sources<TaskSource> = { operator: allTasks, user: ownTasks };

type Row = Parameters<typeof ownTaskRecord>[0];

function shownTask(row: Row, waitingFor?: OwnTaskRecord['waitingFor']): TaskView {
  const told = row.notify_url === null ? {} : { notify: row.notify_url };
  return { uid: row.uid, ...told, ...ownTaskRecord(row, waitingFor) };
}

function allTasks(tools: OperatorTools): TaskSource {
  return {
    async list(query) {
      const account =
        query.account === undefined ? undefined : (await tools.accounts.byEmail(query.account)).uid;
      const queue = query.pipeline === undefined ? undefined : parseQueue(query.pipeline);
      // A queue of an account other than the one asked for.
      if (account !== undefined && queue?.uid !== undefined && queue.uid !== account) return [];
      const filter = {
        uid: account ?? queue?.uid,
        code: query.state === undefined ? undefined : (TASK_STATES.indexOf(query.state) as Row['code']),
        pipeline: queue && (queue.pipeline ?? null),
        bucketId: query.bucket === undefined ? undefined : await tools.bucketId(query.bucket),
        key: query.key,
        from: query.since,
        to: query.until,
      };
      const rows: Row[] = [];
      for (;;) {
        const last = rows.at(-1);
        const before = last && { createdAt: last.creation_date, id: last.task_id };
        const limit = Math.min(PAGE, query.limit - rows.length);
        const page = await tools.tasks.list({ ...filter, before, limit });
        rows.push(...page);
        if (page.length === 0 || rows.length >= query.limit) return rows.map((each) => shownTask(each));
      }
    },
    async get(id) {
      const row = await tools.tasks.own(undefined, id);
      return shownTask(row, await tools.tasks.waitingFor(row));
    },
    cancel: async (id) => {
      await tools.changeTasks((tasks) => tasks.cancel(undefined, id));
    },
    rerun: (id) =>
      tools.changeTasks((tasks) =>
        tasks.rerun(undefined, id, { accessKey: undefined, reqid: tools.actor.name }),
      ),
  };
}

function ownTasks({ processing }: Client, signal: AbortSignal): TaskSource {
  return {
    async list({ state, pipeline, bucket, key, since, until, limit }) {
      const [from, to] = [since?.toISOString(), until?.toISOString()];
      const tasks = processing.tasks({ state, pipeline, bucket, key, from, to, signal });
      try {
        return await firstOf(tasks, limit);
      } catch (error) {
        throw bucket === undefined ? error : prefixNotFound(bucket, error);
      }
    },
    get: (id) => processing.task(id, { signal }),
    cancel: (id) => processing.cancel(id, { signal }),
    rerun: (id) => processing.rerun(id, { signal }),
  };
}

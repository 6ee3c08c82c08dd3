/** Calls on an account's own tasks, templates, triggers and pipelines, under `/v1/` at the `api` host. */
import { Fault, type WireRecord } from '@millpond/protocol';
import type { Outbound } from '../../../platform/outbound/index.ts';
import {
  type Call,
  emptyAnswer,
  jsonAnswer,
  jsonBody,
  queryFields,
  type Route,
} from '../../../platform/web/index.ts';
import type { Authenticate, Principal } from '../../accounts/index.ts';
import type { Buckets } from '../../buckets/index.ts';
import type { Pipelines } from '../pipelines/pipelines.ts';
import { ownTaskRecord } from '../task.ts';
import type { TriggerRow } from '../workflows/workflow-store.ts';
import type { Workflows } from '../workflows/workflows.ts';
import { checkNotifyUrl } from './notification.ts';
import { readTaskFilter, readWorkflowPage, taskPage, workflowPage, workflowRecord } from './task-list.ts';
import type { Tasks } from './tasks.ts';

export interface TaskRouteDeps {
  readonly tasks: Tasks;
  readonly workflows: Workflows;
  readonly pipelines: Pipelines;
  readonly buckets: Buckets;
  readonly outbound: Outbound;
  readonly authenticate: Authenticate;
  readonly plainHttp: boolean;
}

type Method = Route['methods'][number];
type Handle = (principal: Principal, call: Call) => Promise<object | undefined>;

export function taskRoutes(deps: TaskRouteDeps): Route[] {
  const { tasks, workflows, pipelines, buckets, outbound } = deps;
  const route = (method: Method, path: string, handle: Handle): Route => ({
    role: 'api',
    methods: [method],
    path,
    async handle(call) {
      if (!call.peer.secure && !deps.plainHttp) throw new Fault('httpsRequired');
      const principal = await deps.authenticate(call);
      const body = await handle(principal, call);
      return body === undefined
        ? emptyAnswer()
        : jsonAnswer(body, { headers: { 'cache-control': 'no-store' } });
    },
  });

  return [
    route('GET', '/v1/tasks', async ({ uid }, call) =>
      taskPage(await tasks.list(await readTaskFilter(uid, queryFields(call), buckets))),
    ),
    route('GET', '/v1/tasks/:id', async ({ uid }, call) =>
      ownTaskRecord(await tasks.own(uid, call.segment('id'))),
    ),
    route('POST', '/v1/tasks/:id/cancel', async ({ uid }, call) => {
      await tasks.cancel(uid, call.segment('id'));
      return undefined;
    }),
    route('POST', '/v1/tasks/:id/rerun', async ({ uid, key }, call) => ({
      persistentId: await tasks.rerun(uid, call.segment('id'), {
        accessKey: key?.accessKey,
        reqid: call.reqid,
      }),
    })),

    route('GET', '/v1/workflows', async ({ uid }, call) => {
      const page = readWorkflowPage(queryFields(call));
      return workflowPage(await workflows.list(uid, page), page);
    }),
    route('GET', '/v1/workflows/:name', async ({ uid }, call) => {
      const row = await workflows.find(uid, call.segment('name'));
      if (row === undefined) throw new Fault('notFound');
      return workflowRecord(row);
    }),
    route('PUT', '/v1/workflows/:name', async ({ uid }, call) =>
      workflowRecord(await workflows.put(uid, call.segment('name'), jsonBody(call).commands)),
    ),
    route('DELETE', '/v1/workflows/:name', async ({ uid }, call) => {
      await workflows.remove(uid, call.segment('name'));
      return undefined;
    }),

    route('GET', '/v1/triggers', async ({ uid }) => ({
      items: (await workflows.triggers(uid)).map(triggerRecord),
    })),
    route('POST', '/v1/triggers', async ({ uid }, call) => {
      const body = jsonBody(call);
      const notifyUrl = textOf(body, 'notifyURL');
      if (notifyUrl !== '') checkNotifyUrl(outbound, notifyUrl);
      return triggerRecord(
        await workflows.addTrigger(uid, {
          bucket: textOf(body, 'bucket'),
          prefix: textOf(body, 'prefix'),
          suffix: textOf(body, 'suffix'),
          workflow: textOf(body, 'workflow'),
          notifyUrl: notifyUrl === '' ? undefined : notifyUrl,
        }),
      );
    }),
    route('DELETE', '/v1/triggers/:id', async ({ uid }, call) => {
      await workflows.removeTrigger(uid, call.segment('id'));
      return undefined;
    }),

    route('GET', '/v1/pipelines', async ({ uid }) => ({ items: await pipelines.list(uid) })),
    route('PUT', '/v1/pipelines/:name', async ({ uid }, call) =>
      pipelines.put(uid, call.segment('name'), jsonBody(call).concurrency),
    ),
    route('DELETE', '/v1/pipelines/:name', async ({ uid }, call) => {
      await pipelines.remove(uid, call.segment('name'));
      return undefined;
    }),
  ];
}

function triggerRecord(row: TriggerRow): WireRecord<'Trigger'> {
  return {
    id: row.trigger_id,
    bucket: row.bucket,
    prefix: row.prefix,
    suffix: row.suffix,
    workflow: row.workflow,
    notifyURL: row.notify_url ?? undefined,
  };
}

/** The empty string if it is absent. */
function textOf(body: Record<string, unknown>, name: string): string {
  const value = body[name] ?? '';
  if (typeof value !== 'string') throw new Fault('invalidArgument', { hint: `${name} must be a string` });
  return value;
}

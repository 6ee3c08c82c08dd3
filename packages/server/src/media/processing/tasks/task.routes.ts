/** Calls on an account's own tasks, templates, triggers and pipelines, under `/v1/` at the `api` host. */
import type { OutboundClient } from '@millpond/outbound';
import { Fault, type WireRecord } from '@millpond/protocol';
import {
  type Authenticate,
  assertWithinKeyLimits,
  requireAdminister,
} from '../../../identity/accounts/index.ts';
import { jsonBody, type Route } from '../../../platform/web/index.ts';
import { booleanField, resourceRoutes } from '../../../platform/web/resources/index.ts';
import type { Buckets } from '../../../storage/buckets/index.ts';
import type { PipelineView } from '../pipelines/pipeline.store.ts';
import type { Pipelines } from '../pipelines/pipelines.ts';
import { ownTaskRecord } from '../task.ts';
import type { TriggerRow } from '../workflows/workflow.store.ts';
import type { Workflows } from '../workflows/workflows.ts';
import { readTaskFilter, readWorkflowPage, taskPage, workflowPage, workflowRecord } from './task-list.ts';
import { checkNotifyUrl } from './tasks.notification.ts';
import type { Tasks } from './tasks.ts';

export interface TaskRouteDeps {
  readonly tasks: Tasks;
  readonly workflows: Workflows;
  readonly pipelines: Pipelines;
  readonly buckets: Buckets;
  readonly outbound: OutboundClient;
  readonly authenticate: Authenticate;
  readonly plainHttp: boolean;
}

export function taskRoutes(deps: TaskRouteDeps): Route[] {
  const { tasks, workflows, pipelines, buckets, outbound } = deps;
  const route = resourceRoutes({ role: 'api', ...deps, authenticate: requireAdminister(deps.authenticate) });

  return [
    route('GET', '/tasks', async ({ uid, query }) =>
      taskPage(await tasks.list(await readTaskFilter(uid, query, buckets))),
    ),
    route('GET', '/tasks/:id', async ({ uid, name }) => {
      const row = await tasks.own(uid, name('id'));
      return ownTaskRecord(row, await tasks.waitingFor(row));
    }),
    route('POST', '/tasks/:id/cancel', async ({ uid, name }) => {
      await tasks.cancel(uid, name('id'));
      return undefined;
    }),
    route('POST', '/tasks/:id/rerun', async ({ uid, caller, context, name }) => ({
      persistentId: await tasks.rerun(uid, name('id'), {
        accessKey: caller.key?.accessKey,
        reqid: context.reqid,
        refuse: (asked) => assertWithinKeyLimits(caller.key, asked, context.peer.address),
      }),
    })),

    route('GET', '/workflows', async ({ uid, query }) => {
      const page = readWorkflowPage(query);
      return workflowPage(await workflows.list(uid, page), page);
    }),
    route('GET', '/workflows/:name', async ({ uid, name }) => {
      const row = await workflows.find(uid, name('name'));
      if (row === undefined) throw new Fault('notFound');
      return workflowRecord(row);
    }),
    route('PUT', '/workflows/:name', async ({ uid, context, name }) =>
      workflowRecord(await workflows.put(uid, name('name'), jsonBody(context).commands)),
    ),
    route('DELETE', '/workflows/:name', async ({ uid, name }) => {
      await workflows.remove(uid, name('name'));
      return undefined;
    }),

    route('GET', '/triggers', async ({ uid }) => ({
      items: (await workflows.triggers(uid)).map(triggerRecord),
    })),
    route('POST', '/triggers', async ({ uid, context }) => {
      const body = jsonBody(context);
      const notifyUrl = textOf(body, 'notifyURL');
      if (notifyUrl !== '') checkNotifyUrl(outbound, notifyUrl);
      return triggerRecord(
        await workflows.addTrigger(uid, {
          bucket: textOf(body, 'bucket'),
          prefix: textOf(body, 'prefix'),
          suffix: textOf(body, 'suffix'),
          workflow: textOf(body, 'workflow'),
          isForced: booleanField().read(body.force ?? false, 'force'),
          notifyUrl: notifyUrl === '' ? undefined : notifyUrl,
        }),
      );
    }),
    route('DELETE', '/triggers/:id', async ({ uid, name }) => {
      await workflows.removeTrigger(uid, name('id'));
      return undefined;
    }),

    route('GET', '/pipelines', async ({ uid }) => ({
      items: (await pipelines.list(uid)).map(pipelineRecord),
    })),
    route('PUT', '/pipelines/:name', async ({ uid, context, name }) =>
      pipelineRecord(await pipelines.put(uid, name('name'), jsonBody(context).concurrency)),
    ),
    route('DELETE', '/pipelines/:name', async ({ uid, name }) => {
      await pipelines.remove(uid, name('name'));
      return undefined;
    }),
  ];
}

function pipelineRecord({ oldest, ...pipeline }: PipelineView): WireRecord<'Pipeline'> {
  return { ...pipeline, oldest: oldest?.toISOString() };
}

function triggerRecord(row: TriggerRow): WireRecord<'Trigger'> {
  return {
    id: row.trigger_id,
    bucket: row.bucket,
    prefix: row.prefix,
    suffix: row.suffix,
    workflow: row.workflow,
    force: row.is_forced || undefined,
    notifyURL: row.notify_url ?? undefined,
  };
}

/** The empty string if it is absent. */
function textOf(body: Record<string, unknown>, name: string): string {
  const value = body[name] ?? '';
  if (typeof value !== 'string') throw new Fault('invalidArgument', { hint: `${name} must be a string` });
  return value;
}

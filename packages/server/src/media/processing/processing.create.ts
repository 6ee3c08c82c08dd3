/** Builds persistent processing: tasks, pipelines, workflows, and their runner if there is a media engine. */
import { hostname } from 'node:os';
import type { Log, Rate } from '@millpond/base';
import type { EngineKind, MediaEngine } from '@millpond/jail';
import type { OutboundClient } from '@millpond/outbound';
import type { Dialect } from '@millpond/protocol';
import type { Deliveries } from '../../events/deliveries/index.ts';
import type { Authenticate, Tenants } from '../../identity/accounts/index.ts';
import type { Database } from '../../platform/db/database.ts';
import { type BackgroundJob, type Feature, HOUR_SECONDS } from '../../platform/feature.ts';
import type { Queue, QueueDefinition } from '../../platform/queue/queue.ts';
import type { ObjectBlobs } from '../../platform/small-blobs/index.ts';
import type { Buckets } from '../../storage/buckets/index.ts';
import type { Objects, ObjectsFeature } from '../../storage/objects/index.ts';
import { Admission, ENGINE_QUEUES, IDLE_TASK_QUEUE, TASK_QUEUE } from './pipelines/admission.ts';
import { PipelineStore } from './pipelines/pipeline.store.ts';
import { Pipelines } from './pipelines/pipelines.ts';
import { processingMetrics } from './processing.metrics.ts';
import { createCommandEngine } from './run/commands.ts';
import { ItemRunner } from './run/item-runner.ts';
import { type LocateObject, ObjectSources } from './run/object-sources.ts';
import { ResultCacheStore } from './run/result-cache.store.ts';
import { Results } from './run/results.ts';
import { Reuse } from './run/reuse.ts';
import { Sources } from './run/sources.ts';
import { TaskRunner } from './run/tasks.runner.ts';
import { TaskStatsStore } from './task-stats.store.ts';
import { submitRoutes } from './tasks/submit.routes.ts';
import { taskRoutes } from './tasks/task.routes.ts';
import { TaskStore } from './tasks/task.store.ts';
import { TaskCompletion } from './tasks/task-completion.ts';
import { TaskDaysStore } from './tasks/task-days.store.ts';
import { TaskWaits } from './tasks/task-waits.ts';
import { notifyBy } from './tasks/tasks.notification.ts';
import { Tasks } from './tasks/tasks.ts';
import { UploadTriggers } from './tasks/upload-triggers.ts';
import { AbleWorkers } from './workers/able-workers.ts';
import { WorkerPresence } from './workers/presence.ts';
import { WorkerStore } from './workers/worker.store.ts';
import { WorkflowStore } from './workflows/workflow.store.ts';
import { Workflows } from './workflows/workflows.ts';

export interface TaskDeps {
  readonly region: Database;
  readonly buckets: Buckets;
  readonly deliveries: Deliveries;
  readonly tenants: Tenants;
  /** Absent in an operator's commands: they create no tasks. */
  readonly queue: Queue | undefined;
}

export interface ProcessingDeps extends TaskDeps {
  readonly blobs: ObjectBlobs;
  readonly outbound: OutboundClient;
  readonly log: Log;
  readonly objects: Objects;
  readonly copies: ObjectsFeature['copies'];
  readonly authenticate: Authenticate;
  readonly dialect: Dialect;
  readonly media: () => Promise<MediaEngine>;
  readonly locate: LocateObject;
}

/** The settings, by name. */
export interface TaskSettings {
  readonly region: string;
  readonly controlCache: number;
  readonly controlStale: number;
}

export interface ProcessingSettings extends TaskSettings {
  readonly plainHttp: boolean;
  readonly taskQueriesPerAddress: Rate;
  readonly mediaSlots: number;
}

export interface ProcessingFeature extends Feature {
  /** Presence of a process that runs tasks. */
  readonly presence: Pick<WorkerPresence, 'start' | 'stop'>;
  readonly uploadTriggers: UploadTriggers;
  readonly tasks: Tasks;
  readonly objectSources: ObjectSources;
  readonly results: Results;
  readonly taskFigures: TaskStatsStore;
  readonly pipelines: Pick<PipelineStore, 'list'>;
}

/** Days for which tables are created ahead: all workers may be away this long. */
const DAYS_AHEAD = 7;
/** One more than the days for which a task can be queried. */
const DAYS_KEPT = 11;
/** How long it is remembered that an object is the result of a command on a content. */
const RESULT_DAYS = 30;
/** Most tasks have somebody waiting; a poll that finds nothing costs a fraction of a millisecond. */
const PICKUP_MS = 100;
/** A week of tries: the task itself knows when to give up, and an engine that is away for a day costs no task. */
const RETRIES = { retryLimit: 10_000, retryDelayMaxSeconds: 60 };

export const taskQueues: Readonly<Record<string, QueueDefinition>> = {
  [TASK_QUEUE]: { kind: 'normal', maxPollMs: PICKUP_MS, ...RETRIES },
  [ENGINE_QUEUES.images]: { kind: 'normal', ...RETRIES },
  [ENGINE_QUEUES.media]: { kind: 'normal', ...RETRIES },
  [IDLE_TASK_QUEUE]: { kind: 'idle', ...RETRIES },
};

/** Queues whose tasks a worker with these engines takes. What may run in idle time needs ffmpeg. */
function queuesFor(engines: readonly EngineKind[]): string[] {
  return [
    TASK_QUEUE,
    ...(engines.includes('images') ? [ENGINE_QUEUES.images] : []),
    ...(engines.includes('media') ? [ENGINE_QUEUES.media, IDLE_TASK_QUEUE] : []),
  ];
}

/** Tasks without their runner. */
export function createTasks(
  { region, buckets, deliveries, tenants, queue }: TaskDeps,
  settings: TaskSettings,
) {
  const store = new TaskStore(region);
  const admission = new Admission(queue ?? noQueue, tenants);
  const ending = new TaskCompletion({ store, admission, notify: notifyBy(deliveries) });
  const times = { freshMs: settings.controlCache, staleMs: settings.controlStale };
  const workflows = new Workflows({ store: new WorkflowStore(region), buckets, ...times });
  const workerStore = new WorkerStore(region);
  const workers = new AbleWorkers(workerStore);
  const waits = new TaskWaits(region, store, workers);
  const tasks = new Tasks({
    store,
    workers,
    waits,
    admission,
    ending,
    workflows,
    buckets,
    region: settings.region,
  });
  return { store, admission, ending, workflows, workerStore, tasks };
}

export function createProcessing(deps: ProcessingDeps, settings: ProcessingSettings): ProcessingFeature {
  const { region, blobs, buckets, objects, outbound, tenants, log, authenticate, dialect, media } = deps;
  const { plainHttp } = settings;
  const { store, admission, ending, workflows, workerStore, tasks } = createTasks(deps, settings);
  const presence = new WorkerPresence(workerStore, log, settings.mediaSlots > 0);
  const pipelineStore = new PipelineStore(region);
  const pipelines = new Pipelines({ store: pipelineStore, tasks: store, admission });
  const objectSources = new ObjectSources({ objects, buckets, blobs, locate: deps.locate });
  const sources = new Sources({ objects: objectSources, outbound, tenants });
  const results = new Results({ objects, blobs });
  const works = new ResultCacheStore(region);
  const reuse = new Reuse({ tasks: store, works, objects, relocations: deps.copies });
  const engine = createCommandEngine({ media, sources, tenants });
  const items = new ItemRunner({ store, objects, buckets, results, engine, works, reuse });
  const runner = new TaskRunner({ store, works, tenants, admission, ending, items, worker: hostname(), log });
  const taskFigures = new TaskStatsStore(region);
  const routeDeps = { tasks, buckets, outbound, authenticate, plainHttp };
  return {
    uploadTriggers: new UploadTriggers({ tasks, workflows, log }),
    tasks,
    objectSources,
    results,
    presence,
    routes: [
      ...submitRoutes({
        ...routeDeps,
        objects,
        dialect,
        queriesPerAddress: settings.taskQueriesPerAddress,
      }),
      ...taskRoutes({ ...routeDeps, workflows, pipelines }),
    ],
    jobs: [
      ...tidyingJobs(new TaskDaysStore(region), works, workerStore),
      {
        queues: taskQueues,
        slots: settings.mediaSlots,
        ready: async () => queuesFor(await openEngines(media, presence, log)),
        run: (job) => runner.run(String(job.data.taskId), job),
      },
    ],
    taskFigures,
    pipelines: pipelineStore,
    metrics: processingMetrics(items, taskFigures),
  };
}

function tidyingJobs(days: TaskDaysStore, works: ResultCacheStore, workers: WorkerStore): BackgroundJob[] {
  return [
    {
      name: 'task-days',
      everySeconds: HOUR_SECONDS,
      says: 'old tasks dropped',
      async run() {
        await days.ensure(DAYS_AHEAD);
        await workers.forget();
        return { dropped: await days.drop(DAYS_KEPT) };
      },
    },
    {
      name: 'task-result-forget',
      everySeconds: HOUR_SECONDS,
      says: 'old results of tasks deleted',
      run: async () => ({ forgotten: await works.forget(RESULT_DAYS) }),
    },
  ];
}

/** What this process has for tasks; the others leave to others what they lack. */
async function openEngines(
  media: () => Promise<MediaEngine>,
  presence: WorkerPresence,
  log: Log,
): Promise<readonly EngineKind[]> {
  const { missing } = await media();
  for (const [engine, { problem, remedy }] of Object.entries(missing))
    log.warn({ engine, problem, remedy }, 'tasks that need this are left to other workers');
  return presence.opened(missing);
}

const noQueue = {
  enqueueMany: () => Promise.reject(new Error('no queue is open')),
  enqueueLater: () => Promise.reject(new Error('no queue is open')),
};

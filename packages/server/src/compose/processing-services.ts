/** Builds persistent processing on the floors below it. */
import { type Dialect, decodePercent } from '@millpond/protocol';
import type { Config } from '../config/config.ts';
import type { Infra } from '../engines/infra.ts';
import type { Authenticate } from '../features/accounts/index.ts';
import type { Buckets } from '../features/buckets/index.ts';
import type { Deliveries } from '../features/deliveries/index.ts';
import { type Objects, RelocateStore } from '../features/objects/index.ts';
import {
  Admission,
  Arrivals,
  createCommandEngine,
  Ending,
  ItemRunner,
  type LocateObject,
  type Notify,
  ObjectSources,
  PipelineStore,
  Pipelines,
  Results,
  Reuse,
  Sources,
  submitRoutes,
  TaskDaysStore,
  TaskRunner,
  TaskStore,
  Tasks,
  taskRoutes,
  WorkflowStore,
  Workflows,
  WorkStore,
} from '../features/processing/index.ts';
import { HostDirectory } from '../http/hosts.ts';
import type { Queue } from '../platform/queue/queue.ts';
import type { Route } from '../platform/web/index.ts';

export interface ProcessingParts {
  readonly buckets: Buckets;
  readonly objects: Objects;
  readonly deliveries: Deliveries;
  readonly authenticate: Authenticate;
  readonly dialect: Dialect;
  /** An operator's commands have none: they make no tasks. */
  readonly queue: Queue | undefined;
}

export interface Processing {
  readonly arrivals: Arrivals;
  readonly runner: TaskRunner;
  readonly service: Tasks;
  readonly days: TaskDaysStore;
  readonly works: WorkStore;
  readonly items: ItemRunner;
  readonly objectSources: ObjectSources;
  readonly results: Results;
  readonly routes: readonly Route[];
}

/** Tasks without what runs them. */
export function makeTasks(
  { region }: Pick<Infra, 'region'>,
  config: Config,
  { buckets, deliveries, queue }: Pick<ProcessingParts, 'buckets' | 'deliveries' | 'queue'>,
) {
  const store = new TaskStore(region);
  const admission = new Admission(queue ?? noQueue);
  const ending = new Ending({ store, admission, notify: notifyBy(deliveries) });
  const times = { freshMs: config.controlCache, staleMs: config.controlStale };
  const workflows = new Workflows({ store: new WorkflowStore(region), buckets, ...times });
  const tasks = new Tasks({ store, admission, ending, workflows, buckets, region: config.region });
  return { store, admission, ending, workflows, tasks };
}

export function makeProcessing(infra: Infra, config: Config, parts: ProcessingParts): Processing {
  const { buckets, objects, authenticate, dialect } = parts;
  const { outbound, blobs, log, region } = infra;
  const { plainHttp } = config;
  const { store, admission, ending, workflows, tasks } = makeTasks(infra, config, parts);
  const pipelines = new Pipelines({ store: new PipelineStore(region), tasks: store, admission });
  const objectSources = new ObjectSources({ objects, buckets, blobs, locate: locateBy(config) });
  const sources = new Sources({ objects: objectSources, outbound });
  const results = new Results({ objects, blobs });
  const works = new WorkStore(region);
  const reuse = new Reuse({ tasks: store, works, objects, relocations: new RelocateStore(region) });
  const items = new ItemRunner({
    store,
    objects,
    buckets,
    results,
    engine: createCommandEngine({ media: () => infra.media.engine(), sources }),
    works,
    reuse,
  });
  const routeParts = { tasks, buckets, outbound, authenticate, plainHttp };
  return {
    arrivals: new Arrivals({ tasks, workflows, log }),
    runner: new TaskRunner({ store, works, admission, ending, items, log }),
    service: tasks,
    days: new TaskDaysStore(region),
    works,
    items,
    objectSources,
    results,
    routes: [
      ...submitRoutes({ ...routeParts, objects, dialect, queriesPerAddress: config.taskQueriesPerAddress }),
      ...taskRoutes({ ...routeParts, workflows, pipelines }),
    ],
  };
}

const noQueue = {
  enqueueMany: () => Promise.reject(new Error('no queue is open')),
  enqueueLater: () => Promise.reject(new Error('no queue is open')),
};

function notifyBy(deliveries: Deliveries): Notify {
  return async (transaction, task, body) => {
    if (task.notify_url === null) return;
    await deliveries.add(transaction, {
      kind: 'notification',
      uid: task.uid,
      accessKey: task.access_key ?? undefined,
      url: task.notify_url,
      endpoint: undefined,
      contentType: 'application/json',
      body,
      entity: undefined,
      subject: task.task_id,
      reqid: task.reqid,
    });
  };
}

/** By path under the hosts of downloads and our own listeners, by name under the download suffix. */
function locateBy(config: Config): LocateObject {
  const hosts = new HostDirectory(config.hosts, config.downloadSuffix);
  const listeners = new Set(config.listen.map(({ address, port }) => `${address}:${port}`));
  return ({ host, pathname }) => {
    const meaning = hosts.meaning(host);
    const key = decodePercent(pathname.slice(1));
    if (key === undefined) return undefined;
    if (meaning.kind === 'bucket') return { bucket: meaning.bucket, key };
    const isOurs = meaning.kind === 'roles' ? meaning.roles.has('io') : listeners.has(host);
    const slash = key.indexOf('/');
    return isOurs && slash > 0 ? { bucket: key.slice(0, slash), key: key.slice(slash + 1) } : undefined;
  };
}

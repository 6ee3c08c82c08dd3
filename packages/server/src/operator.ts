/** What the operator commands work with: the services, without listeners. */
import { userInfo } from 'node:os';
import { Fault } from '@millpond/protocol';
import { createFeatures } from './compose/features.ts';
import type { Config } from './config/config.ts';
import type { Deliveries } from './events/deliveries/index.ts';
import type { Accounts, Actor, Identities, Sessions } from './identity/accounts/index.ts';
import { openInfra } from './infra/infra.ts';
import type { LiveFeature } from './live/streams/index.ts';
import { createTasks, type Tasks, taskQueues } from './media/processing/index.ts';
import type { FiguresFeature } from './operations/figures/index.ts';
import type { OverviewFeature } from './operations/overview/index.ts';
import type { Requests } from './operations/requests/index.ts';
import type { Queryable } from './platform/db/database.ts';
import { type FailedJobs, openFailedJobs } from './platform/queue/queue.failures.ts';
import { openQueue } from './platform/queue/queue.ts';
import { type Bucket, parseDomain, type Regions } from './storage/buckets/index.ts';
import type { Collector, ObjectsFeature, Undelete } from './storage/objects/index.ts';
import { type AccountUsage, daysOf } from './storage/usage/index.ts';

/** A call that the server answers. */
export interface ServedRoute {
  readonly role: string;
  readonly methods: readonly string[];
  readonly path: string;
}

export interface OperatorTools {
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly identities: Identities;
  /** The actor in the audit log: the operator, by the name of the system user. */
  readonly actor: Actor;
  readonly collector: Collector;
  readonly packing: ObjectsFeature['packing'];
  readonly deliveries: Deliveries;
  readonly failedJobs: FailedJobs;
  /** The names of all queues. */
  readonly queues: readonly string[];
  readonly live: Pick<LiveFeature, 'namespaces' | 'streams' | 'records'>;
  /** Wraps the secrets of the region with the current master key; returns how many needed it. */
  readonly rotateRegion: () => Promise<number>;
  readonly requests: Requests;
  /** Every route that is answered, whichever listener carries it. */
  readonly routes: readonly ServedRoute[];
  /** Read only. Changes go through `changeTasks`. */
  readonly tasks: Pick<Tasks, 'list' | 'own' | 'waitingFor'>;
  /** Runs with the queue open; nothing else here needs it. */
  readonly changeTasks: <T>(change: (tasks: Tasks) => Promise<T>) => Promise<T>;
  readonly undelete: Undelete;
  readonly bucketId: (name: string) => Promise<bigint>;
  readonly createBucket: (uid: bigint, name: string, within?: Queryable) => Promise<void>;
  /** What an account uses, with the requests of these days (`YYYY-MM-DD`). */
  readonly usageOf: (uid: bigint, from?: string, to?: string) => Promise<AccountUsage>;
  /** Recounts a bucket and returns by how much the figures were off. */
  readonly recount: (bucket: string) => Promise<{ bytes: bigint; objects: bigint }>;
  readonly figures: FiguresFeature['read'];
  readonly overview: Pick<OverviewFeature, 'overview' | 'failures'>;
  readonly regions: Pick<Regions, 'own' | 'names' | 'refuseUnknown' | 'forget'>;
  readonly bucketsOf: (uid: bigint) => Promise<readonly string[]>;
  readonly bindDomain: (domain: string, bucket: string) => Promise<void>;
  readonly unbindDomain: (domain: string) => Promise<void>;
  close(): Promise<void>;
}

export function openOperatorTools(config: Config): OperatorTools {
  const infra = openInfra({ ...config, dbConnections: 2, logLevel: 'warn' });
  const features = createFeatures(infra, config);
  const { devices, live, processing, routes } = features;
  const { accounts, sessions, identities, tenants } = features.accounts;
  const { buckets, domains } = features.buckets;
  const { collector, packing, undelete } = features.objects;
  const { deliveries } = features.deliveries;
  const { usage } = features.usage;
  const bucketOf = async (name: string): Promise<Bucket> => {
    const bucket = await buckets.byName(name);
    if (bucket === undefined) throw new Fault('noSuchBucket', { hint: name });
    return bucket;
  };
  return {
    accounts,
    sessions,
    identities,
    actor: { name: `operator ${userInfo().username}`, address: 'local', reqid: '' },
    collector,
    packing,
    deliveries,
    failedJobs: openFailedJobs(infra.region.pool),
    queues: features.jobs.flatMap(({ queues }) => Object.keys(queues ?? {})),
    live,
    rotateRegion: async () => (await live.streams.rotateMasterKey()) + (await devices.passwords.rotate()),
    routes: routes.map(({ role, methods, path }) => ({ role, methods, path })),
    requests: features.requests.requests,
    tasks: processing.tasks,
    async changeTasks(change) {
      const queue = openQueue({ pool: infra.region.pool, log: infra.log });
      try {
        for (const [name, definition] of Object.entries(taskQueues)) await queue.define(name, definition);
        return await change(createTasks({ ...infra, buckets, deliveries, tenants, queue }, config).tasks);
      } finally {
        await queue.close();
      }
    },
    undelete,
    bucketId: async (name) => (await bucketOf(name)).id,
    createBucket: (uid, name, within) => buckets.create(uid, name, config.region, { within }),
    usageOf: (uid, from, to) => usage.ofAccount(uid, daysOf(from, to)),
    figures: features.figures.read,
    overview: features.overview,
    recount: async (name) => {
      const bucket = await bucketOf(name);
      await buckets.assertInThisRegion(bucket);
      return usage.recount(bucket);
    },
    regions: features.buckets.regions,
    bucketsOf: async (uid) => (await buckets.ofAccount(uid)).map(({ name }) => name),
    bindDomain: async (domain, name) => domains.bindUnproven(parseDomain(domain), await bucketOf(name)),
    unbindDomain: (domain) => domains.unbind(parseDomain(domain)),
    close: () => infra.close(),
  };
}

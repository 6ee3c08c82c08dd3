/**
 * Every command: its name, its text in `millpond --help`, and where its code is. The code is loaded only when the
 * command is called: help and completion must not wait until a whole server is loaded.
 */
import type { Command } from 'commander';

export type AddCommand = (program: Command) => void;

export interface CommandRow {
  readonly name: string;
  readonly about: string;
  readonly load: () => Promise<AddCommand>;
}

export interface CommandGroup {
  readonly title: string;
  readonly rows: readonly CommandRow[];
}

/** In the order in which a new user meets them. */
export const commandGroups: readonly CommandGroup[] = [
  {
    title: 'Objects',
    rows: [
      {
        name: 'cp',
        about: 'copy files and folders up, down and between buckets',
        load: async () => (await import('./commands/objects/cp.ts')).addCp,
      },
      {
        name: 'sync',
        about: 'make a folder or bucket match another: copy what differs',
        load: async () => (await import('./commands/objects/sync.ts')).addSync,
      },
      {
        name: 'ls',
        about: 'list buckets, or the objects in one',
        load: async () => (await import('./commands/objects/ls.ts')).addLs,
      },
      {
        name: 'stat',
        about: 'show size, hash, type, class, metadata and response headers of objects',
        load: async () => (await import('./commands/objects/stat.ts')).addStat,
      },
      {
        name: 'url',
        about: 'print a signed URL of an object that works for anyone who has it',
        load: async () => (await import('./commands/objects/url.ts')).addUrl,
      },
      {
        name: 'mv',
        about: 'move objects within an installation',
        load: async () => (await import('./commands/objects/mv.ts')).addMv,
      },
      {
        name: 'rm',
        about: 'delete objects',
        load: async () => (await import('./commands/objects/rm.ts')).addRm,
      },
      {
        name: 'trash',
        about: 'list what was deleted or replaced in a bucket, and bring it back',
        load: async () => (await import('./commands/objects/trash.ts')).addTrash,
      },
      {
        name: 'bulk',
        about: 'delete, move, copy, restore, zip or change the class of many objects, on the server',
        load: async () => (await import('./commands/objects/bulk.ts')).addBulk,
      },
      {
        name: 'meta',
        about: 'show and change type, metadata, response headers, class, status and expiry of objects',
        load: async () => (await import('./commands/objects/meta.ts')).addMeta,
      },
      {
        name: 'restore',
        about: 'make archived objects readable for a few days',
        load: async () => (await import('./commands/objects/restore.ts')).addRestore,
      },
      {
        name: 'fetch',
        about: 'store files from other servers',
        load: async () => (await import('./commands/objects/fetch.ts')).addFetch,
      },
      {
        name: 'prefetch',
        about: 'fetch objects of a mirrored bucket again',
        load: async () => (await import('./commands/objects/prefetch.ts')).addPrefetch,
      },
    ],
  },
  {
    title: 'Buckets and processing',
    rows: [
      {
        name: 'bucket',
        about: 'create and drop buckets, show and change their settings',
        load: async () => (await import('./commands/bucket.ts')).addBucket,
      },
      {
        name: 'overview',
        about: 'show what is stored and under way',
        load: async () => (await import('./commands/overview.ts')).addOverview,
      },
      {
        name: 'failures',
        about: 'list what failed in the last 30 days, newest first, with its cause',
        load: async () => (await import('./commands/overview.ts')).addFailures,
      },
      {
        name: 'usage',
        about: 'show what an account stores and how many requests it makes',
        load: async () => (await import('./commands/usage.ts')).addUsage,
      },
      {
        name: 'key',
        about: 'create, list, limit, disable, enable and delete access keys',
        load: async () => (await import('./commands/key.ts')).addKey,
      },
      {
        name: 'session',
        about: 'show who is signed in at the console, and end sessions',
        load: async () => (await import('./commands/session.ts')).addSession,
      },
      {
        name: 'access-token',
        about: 'show log-ins by password, and end them with their tokens',
        load: async () => (await import('./commands/access-token.ts')).addAccessToken,
      },
      {
        name: 'audit',
        about: 'search the log of security-relevant actions, newest first',
        load: async () => (await import('./commands/audit.ts')).addAudit,
      },
      {
        name: 'pfop',
        about: 'process an object: transcode, cut, pack',
        load: async () => (await import('./commands/pfop.ts')).addPfop,
      },
      {
        name: 'task',
        about: 'show, cancel and rerun the tasks that process objects',
        load: async () => (await import('./commands/task.ts')).addTask,
      },
      {
        name: 'workflow',
        about: 'list, create and delete workflow templates',
        load: async () => (await import('./commands/processing/workflow.ts')).addWorkflow,
      },
      {
        name: 'trigger',
        about: 'list, create and delete triggers: which uploads start which template',
        load: async () => (await import('./commands/processing/trigger.ts')).addTrigger,
      },
      {
        name: 'pipeline',
        about: 'list, create, change and delete pipelines: queues of tasks',
        load: async () => (await import('./commands/processing/pipeline.ts')).addPipeline,
      },
      {
        name: 'deliveries',
        about: 'show what was sent to receivers of events and callbacks, and send it again',
        load: async () => (await import('./commands/deliveries.ts')).addDeliveries,
      },
      {
        name: 'request',
        about: 'show what became of a request, step by step, by its id',
        load: async () => (await import('./commands/request.ts')).addRequest,
      },
      {
        name: 'live',
        about: 'show live streams, their addresses and recordings, and stop them',
        load: async () => (await import('./commands/live.ts')).addLive,
      },
    ],
  },
  {
    title: 'Development',
    rows: [
      {
        name: 'dev',
        about: 'run all of Millpond on this machine, with its own database, an account and a bucket',
        load: async () => (await import('./commands/dev.ts')).addDev,
      },
      {
        name: 'alias',
        about: 'name installations and their access keys',
        load: async () => (await import('./commands/alias.ts')).addAlias,
      },
      {
        name: 'token',
        about: 'make upload tokens, and explain what one allows',
        load: async () => (await import('./commands/token.ts')).addToken,
      },
      {
        name: 'listen',
        about: 'receive callbacks and events on this machine: verify, print and forward them',
        load: async () => (await import('./commands/listen.ts')).addListen,
      },
      {
        name: 'completion',
        about: 'print a completion script for a shell',
        load: async () => (await import('./commands/completion.ts')).addCompletion,
      },
    ],
  },
  {
    title: 'Operators (need the server’s configuration)',
    rows: [
      {
        name: 'serve',
        about: 'answer requests, and do background work unless --no-work',
        load: async () => (await import('./commands/operator/serve.ts')).addServe,
      },
      {
        name: 'work',
        about: 'do background work only',
        load: async () => (await import('./commands/operator/serve.ts')).addServe,
      },
      {
        name: 'migrate',
        about: 'migrate the databases and the blob store to this version',
        load: async () => (await import('./commands/operator/migrate.ts')).addMigrate,
      },
      {
        name: 'health',
        about: 'say whether the server of this machine is alive; exit code 0 or 1',
        load: async () => (await import('./commands/operator/health.ts')).addHealth,
      },
      {
        name: 'doctor',
        about: 'find what is wrong with an installation and how to fix it',
        load: async () => (await import('./commands/operator/doctor.ts')).addDoctor,
      },
      {
        name: 'account',
        about: 'create, list, disable and close accounts',
        load: async () => (await import('./commands/operator/account.ts')).addAccount,
      },
      {
        name: 'domain',
        about: 'bind host names to buckets without proof in DNS',
        load: async () => (await import('./commands/operator/domain.ts')).addDomain,
      },
      {
        name: 'region',
        about: 'list the regions of an installation, and forget one',
        load: async () => (await import('./commands/operator/region.ts')).addRegion,
      },
      {
        name: 'figures',
        about: 'show requests, errors, latency, traffic and queues of the last 30 days',
        load: async () => (await import('./commands/operator/figures.ts')).addFigures,
      },
      {
        name: 'jobs',
        about: 'show background jobs that were given up, and retry them',
        load: async () => (await import('./commands/operator/jobs.ts')).addJobs,
      },
      {
        name: 'undelete',
        about: 'bring back what was deleted or overwritten while the trash still has it',
        load: async () => (await import('./commands/objects/undelete.ts')).addUndelete,
      },
      {
        name: 'sweep',
        about: 'pack small objects, delete expired trash and bytes that no record refers to',
        load: async () => (await import('./commands/operator/upkeep.ts')).addUpkeep,
      },
      {
        name: 'secrets',
        about: 're-wrap stored secrets with another master key',
        load: async () => (await import('./commands/operator/upkeep.ts')).addUpkeep,
      },
      {
        name: 'routes',
        about: 'list every call that the server answers, by the role of its host',
        load: async () => (await import('./commands/operator/routes.ts')).addRoutes,
      },
    ],
  },
];

export const commandRows: readonly CommandRow[] = commandGroups.flatMap(({ rows }) => rows);

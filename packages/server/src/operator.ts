/** What an operator's commands work with: the services, without listeners. */
import { userInfo } from 'node:os';
import type { Config } from './config/config.ts';
import type { Accounts, Actor } from './features/accounts/index.ts';
import type { Deliveries } from './features/deliveries/index.ts';
import type { Collector, Undelete } from './features/objects/index.ts';
import { openInfra } from './infra.ts';
import { makeServices } from './services.ts';

/** A call that the server answers. */
export interface ServedRoute {
  readonly role: string;
  readonly methods: readonly string[];
  readonly path: string;
}

export interface OperatorTools {
  readonly accounts: Accounts;
  /** Who the audit log says it was: the operator, by the name of the system's user. */
  readonly actor: Actor;
  readonly collector: Collector;
  readonly deliveries: Deliveries;
  /** Everything that is answered, whichever listener carries it. */
  readonly routes: readonly ServedRoute[];
  readonly undelete: Undelete;
  readonly createBucket: (uid: bigint, name: string) => Promise<void>;
  close(): Promise<void>;
}

export function openOperatorTools(config: Config): OperatorTools {
  const infra = openInfra({ ...config, dbConnections: 2, logLevel: 'warn' });
  const { accounts, buckets, collector, deliveries, routes, undelete } = makeServices(infra, config);
  return {
    accounts,
    actor: { name: `operator ${userInfo().username}`, address: 'local', reqid: '' },
    collector,
    deliveries,
    routes: routes.map(({ role, methods, path }) => ({ role, methods, path })),
    undelete,
    createBucket: (uid, name) => buckets.create(uid, name, config.region),
    close: () => infra.close(),
  };
}

/** What an operator's commands work with: the services, without listeners. */
import type { Config } from './config/config.ts';
import type { Accounts } from './features/accounts/index.ts';
import type { Collector } from './features/objects/index.ts';
import { openInfra } from './infra.ts';
import { makeServices } from './services.ts';

export interface OperatorTools {
  readonly accounts: Accounts;
  readonly collector: Collector;
  createBucket(uid: bigint, name: string): Promise<void>;
  close(): Promise<void>;
}

export function openOperatorTools(config: Config): OperatorTools {
  const infra = openInfra({ ...config, dbConnections: 2, logLevel: 'warn' });
  const { accounts, buckets, collector } = makeServices(infra, config);
  return {
    accounts,
    collector,
    createBucket: (uid, name) => buckets.create(uid, name, config.region),
    close: () => infra.close(),
  };
}

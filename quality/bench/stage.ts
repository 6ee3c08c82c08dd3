/** What a bench runs against: its own deployment, one server, one account with buckets, and the load process. */
import {
  type Account,
  cpuSecondsOf,
  createBucket,
  createDeployment,
  type Deployment,
  type DeploymentOptions,
  type ServerProcess,
  startS3Server,
} from '@millpond/testing';
import { engineOf, removeEngineBucket } from './engine.ts';
import type { Address, Engine } from './load/work.ts';
import { profileSettings } from './profile.ts';
import { addressOf } from './requests.ts';

/** Database connections of the server and, in benches against the database, of the bare side. */
export const DB_CONNECTIONS = 16;

export interface Stage {
  readonly deployment: Deployment;
  readonly server: ServerProcess;
  readonly address: Address;
  /** Address of the S3 listener, if there is one. */
  readonly s3Url: string | undefined;
  readonly account: Account;
  readonly buckets: readonly string[];
  readonly engine: Engine;
  readonly regionDb: string;
  /** CPU seconds used so far by the server and what it started. */
  readonly serverCpu: () => number;
  close(): Promise<void>;
}

export interface StageOptions {
  readonly store: DeploymentOptions['store'];
  readonly bucketCount?: number;
  /** With an S3 listener. */
  readonly s3?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
  /** Standard output is reserved for the one line of JSON. */
  readonly quiet: boolean;
  /** Where the server writes a CPU profile when it ends. */
  readonly profileFolder?: string | undefined;
  /** Another checkout whose server is run. */
  readonly checkout?: string | undefined;
}

export async function openStage(options: StageOptions): Promise<Stage> {
  const deployment = await createDeployment({
    store: options.store,
    settings: { MILLPOND_DB_CONNECTIONS: String(DB_CONNECTIONS), ...options.settings },
    log: options.quiet ? 'ignore' : 'inherit',
    checkout: options.checkout,
  });
  try {
    const profile = options.profileFolder === undefined ? {} : profileSettings(options.profileFolder);
    const started = options.s3
      ? await startS3Server(deployment, undefined, profile)
      : await deployment.start({ settings: profile });
    const server: ServerProcess & { readonly s3Url?: string } = started;
    const account = await deployment.createAccount();
    const buckets = Array.from({ length: options.bucketCount ?? 1 }, (_, index) => `bench-${index}`);
    for (const bucket of buckets) await createBucket(server.url, account, bucket);
    const { s3Url } = server;
    return { deployment, server, s3Url, account, buckets, ...partsOf(deployment, server, options) };
  } catch (error) {
    await deployment.destroy();
    throw error;
  }
}

function partsOf(deployment: Deployment, server: ServerProcess, { store }: StageOptions) {
  const engine = engineOf(deployment.environment, deployment.engineBucket);
  return {
    engine,
    address: addressOf(server.url),
    regionDb: deployment.environment.MILLPOND_REGION_DB ?? '',
    serverCpu: () => cpuSecondsOf(server.pid),
    async close() {
      await server.kill('SIGTERM');
      if (store === 's3') await removeEngineBucket(engine);
      await deployment.destroy();
    },
  };
}

/** Where a run takes place: its own deployment, with a bucket, a client, and a way to look into its engine. */
import type { Random } from '@millpond/testing';
import { type Account, createDeployment, type Deployment } from '@millpond/testing';
import type { EngineContent } from './checks/residue.ts';
import { enginePlace } from './engine/deployed.ts';
import { diskContent } from './engine/disk.ts';
import { removeBucket, s3Content } from './engine/s3.ts';
import { Client } from './load/client.ts';
import type { Options } from './options.ts';
import { KillablePostgres } from './postgres.ts';

export interface RunContext {
  readonly options: Options;
  readonly random: Random;
  /** Aborted when the run is to end early. */
  readonly signal: AbortSignal;
  readonly say: (progress: string) => void;
}

export interface RunEnvironment {
  readonly deployment: Deployment;
  readonly client: Client;
  readonly account: Account;
  readonly bucket: string;
  readonly regionUrl: string;
  engineContent(): Promise<EngineContent>;
}

const BUCKET = 'chaos';

/** As short as a busy machine allows: bytes of an upload that takes longer than the window are refused. */
export const SWEEP_AGE_MS = 12_000;
const SHORT_PERIODS = {
  MILLPOND_TRASH_GRACE: '1s',
  MILLPOND_COLLECT_EVERY: '1s',
  MILLPOND_COMMIT_WINDOW: `${SWEEP_AGE_MS / 2}ms`,
  // Must be less than the window.
  MILLPOND_ASYNC_FETCH_TIMEOUT: '5s',
  MILLPOND_SWEEP_AGE: `${SWEEP_AGE_MS}ms`,
  MILLPOND_SWEEP_EVERY: '2s',
};

/** Apart, because a version before this one may not know it. */
export const PACKED_SOON = { MILLPOND_PACK_AFTER: '1s' };

/** For servers whose replaced bytes, and whose slowest uploads, must outlive the run. */
export const LONG_PERIODS = {
  MILLPOND_TRASH_GRACE: '1d',
  MILLPOND_COMMIT_WINDOW: '1h',
  MILLPOND_SWEEP_AGE: '2h',
};

/** A place whose databases are on a separate PostgreSQL, which the run may kill. */
export async function withOwnDatabase<T>(
  context: RunContext,
  use: (environment: RunEnvironment, database: KillablePostgres) => Promise<T>,
): Promise<T> {
  context.say('starting a PostgreSQL');
  const database = await KillablePostgres.start(context.random.fork('database'));
  try {
    return await withRunEnvironment(context, (environment) => use(environment, database), {
      databaseServer: database.url,
    });
  } finally {
    await database.destroy();
  }
}

/**
 * Whatever happens, nothing is left behind. The deployment's own settings are the short periods. With a `checkout`, it begins
 * with the databases and the command of that version.
 */
export async function withRunEnvironment<T>(
  { options, say }: RunContext,
  use: (environment: RunEnvironment) => Promise<T>,
  on: { databaseServer?: string; checkout?: string } = {},
): Promise<T> {
  say(`starting a deployment on ${options.store}`);
  const deployment = await createDeployment({
    ...on,
    store: options.store,
    settings: on.checkout === undefined ? { ...SHORT_PERIODS, ...PACKED_SOON } : SHORT_PERIODS,
    log: options.log ? 'inherit' : 'ignore',
  });
  const engine = enginePlace(deployment);
  let client: Client | undefined;
  try {
    const account = await deployment.createAccount('chaos@example.com', BUCKET);
    client = new Client(account, BUCKET);
    return await use({
      deployment,
      client,
      account,
      bucket: BUCKET,
      regionUrl: deployment.environment.MILLPOND_REGION_DB ?? '',
      engineContent: () => (options.store === 's3' ? s3Content(engine) : diskContent(deployment.diskRoot)),
    });
  } finally {
    await client?.close();
    await deployment.destroy();
    if (options.store === 's3') await removeBucket(engine);
  }
}

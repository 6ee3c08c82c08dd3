/** One of several regions: its own PostgreSQL, its own place for bytes, two gateways and a worker, and a load on it. */
import { type SparePostgres, startSparePostgres } from '@millpond/engines';
import { type Account, createDeployment, type Deployment, freePort, type Random } from '@millpond/testing';
import { enginePlace } from '../engine/deployed.ts';
import { removeBucket } from '../engine/s3.ts';
import { type CallbackReceiver, startCallbackReceiver, TELLING_SETTINGS } from '../load/callback-receiver.ts';
import { Client } from '../load/client.ts';
import { createContents } from '../load/contents.ts';
import { createLoadRecord, keepReading, keepWriting } from '../load/retrying-writers.ts';
import { KillableServer } from '../load/server.ts';
import type { Findings } from '../report.ts';
import { LONG_PERIODS } from '../run-environment.ts';

const WRITERS = 4;
const READERS = 2;
const SETTINGS = {
  ...LONG_PERIODS,
  // Must be less than the window.
  MILLPOND_ASYNC_FETCH_TIMEOUT: '5s',
  ...TELLING_SETTINGS,
};

export interface CellPlan {
  readonly region: string;
  readonly store: 's3' | 'disk';
  readonly controlUrl: string;
  readonly log: 'ignore' | 'inherit';
}

export class Cell {
  readonly region: string;
  readonly deployment: Deployment;
  readonly account: Account;
  readonly bucket: string;
  readonly client: Client;
  readonly record = createLoadRecord();
  /** What its tasks and callbacks tell. */
  readonly told: CallbackReceiver;
  readonly #database: SparePostgres;
  readonly #servers: readonly KillableServer[];

  private constructor(
    { region }: CellPlan,
    database: SparePostgres,
    deployment: Deployment,
    account: Account,
    servers: readonly KillableServer[],
    told: CallbackReceiver,
  ) {
    this.told = told;
    this.region = region;
    this.deployment = deployment;
    this.account = account;
    this.bucket = bucketOf(region);
    this.client = new Client(account, this.bucket);
    this.#database = database;
    this.#servers = servers;
  }

  static async start(plan: CellPlan): Promise<Cell> {
    const database = await startSparePostgres(await freePort());
    let deployment: Deployment | undefined;
    try {
      deployment = await createDeployment({
        store: plan.store,
        log: plan.log,
        databaseServer: database.url,
        settings: { MILLPOND_CONTROL_DB: plan.controlUrl, MILLPOND_REGION: plan.region },
      });
      const made = deployment;
      const account = await made.createAccount(`${plan.region}@example.com`, bucketOf(plan.region));
      const start = (...args: string[]) => KillableServer.start(made, SETTINGS, args);
      const servers = [
        await start('serve', '--no-work'),
        await start('serve', '--no-work'),
        await start('work'),
      ];
      return new Cell(plan, database, made, account, servers, await startCallbackReceiver());
    } catch (error) {
      await deployment?.destroy();
      await database.destroy();
      throw error;
    }
  }

  get gateways(): [string, string] {
    const [one, other] = this.#servers;
    return [one?.url ?? '', other?.url ?? ''];
  }

  get regionUrl(): string {
    return this.deployment.environment.MILLPOND_REGION_DB ?? '';
  }

  /** Ends when `stopped` is aborted. */
  async load(seed: string, random: Random, findings: Findings, stopped: AbortSignal): Promise<void> {
    const { client, gateways, record, told } = this;
    const plan = { client, gateways, told, stopped, contents: createContents(`${seed} ${this.region}`) };
    const work = (count: number, begin: (n: number) => Promise<void>) =>
      Array.from({ length: count }, (_, n) => begin(n));
    await Promise.all([
      ...work(WRITERS, (n) => keepWriting(plan, record, n, random.fork(`${this.region} writer ${n}`))),
      ...work(READERS, (n) => keepReading(plan, record, random.fork(`${this.region} reader ${n}`), findings)),
    ]);
  }

  /** kill -9 of everything in it. */
  async kill(): Promise<void> {
    await Promise.all([this.#database.kill(), ...this.#servers.map((server) => server.kill())]);
  }

  async comeBack(): Promise<void> {
    await this.#database.start();
    await Promise.all(this.#servers.map((server) => server.startAgain()));
  }

  async destroy(): Promise<void> {
    await Promise.all([this.client.close(), this.told.close()]);
    // An interrupted run may have left it killed: then its databases can't be dropped, and go with their folder.
    try {
      await this.deployment.destroy();
    } finally {
      await this.#database.destroy();
    }
    if (this.deployment.environment.MILLPOND_BLOBS === 's3') await removeBucket(enginePlace(this.deployment));
  }
}

function bucketOf(region: string): string {
  return `bucket-of-${region}`;
}

/**
 * The server that sequences talk to: one process, with a second one that stands by. When the first is killed, the other takes
 * over at once, and a new one is started behind it: a kill costs the lanes next to nothing. Tasks have a worker of their own.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Deployment, freePort } from '@millpond/testing';
import pg from 'pg';
import { KillableServer } from '../load/server.ts';
import { TaskWorker } from '../load/task-worker.ts';

export interface Gateway {
  readonly url: string;
  readonly s3Url: string;
  /** How many were killed before it was asked for: whoever finds more afterwards may have talked to a dead one. */
  readonly kills: number;
}

interface Process extends Omit<Gateway, 'kills'> {
  readonly server: KillableServer;
}

const POLL_MS = 3;

export class Gateways {
  /** How many processes were killed; grows before one is. */
  kills = 0;
  #active: Process;
  #standby: Promise<Process>;
  #switching: Promise<void> | undefined;
  #restart: Promise<void> | undefined;
  readonly #worker: TaskWorker;
  readonly #pools: readonly pg.Pool[];

  private constructor(active: Process, standby: Process, worker: TaskWorker, pools: readonly pg.Pool[]) {
    this.#active = active;
    this.#standby = Promise.resolve(standby);
    this.#worker = worker;
    this.#pools = pools;
  }

  /** `folder` is where the worker's jobs are. */
  static async start(
    deployment: Deployment,
    settings: Readonly<Record<string, string>>,
    folder: string,
  ): Promise<Gateways> {
    const { MILLPOND_REGION_DB: region, MILLPOND_CONTROL_DB: control } = deployment.environment;
    const pools = [region, control].map((connectionString) => new pg.Pool({ connectionString, max: 1 }));
    const [active, standby] = [await startOne(deployment, settings), await startOne(deployment, settings)];
    const worker = await TaskWorker.start(deployment, 0, folder, settings);
    return new Gateways(active, standby, worker, pools);
  }

  /** Where requests go now. */
  async current(): Promise<Gateway> {
    while (this.#switching !== undefined) await this.#switching;
    return { ...this.#active, kills: this.kills };
  }

  /** kill -9. Resolves when the other one has taken over. */
  async kill(): Promise<void> {
    while (this.#switching !== undefined) await this.#switching;
    this.kills++;
    this.#switching = this.#switch().finally(() => {
      this.#switching = undefined;
    });
    await this.#switching;
  }

  /** kill -9 of the worker, which comes back in a while. No request notices. */
  async killWorker(): Promise<void> {
    await this.#worker.kill();
    this.#restart ??= this.#worker.restart().finally(() => {
      this.#restart = undefined;
    });
    this.#restart.catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.current();
    // Processes that are still starting would outlive the deployment.
    await this.#standby;
    await this.#restart;
    await this.#worker.kill();
    await Promise.all(this.#pools.map((pool) => pool.end()));
  }

  async #switch(): Promise<void> {
    const killed = this.#active;
    await killed.server.kill();
    await this.#quiet();
    this.#active = await this.#standby;
    this.#standby = killed.server.startAgain().then(() => killed);
    this.#standby.catch(() => undefined);
  }

  /** What the dead process had begun in the databases ends after it: until then nobody can say what was committed. */
  async #quiet(): Promise<void> {
    for (const pool of this.#pools) {
      const older = await running(pool);
      while (older.size > 0) {
        await sleep(POLL_MS);
        const still = await running(pool);
        for (const work of older) if (!still.has(work)) older.delete(work);
      }
    }
  }
}

async function startOne(
  deployment: Deployment,
  settings: Readonly<Record<string, string>>,
): Promise<Process> {
  const [url, s3Url] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
  const server = await KillableServer.start(deployment, {
    ...settings,
    MILLPOND_LISTEN: `${url},${s3Url}/s3`,
  });
  return { server, url, s3Url };
}

/** Transactions that are under way. */
async function running(pool: pg.Pool): Promise<Set<string>> {
  const { rows } = await pool.query<{ work: string }>(
    `SELECT pid || ' ' || xact_start AS work FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`,
  );
  return new Set(rows.map(({ work }) => work));
}

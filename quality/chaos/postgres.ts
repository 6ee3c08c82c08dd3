/** The run's own PostgreSQL: its postmaster is killed as in a crash, and it comes back with what was committed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type SparePostgres, startSparePostgres } from '@millpond/engines';
import type { Random } from '@millpond/testing';
import { freePort } from '@millpond/testing';

/** The longest it stays down: clients must cope with refused connections too, not only with broken ones. */
const MAX_AWAY_MS = 1000;

export class KillablePostgres {
  /** For a database on it: what `createDeployment` takes as `databaseServer`. */
  readonly url: string;
  readonly #server: SparePostgres;
  readonly #random: Random;

  private constructor(server: SparePostgres, random: Random) {
    this.#server = server;
    this.#random = random;
    this.url = server.url;
  }

  static async start(random: Random): Promise<KillablePostgres> {
    return new KillablePostgres(await startSparePostgres(await freePort()), random);
  }

  /** kill -9, and a new one after a moment. Resolves when the new one has recovered. */
  async killAndRestart(): Promise<void> {
    await this.#server.kill();
    await sleep(this.#random.integer(0, MAX_AWAY_MS));
    await this.#server.start();
  }

  async destroy(): Promise<void> {
    await this.#server.destroy();
  }
}

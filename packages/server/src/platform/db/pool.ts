/**
 * A pool whose connections all go to the primary. Where there is none at the moment, as while a standby takes over, the wait
 * for a connection goes on for `patienceMs`: nothing has been sent yet, so the request can only gain by it.
 */
import { callbackify } from 'node:util';
import pg from 'pg';
import { primaryClientClass } from './client.ts';
import type { Primary } from './primary.ts';
import { isTransient } from './sqlstate.ts';

type Callback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (broken?: Error | boolean) => void,
) => void;

export class PrimaryPool extends pg.Pool {
  readonly #primary: Primary;
  readonly #patienceMs: number;

  constructor(primary: Primary, patienceMs: number, config: pg.PoolConfig) {
    super({ ...config, Client: primaryClientClass(primary) } as pg.PoolConfig);
    this.#primary = primary;
    this.#patienceMs = patienceMs;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
    if (callback === undefined) return this.#connect();
    callbackify(() => this.#connect())((error, client) =>
      callback(error ?? undefined, client, (broken) => client.release(broken)),
    );
    return undefined;
  }

  async #connect(): Promise<pg.PoolClient> {
    const until = performance.now() + this.#patienceMs;
    for (let tries = 1; ; tries++) {
      if (this.#primary.at === undefined) await this.#primary.find(until);
      const { losses } = this.#primary;
      try {
        return await super.connect();
      } catch (error) {
        // Not where all connections were busy for too long: no host is to blame for that.
        const isHosts = this.#primary.losses !== losses && isTransient(error);
        const mayTry = performance.now() < until || (tries === 1 && this.#primary.hasSeveralHosts);
        if (!isHosts || !mayTry) throw error;
      }
    }
  }
}

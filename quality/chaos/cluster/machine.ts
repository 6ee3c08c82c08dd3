/** One machine of the cluster: etcd, and Patroni with its PostgreSQL. They are lost together, or one by one. */
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { type Address, PASSWORDS } from './configuration.ts';
import type { Daemon } from './daemon.ts';

const RESPONSE_TIMEOUT_MS = 1_000;

export class Machine {
  readonly name: string;
  readonly number: number;
  readonly address: Address;
  readonly etcd: Daemon;
  readonly patroni: Daemon;
  readonly #data: string;

  constructor(
    number: number,
    address: Address,
    parts: { readonly folder: string; readonly etcd: Daemon; readonly patroni: Daemon },
  ) {
    this.name = `pg${number}`;
    this.number = number;
    this.address = address;
    this.etcd = parts.etcd;
    this.patroni = parts.patroni;
    this.#data = path.join(parts.folder, 'data');
  }

  /** Whether Patroni says that it is this: `primary`, `replica`, `synchronous`. */
  async is(role: string): Promise<boolean> {
    const { host, rest } = this.address;
    try {
      const answer = await fetch(`http://${host}:${rest}/${role}`, {
        signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
      });
      await answer.body?.cancel();
      return answer.status === 200;
    } catch {
      return false;
    }
  }

  /** Whether PostgreSQL itself takes writes. */
  async takesWrites(): Promise<boolean> {
    try {
      const [row] = await this.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
      return row?.standby === false;
    } catch {
      return false;
    }
  }

  async query<Row extends object>(text: string): Promise<Row[]> {
    const { host, postgres: port } = this.address;
    const client = new pg.Client({
      host,
      port,
      user: 'postgres',
      password: PASSWORDS.postgres,
      database: 'postgres',
      connectionTimeoutMillis: RESPONSE_TIMEOUT_MS,
      query_timeout: RESPONSE_TIMEOUT_MS * 10,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<Row>(text)).rows;
    } finally {
      client.end().catch(() => undefined);
    }
  }

  /** A planned switch: Patroni picks the synchronous standby. */
  async switchOver(): Promise<void> {
    const { host, rest } = this.address;
    const answer = await fetch(`http://${host}:${rest}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: this.name }),
      signal: AbortSignal.timeout(60_000),
    });
    if (answer.status !== 200) throw new Error(`no switch: ${answer.status} ${await answer.text()}`);
  }

  /** The server and its backends, which are in sessions of their own. */
  async signalPostgres(name: NodeJS.Signals): Promise<void> {
    const postmaster = this.#postmaster();
    if (postmaster === undefined) return;
    for (const pid of [postmaster, ...(await childrenOf(postmaster))])
      try {
        process.kill(pid, name);
      } catch {
        // It has ended.
      }
  }

  get hasPostgres(): boolean {
    const pid = this.#postmaster();
    if (pid === undefined) return false;
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  }

  #postmaster(): number | undefined {
    try {
      return Number(readFileSync(path.join(this.#data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    } catch {
      return undefined;
    }
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]) === parent;
    } catch {
      return false;
    }
  });
}

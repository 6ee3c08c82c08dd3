/** Three machines with PostgreSQL under Patroni and etcd, and haproxy before them: made in a temporary folder, and removed again. */
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { postgresPrograms } from '@millpond/engines';
import { freePorts } from '@millpond/testing';
import {
  type Address,
  etcdArguments,
  haproxyConfiguration,
  PASSWORDS,
  patroniConfiguration,
} from './configuration.ts';
import { Daemon } from './daemon.ts';
import { Machine } from './machine.ts';
import { createNetworks, type Network, sharedNetwork } from './network.ts';

const NUMBERS = [1, 2, 3];
const PORTS_OF_MACHINE = 4;
const START_TIMEOUT_MS = 120_000;
const RECOVERY_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 30_000;
/** Until its first checks haproxy takes every server for a primary. */
const FIRST_CHECKS_MS = 3_000;
const DATABASE = 'millpond';

export interface ClusterOptions {
  /** The command that starts Patroni. */
  readonly patroni: string;
  /** Each machine in a network of its own, which can be cut off. */
  readonly networks: boolean;
  readonly signal: AbortSignal;
}

export class Cluster {
  readonly machines: readonly Machine[];
  readonly network: Network;
  readonly #folder: string;
  readonly #haproxy: Daemon;
  readonly #haproxyPort: number;
  readonly #signal: AbortSignal;

  private constructor(
    folder: string,
    network: Network,
    machines: readonly Machine[],
    haproxy: { readonly daemon: Daemon; readonly port: number },
    signal: AbortSignal,
  ) {
    this.#folder = folder;
    this.network = network;
    this.machines = machines;
    this.#haproxy = haproxy.daemon;
    this.#haproxyPort = haproxy.port;
    this.#signal = signal;
  }

  static async start({ patroni, networks, signal }: ClusterOptions): Promise<Cluster> {
    const folder = await mkdtemp(path.join(tmpdir(), 'millpond-cluster-'));
    const account = await postgresAccount();
    await chmod(folder, 0o711);
    const network = networks ? await createNetworks(NUMBERS) : sharedNetwork;
    const first = await freePorts(1 + NUMBERS.length * PORTS_OF_MACHINE);
    const all = new Map(NUMBERS.map((number) => [`pg${number}`, addressOf(network, number, first)]));
    const machines: Machine[] = [];
    for (const number of NUMBERS) machines.push(await makeMachine(number));
    const haproxyFile = path.join(folder, 'haproxy.cfg');
    await writeFile(haproxyFile, haproxyConfiguration(first, all));
    const daemon = new Daemon({
      command: ['haproxy', '-db', '-f', haproxyFile],
      within: [],
      logFile: path.join(folder, 'haproxy.log'),
    });
    const cluster = new Cluster(folder, network, machines, { daemon, port: first }, signal);
    try {
      await cluster.#bringUp();
      return cluster;
    } catch (error) {
      const said = await readFile(path.join(folder, 'pg1', 'patroni.log'), 'utf8').catch(() => '');
      await cluster.destroy();
      throw new Error(`the cluster did not start:\n${said.slice(-1500)}`, { cause: error });
    }

    async function makeMachine(number: number): Promise<Machine> {
      const name = `pg${number}`;
      const own = all.get(name) as Address;
      const place = path.join(folder, name);
      await mkdir(place, { mode: 0o700 });
      const programs = postgresPrograms();
      const file = path.join(place, 'patroni.json');
      await writeFile(file, patroniConfiguration(name, own, [...all.values()], { folder: place, programs }));
      for (const each of [place, file]) await chown(each, account.uid, account.gid);
      const shared = { within: network.within(number), programs };
      return new Machine(number, own, {
        folder: place,
        etcd: new Daemon({
          ...shared,
          command: ['etcd', ...etcdArguments(name, own, all, place)],
          logFile: path.join(place, 'etcd.log'),
        }),
        patroni: new Daemon({
          ...shared,
          command: [...patroni.split(' '), file],
          logFile: path.join(place, 'patroni.log'),
        }),
      });
    }
  }

  async #bringUp(): Promise<void> {
    for (const { etcd } of this.machines) etcd.start();
    const [first, ...others] = this.machines;
    first?.patroni.start();
    await this.until(START_TIMEOUT_MS, 'a primary', async () => (await this.primary()) !== undefined);
    for (const { patroni } of others) patroni.start();
    await this.untilWhole();
    await first?.query(`CREATE ROLE millpond LOGIN CREATEDB PASSWORD '${PASSWORDS.millpond}'`);
    await first?.query(`CREATE DATABASE ${DATABASE} OWNER millpond`);
    this.#haproxy.start();
    await sleep(FIRST_CHECKS_MS, undefined, { signal: this.#signal });
  }

  /** URL of a database, through haproxy. */
  get url(): string {
    return `postgres://millpond:${PASSWORDS.millpond}@127.0.0.1:${this.#haproxyPort}/${DATABASE}`;
  }

  /** The same URL with all machines instead of haproxy. */
  withHosts(url: string): string {
    const hosts = this.machines.map(({ address: { host, postgres } }) => `${host}:${postgres}`);
    return `${url.replace(/@[^/]+\//, `@${hosts.join(',')}/`)}?target_session_attrs=read-write`;
  }

  primary(): Promise<Machine | undefined> {
    return this.#find('primary');
  }

  synchronous(): Promise<Machine | undefined> {
    return this.#find('synchronous');
  }

  /** Ready for the next fault: a primary, two standbys, one of which has every commit. */
  async untilWhole(): Promise<void> {
    await this.until(RECOVERY_TIMEOUT_MS, 'three machines that follow', async () => {
      const primary = await this.primary();
      if (primary === undefined || (await this.synchronous()) === undefined) return false;
      const others = this.machines.filter((machine) => machine !== primary);
      return (await Promise.all(others.map((machine) => machine.is('replica')))).every(Boolean);
    });
  }

  async until(withinMs: number, what: string, isSo: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + withinMs;
    while (!(await isSo())) {
      if (performance.now() > end) throw new Error(`the cluster has not got ${what} in time`);
      await sleep(50, undefined, { signal: this.#signal });
    }
  }

  /** Whatever state it is in. */
  async destroy(): Promise<void> {
    for (const machine of this.machines) {
      await this.network.join(machine.number).catch(() => undefined);
      await machine.signalPostgres('SIGCONT');
      for (const daemon of [machine.etcd, machine.patroni]) daemon.signal('SIGCONT');
    }
    // Patroni stops its PostgreSQL when it is asked to end.
    await Promise.all(this.machines.map(({ patroni }) => patroni.stop(STOP_TIMEOUT_MS)));
    await Promise.all(this.machines.map((machine) => machine.signalPostgres('SIGKILL')));
    await Promise.all(
      [this.#haproxy, ...this.machines.map(({ etcd }) => etcd)].map((each) => each.stop(5_000)),
    );
    await this.network.remove();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #find(role: string): Promise<Machine | undefined> {
    const are = await Promise.all(this.machines.map((machine) => machine.is(role)));
    return this.machines[are.indexOf(true)];
  }
}

/** The first port is haproxy's. */
function addressOf(network: Network, number: number, first: number): Address {
  const [postgres, rest, etcd, etcdPeers] = Array.from(
    { length: PORTS_OF_MACHINE },
    (_, index) => first + 1 + (number - 1) * PORTS_OF_MACHINE + index,
  ) as [number, number, number, number];
  return { host: network.addressOf(number), postgres, rest, etcd, etcdPeers };
}

async function postgresAccount(): Promise<{ uid: number; gid: number }> {
  const line = /^postgres:[^:]*:(\d+):(\d+):/m.exec(await readFile('/etc/passwd', 'utf8'));
  if (line === null) throw new Error('there is no user postgres: run `npm run engines -- up`');
  return { uid: Number(line[1]), gid: Number(line[2]) };
}

/**
 * A separate Millpond for a test, a benchmark or a fault run: fresh databases, a fresh place for blobs, and server
 * processes started as an operator would, with the `millpond` command.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readEnginesEnv } from '@millpond/engines';
import { COMMAND, commandEnvironment, type Program, programOf, runCommand } from './command.ts';
import { createDatabase, type TestDatabase } from './databases/databases.ts';
import { ensureTemplates } from './databases/template-databases.ts';
import { freePort } from './ports.ts';

/** A starved machine is slow; a hanging one is still noticed. */
const READY_TIMEOUT_MS = 150_000;

export interface DeploymentOptions {
  readonly store: 's3' | 'disk';
  /** Further settings, as in the environment. */
  readonly settings?: Readonly<Record<string, string>>;
  /** What to do with the output in case something goes wrong: 'inherit' shows the server's log. */
  readonly log?: 'ignore' | 'inherit';
  /** A database on the server where the deployment's own are made; default: the engines' server. */
  readonly databaseServer?: string;
  /** Another checkout whose command is run, and whose migrations the databases have. */
  readonly checkout?: string | undefined;
}

export interface Account {
  readonly uid: number;
  readonly email: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

export interface ServerProcess {
  readonly pid: number;
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  readonly adminUrl: string;
  kill(signal: NodeJS.Signals): Promise<void>;
}

export interface Deployment {
  /** The settings of this deployment, as environment variables. */
  readonly environment: Readonly<Record<string, string>>;
  readonly engineBucket: string;
  readonly diskRoot: string;
  /** Starts a server (or with `args` another long-running command) on free ports unless the settings name them. */
  start(options?: {
    args?: readonly string[];
    settings?: Readonly<Record<string, string>>;
  }): Promise<ServerProcess>;
  /** Runs a `millpond` command to its end and returns its standard output. */
  run(...args: string[]): Promise<string>;
  createAccount(email?: string, bucket?: string): Promise<Account>;
  /** The same databases and bytes with the command of this checkout, if the deployment has that of another. */
  upgraded(): Deployment;
  /** Stops what is still running and removes databases and the disk folder. Blobs in the engine stay in its bucket. */
  destroy(): Promise<void>;
}

/** Those of this process that were not destroyed yet, also if they are still being made. */
const standing = new Set<Promise<Deployment>>();

export function createDeployment(options: DeploymentOptions): Promise<Deployment> {
  const made = makeDeployment(options, () => standing.delete(made));
  standing.add(made);
  made.catch(() => standing.delete(made));
  return made;
}

/** For a program that is interrupted. */
export async function destroyDeployments(): Promise<void> {
  await Promise.allSettled([...standing].map(async (made) => (await made).destroy()));
}

async function makeDeployment(options: DeploymentOptions, onDestroyed: () => void): Promise<Deployment> {
  const id = randomBytes(4).toString('hex');
  const { checkout, databaseServer } = options;
  const templates = await ensureTemplates(databaseServer, checkout);
  const [control, region] = await Promise.all([
    createDatabase('control', templates.control, databaseServer),
    createDatabase('region', templates.region, databaseServer),
  ]);
  const diskRoot = await mkdtemp(path.join(tmpdir(), 'millpond-blobs-'));
  const environment = {
    ...readEnginesEnv(),
    MILLPOND_CONTROL_DB: control.url,
    MILLPOND_REGION_DB: region.url,
    MILLPOND_BLOBS: options.store,
    MILLPOND_DISK_ROOT: diskRoot,
    MILLPOND_S3_BUCKET: `test-${id}`,
    MILLPOND_LOG_LEVEL: 'warn',
    // A sandbox for each server would cost seconds on a slow machine; tests that need it switch it on.
    MILLPOND_INSPECT: 'false',
    MILLPOND_MEDIA_SLOTS: '0',
    // What tests leave open nobody uses again.
    MILLPOND_DRAIN_TIMEOUT: '3s',
    // The engine of a developer's own server is unrelated to this one.
    MILLPOND_LIVE_ENGINES: '',
    ...options.settings,
  };
  const running = new Set<ChildProcess>();
  const remove = async () => {
    await destroy(running, [control, region], diskRoot);
    onDestroyed();
  };
  const runBy = (program: Program | undefined): Deployment => {
    const run = (...args: string[]) => runCommand(environment, args, '', program);
    return {
      environment,
      engineBucket: environment.MILLPOND_S3_BUCKET,
      diskRoot,
      run,
      start: ({ args = ['serve'], settings } = {}) =>
        startProcess({ ...environment, ...settings }, args, options.log ?? 'inherit', running, program),
      async createAccount(email = `${randomBytes(6).toString('hex')}@example.com`, bucket) {
        const ofBucket = bucket === undefined ? [] : ['--bucket', bucket];
        return JSON.parse(await run('account', 'create', email, '--json', ...ofBucket)) as Account;
      },
      upgraded: () => runBy(undefined),
      destroy: remove,
    };
  };
  return runBy(checkout === undefined ? undefined : programOf(checkout));
}

async function startProcess(
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
  log: 'ignore' | 'inherit',
  running: Set<ChildProcess>,
  program: Program = { node: process.env.MILLPOND_TEST_NODE ?? process.execPath, command: COMMAND },
): Promise<ServerProcess> {
  const [port, adminPort] = [await freePort(), await freePort()];
  const listen = {
    MILLPOND_LISTEN: `http://127.0.0.1:${port}`,
    MILLPOND_ADMIN_LISTEN: `http://127.0.0.1:${adminPort}`,
  };
  const env = { ...listen, ...environment };
  const child = spawn(program.node, [program.command, ...args], {
    env: commandEnvironment(env),
    stdio: ['ignore', log, log],
  });
  running.add(child);
  const ended = once(child, 'exit').then(() => running.delete(child));
  const adminUrl = env.MILLPOND_ADMIN_LISTEN;
  await ready(adminUrl, child);
  return {
    pid: child.pid ?? 0,
    url: (env.MILLPOND_LISTEN.split(',')[0] ?? '').replace(/\/[a-z+]*$/, (roles) =>
      roles.startsWith('//') ? roles : '',
    ),
    adminUrl,
    async kill(signal) {
      if (running.has(child)) child.kill(signal);
      await ended;
    },
  };
}

async function ready(adminUrl: string, child: ChildProcess): Promise<void> {
  const end = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < end) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error('the server ended before it was ready');
    const answer = await fetch(`${adminUrl}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the server was not ready within ${READY_TIMEOUT_MS / 1000} s`);
}

async function destroy(
  running: Set<ChildProcess>,
  databases: readonly TestDatabase[],
  diskRoot: string,
): Promise<void> {
  await Promise.all(
    [...running].map(async (child) => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }),
  );
  await Promise.all([
    ...databases.map((database) => database.drop()),
    rm(diskRoot, { recursive: true, force: true }),
  ]);
}

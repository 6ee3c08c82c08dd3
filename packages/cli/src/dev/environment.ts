/**
 * A whole Millpond for development: its own PostgreSQL, blobs on disk, all roles in this process. However it is
 * stopped, it leaves nothing but what `--data` asked for.
 */

import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Config,
  copyDatabase,
  isOfThisMachineOnly,
  migrateAll,
  type ProcessRole,
  type RunningServer,
  readConfig,
  startServer,
  whoListens,
} from '@millpond/server';
import { UsageError } from '../exit.ts';
import { assertReachable, makeDatabaseFolder } from './account.ts';
import { ensureOperator, needsServer, type SeededAccount, seedAccounts, seedContents } from './apply-seed.ts';
import { buildConsolePages } from './console-pages.ts';
import { type Control, type DevState, startControl } from './control.ts';
import { sweepDeadRuns } from './dead-runs.ts';
import { makeStateFolder, newRunFolder, type RunFolder, type StateFolder } from './folders.ts';
import { type MissingProgram, planLive } from './live.ts';
import { liveRuns } from './live-runs.ts';
import { findMediaPrograms, missingEngines } from './media/programs.ts';
import { developersPermit } from './media/unconfined.ts';
import { choosePorts, type Ports } from './ports.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { copyPrepared, DATABASE } from './prepared.ts';
import { postgresPrograms } from './programs.ts';
import { type RtmpEngine, startRtmpEngine } from './rtmp-engine.ts';
import { ensureSecrets, rememberAccounts, type Secrets } from './secrets.ts';
import { defaultSeed, type Seed } from './seed.ts';
import { serverSettings } from './settings.ts';

export interface DevOptions {
  readonly port: number;
  readonly timeFactor: number;
  readonly dialect: 'svc' | 'qiniu';
  /** Data is kept here; if undefined, nothing is kept. */
  readonly data: string | undefined;
  readonly seed: { readonly content: Seed; readonly folder: string } | undefined;
  /** Somebody asked it to stop with `millpond dev stop`. */
  readonly onStop: () => void;
  /** PostgreSQL or the RTMP engine ended by itself; `said` is its output. */
  readonly onBroken: (program: string, said: string) => void;
}

export interface Dev {
  readonly dialect: DevOptions['dialect'];
  readonly ports: Ports;
  readonly run: RunFolder;
  readonly state: StateFolder;
  readonly accounts: readonly SeededAccount[];
  /** The configuration it was started with. */
  readonly config: Config;
  readonly missing: readonly MissingProgram[];
  /** Whether pictures and films are opened without a sandbox. */
  readonly isUnconfined: boolean;
  /** Whether films are opened by ffmpeg in WebAssembly. */
  readonly isWasm: boolean;
  /** Whether the console has pages. */
  readonly hasConsole: boolean;
  /** False if `--data` already had everything. */
  readonly isNew: boolean;
  reset(): Promise<void>;
  stop(): Promise<void>;
}

const CLEAN = 'millpond_clean';
const ROLES: readonly ProcessRole[] = ['serve', 'work', 'deliveries', 'live'];
/** If a killed run held the port for devices, its lease has to expire first. */
const SIP_TIMEOUT_MS = 60_000;
const CHECK_INTERVAL_MS = 10;

/** What has to be stopped, whatever happens. */
interface Started {
  postgres?: Postgres;
  engine?: RtmpEngine | undefined;
}

export async function startDev(options: DevOptions): Promise<Dev> {
  if (process.platform === 'win32')
    throw new UsageError('`millpond dev` needs Linux or macOS; on Windows, run it in WSL 2');
  await sweepDeadRuns();
  const data = options.data === undefined ? undefined : path.resolve(options.data);
  if (data !== undefined) await assertNotRunning(data);
  const ports = await choosePorts(options.port);
  const run = newRunFolder();
  // Whatever happens from here on, nothing of this is left behind.
  const leftovers: Started = {};
  const remove = () => {
    leftovers.engine?.kill();
    leftovers.postgres?.kill();
    rmSync(run.root, { recursive: true, force: true });
  };
  process.once('exit', remove);
  try {
    return await startIn(run, ports, data, options, leftovers);
  } catch (error) {
    await leftovers.engine?.stop().catch(() => undefined);
    await leftovers.postgres?.stop('fast').catch(() => undefined);
    throw error;
  }
}

async function startIn(
  run: RunFolder,
  ports: Ports,
  data: string | undefined,
  options: DevOptions,
  leftovers: Started,
): Promise<Dev> {
  let phase: DevState = 'starting';
  let server: RunningServer | undefined;
  let turn: Promise<void> = Promise.resolve();
  const control: Control = await startControl(
    {
      status: () => ({
        state: phase,
        pid: process.pid,
        port: ports.http,
        data: data ?? null,
        startedIn: process.cwd(),
      }),
      reset: () => reset(),
      stop: options.onStop,
    },
    ports.control,
    run.socket,
  );
  const state = makeStateFolder(data ?? path.join(run.root, 'state'));
  if (data !== undefined) assertReachable(data);
  const isNew = !existsSync(state.secrets);
  const secrets = ensureSecrets(state);
  const live = await planLive(run, state, ports, process.env);
  const startEngine = async () => {
    if (live.engine === undefined) return;
    leftovers.engine = await startRtmpEngine(live.engine);
    void leftovers.engine.ended.then((said) => options.onBroken('nginx', said));
  };
  const building = buildConsolePages((line) => process.stderr.write(`millpond: ${line}\n`));
  const opening = startEngine();
  // Its failure is reported below, where it is awaited.
  opening.catch(() => undefined);
  const postgres = await openDatabase(run, state, data !== undefined);
  leftovers.postgres = postgres;
  void postgres.ended.then((said) => options.onBroken('PostgreSQL', said));
  await opening;

  const programs = await findMediaPrograms(process.env);
  const databaseUrl = postgres.url(DATABASE);
  const mediaPrograms = programs.settings;
  const given = { databaseUrl, masterKey: secrets.masterKey, state, ports, live, mediaPrograms };
  const settings = serverSettings(
    { ...given, timeFactor: options.timeFactor, dialect: options.dialect },
    process.env,
  );
  const withoutPages = await building;
  const missing = [...live.missing, ...(withoutPages === undefined ? [] : [withoutPages])];
  const config = readConfig(settings);
  const unconfined = isOfThisMachineOnly(config) ? developersPermit : undefined;
  const start = () => startServer(config, { roles: new Set(ROLES), unconfined });

  const accounts = isNew
    ? await setUp(config, options, state, secrets, postgres, start)
    : await bringUp(config, secrets);
  server = await start();
  const engines = await server.engines();
  missing.push(...missingEngines(engines));
  await untilDevicesMayCome(config);
  writeFileSync(run.config, envFile(settings), { mode: 0o600 });
  phase = 'ready';

  function reset(): Promise<void> {
    turn = turn.catch(() => undefined).then(resetNow);
    return turn;
  }

  async function resetNow(): Promise<void> {
    if (phase === 'stopping') throw new Error('it is stopping');
    phase = 'resetting';
    await server?.stop();
    await leftovers.engine?.stop();
    await copyDatabase(postgres.url('postgres'), CLEAN, DATABASE);
    for (const part of [state.blobs, state.records]) rmSync(part, { recursive: true, force: true });
    if (existsSync(state.cleanBlobs)) cpSync(state.cleanBlobs, state.blobs, { recursive: true });
    await startEngine();
    server = await start();
    await untilDevicesMayCome(config);
    phase = 'ready';
  }

  return {
    dialect: options.dialect,
    ports,
    run,
    state,
    accounts,
    config,
    missing,
    isUnconfined: engines.isUnconfined,
    isWasm: programs.isWasm && engines.missing.media === undefined,
    hasConsole: withoutPages === undefined,
    isNew,
    reset,
    async stop() {
      await turn.catch(() => undefined);
      phase = 'stopping';
      await server?.stop();
      await leftovers.engine?.stop();
      await postgres.stop(data === undefined ? 'fast' : 'clean');
      control.close();
      rmSync(run.root, { recursive: true, force: true });
    },
  };
}

/** Their port is opened in the background, by the process that holds its lease. */
async function untilDevicesMayCome({ sipListen }: Config): Promise<void> {
  if (sipListen === undefined) return;
  const { address, port } = sipListen;
  const end = performance.now() + SIP_TIMEOUT_MS;
  while ((await whoListens(address, port, SIP_TIMEOUT_MS)) !== 'somebody') {
    if (performance.now() > end)
      throw new Error(`the port of devices, MILLPOND_SIP_LISTEN=sip://${address}:${port}, cannot be opened`);
    await sleep(CHECK_INTERVAL_MS);
  }
}

async function openDatabase(run: RunFolder, state: StateFolder, durable: boolean): Promise<Postgres> {
  const programs = postgresPrograms();
  makeDatabaseFolder(run.postgresSockets);
  makeDatabaseFolder(state.database);
  const data = path.join(state.database, 'data');
  if (!existsSync(data)) await copyPrepared(programs, data, run.postgresSockets);
  return startPostgres(programs, { data, sockets: run.postgresSockets, log: run.postgresLog, durable });
}

/** The first start. The resulting state is kept aside, so that a reset can bring it back. */
async function setUp(
  config: Config,
  { seed, dialect }: DevOptions,
  state: StateFolder,
  secrets: Secrets,
  postgres: Postgres,
  start: () => Promise<RunningServer>,
): Promise<readonly SeededAccount[]> {
  const content = seed?.content ?? defaultSeed;
  const accounts = await seedAccounts(config, content);
  if (seed !== undefined && needsServer(content)) {
    const server = await start();
    try {
      const port = config.listen.find((listener) => listener.tls)?.port ?? 0;
      const local = { port, certificate: secrets.certificate, dialect };
      await seedContents(local, content, accounts, seed.folder);
    } finally {
      await server.stop();
    }
    cpSync(state.blobs, state.cleanBlobs, { recursive: true });
  }
  await copyDatabase(postgres.url('postgres'), DATABASE, CLEAN);
  rememberAccounts(state, secrets, accounts);
  return accounts;
}

/** Migrates data of an older version to this one, including what a reset brings back. */
async function bringUp(config: Config, secrets: Secrets): Promise<readonly SeededAccount[]> {
  const clean = config.regionDb.replace(new RegExp(`/${DATABASE}$`), `/${CLEAN}`);
  const [first] = secrets.accounts;
  for (const each of [config, { ...config, controlDb: clean, regionDb: clean }]) {
    await migrateAll(each);
    if (first !== undefined) await ensureOperator(each, first.email);
  }
  return secrets.accounts;
}

async function assertNotRunning(data: string): Promise<void> {
  const busy = (await liveRuns()).find((run) => run.data === data);
  if (busy !== undefined)
    throw new UsageError(`${data} is in use by \`millpond dev\` with pid ${busy.pid}, on port ${busy.port}`);
}

function envFile(settings: Readonly<Record<string, string>>): string {
  return `${Object.entries(settings)
    .map(([name, value]) => `${name}="${value}"`)
    .join('\n')}\n`;
}

/** `millpond dev`: all of Millpond on this machine with one command, for development and for tests. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { devInBackground, logInBackground, tellFailure, tellReady } from '../dev/background.ts';
import type { Dev, DevOptions } from '../dev/environment.ts';
import { ask, findOwnRun, findRun, runText } from '../dev/live-runs.ts';
import {
  clientEnvironment,
  consoleOf,
  readyWords,
  SPED_UP,
  stopCommand,
  withMergedCaCerts,
} from '../dev/output.ts';
import { HIGHEST_FIRST_PORT, PORTS } from '../dev/ports.ts';
import { parseSeed, type Seed } from '../dev/seed.ts';
import { exitCodes, UsageError } from '../exit.ts';
import { hasNpxEnded } from '../npx.ts';
import { exportLines, print } from '../print.ts';

interface GivenOptions {
  readonly port?: number;
  readonly data?: string;
  readonly seed?: string;
  readonly timeFactor: number;
  readonly dialect: 'svc' | 'qiniu';
  readonly background?: boolean;
  readonly log: string;
  readonly json?: boolean;
}

type AskForEnd = (code: number, why: string) => void;

const DEFAULT_PORT = 8100;
const STOP_TIMEOUT_MS = 30_000;

export function addDev(program: Command): void {
  const dev = program
    .command('dev')
    .description('run all of Millpond on this machine, with its own database, an account and a bucket')
    .option(
      '--port <n>',
      `first of ${PORTS} consecutive ports; 0 chooses free ones; default ${DEFAULT_PORT}`,
      readPort,
    )
    .option('--data <folder>', 'keep all data here; without it nothing is kept')
    .option('--seed <file>', 'create the accounts, buckets, objects and templates in this JSON file')
    .option('--time-factor <n>', `how many times as fast these are: ${SPED_UP}`, readFactor, 1)
    .addOption(
      new Option('--dialect <name>', 'names used on the wire').choices(['svc', 'qiniu']).default('svc'),
    )
    .option('--background', 'return when it is ready and leave it running')
    .option('--log <file>', 'where it writes its log in the background', 'millpond-dev.log')
    .option('--json', 'one JSON object per line')
    .action(async (options: GivenOptions) => {
      // What is wrong with the seed is said at once, by the command itself.
      const seed = options.seed === undefined ? undefined : readSeed(options.seed);
      await (options.background ? devInBackground(options.log) : run(options, seed));
    });
  dev
    .command('env')
    .description(
      'print the address and keys of the running one as shell commands for eval; --port selects it',
    )
    .action(async (_options, command: Command) => {
      const { port, json } = command.optsWithGlobals<GivenOptions>();
      const { folder } = await findRun(port);
      const told = JSON.parse(readFileSync(folder.clientEnvironment, 'utf8')) as Record<string, string>;
      const values = withMergedCaCerts(told);
      print({ json: json ?? false }, values, exportLines(values));
    });
  dev
    .command('reset')
    .description('go back to the state after its first start; --port selects it')
    .action(async (_options, command: Command) => {
      const { port, json } = command.optsWithGlobals<GivenOptions>();
      const { folder } = await findOwnRun(port);
      const status = await ask(folder, 'POST', '/reset');
      print({ json: json ?? false }, status, 'reset');
    });
  dev
    .command('stop')
    .description('stop the running one; --port selects it')
    .action(async (_options, command: Command) => {
      const { port, json } = command.optsWithGlobals<GivenOptions>();
      const run = await findOwnRun(port);
      const { folder, pid } = run;
      await ask(folder, 'POST', '/stop');
      const end = Date.now() + STOP_TIMEOUT_MS;
      while (existsSync(folder.root)) {
        if (Date.now() > end) throw new Error(`process ${pid} does not exit`);
        await sleep(50);
      }
      print({ json: json ?? false }, { stopped: pid }, `stopped ${runText(run)}`);
    });
}

async function run(given: GivenOptions, seed: DevOptions['seed']): Promise<void> {
  const began = performance.now() - process.uptime() * 1000;
  const { promise: asked, resolve } = Promise.withResolvers<number>();
  let ending = false;
  const askForEnd = (code: number, why: string) => {
    if (!ending) process.stderr.write(`millpond: ${why}; stopping\n`);
    ending = true;
    resolve(code);
  };
  endBySignals(askForEnd);
  const options: DevOptions = {
    port: given.port ?? DEFAULT_PORT,
    timeFactor: given.timeFactor,
    dialect: given.dialect,
    data: given.data,
    seed,
    onStop: () => askForEnd(exitCodes.done, 'stopped by `dev stop`'),
    onBroken: (program, said) =>
      askForEnd(exitCodes.fatal, `${program} exited unexpectedly (its output: ${said.trim()})`),
  };
  const dev = await started(options);
  writeFileSync(dev.run.clientEnvironment, JSON.stringify(clientEnvironment(dev)), { mode: 0o600 });
  const seconds = (performance.now() - began) / 1000;
  // If it is already ending, nobody is told that it is ready: they would find nothing.
  const log = logInBackground(given.log);
  if (!ending) tell(given, statusOf(dev, seconds, log), readyWords(dev, options, seconds, log));
  const code = await asked;
  await dev.stop();
  process.exit(code);
}

/** Loaded here: the other commands, and the one that only waits, need no server. */
async function started(options: DevOptions): Promise<Dev> {
  try {
    const { startDev } = await import('../dev/environment.ts');
    return await startDev(options);
  } catch (error) {
    await tellFailure(error);
    throw error;
  }
}

function statusOf(dev: Dev, seconds: number, log: string | undefined): object {
  const { ports, missing, isUnconfined } = dev;
  const background = log === undefined ? {} : { pid: process.pid, stop: stopCommand(dev), log };
  return {
    ready: true,
    seconds,
    ports,
    console: consoleOf(dev),
    env: clientEnvironment(dev),
    missing,
    isUnconfined,
    ...background,
  };
}

/** To whoever waits: the terminal, or the command that started us in the background. */
function tell(options: { json?: boolean }, status: object, words: string): void {
  if (!tellReady(options.json ? JSON.stringify(status) : words)) print(options, status, words);
}

/** The first signal ends it cleanly, the second at once. */
function endBySignals(askForEnd: AskForEnd): void {
  let asked = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (asked) process.exit(exitCodes.partial);
      asked = true;
      askForEnd(exitCodes.done, hasNpxEnded() ? 'npx has exited' : `received ${signal}`);
    });
}

function readSeed(file: string): { content: Seed; folder: string } {
  const folder = path.dirname(path.resolve(file));
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`the seed file can't be read: ${(error as Error).message}`);
  }
  return { content: parseSeed(text, folder), folder };
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= HIGHEST_FIRST_PORT))
    throw new InvalidArgumentError(`must be a port from 0 to ${HIGHEST_FIRST_PORT}`);
  return port;
}

function readFactor(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('must be a whole number from 1 to 999999');
  return Number(text);
}

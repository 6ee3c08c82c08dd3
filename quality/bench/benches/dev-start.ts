/**
 * How long `npx millpond dev` takes until it is ready, and how much memory it needs, from the packages as published: at
 * the very first start, which prepares a data directory, and at later ones.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  cpuSecondsOf,
  type InstalledPackages,
  installPackages,
  type Memory,
  memoryOf,
} from '@millpond/testing';
import type { Options } from '../options.ts';
import { median, rounded } from '../statistics.ts';

export interface DevStart {
  readonly name: 'dev-start';
  readonly ours: {
    /** From the command to the ready message; `first` with nothing prepared. */
    readonly firstSeconds: number;
    readonly seconds: number;
    /** Processor time of all its processes until then: does not depend on what else the machine does. */
    readonly cpuSeconds: number;
    /** Memory of all its processes once it has settled. */
    readonly memory: Memory;
  };
  /** The command without its work: it only prints its help. */
  readonly bare: { readonly seconds: number };
  /** The limits for ours. */
  readonly bound: { readonly seconds: number; readonly residentMiB: number };
  readonly ratio: number;
  readonly rounds: readonly number[];
}

const BOUND = { seconds: 5, residentMiB: 400 };
/** The sandbox opens after it is ready, and starts its own process. */
const SETTLED_MS = 5000;

export async function benchDevStart(options: Options, cleanup: AsyncDisposableStack): Promise<DevStart> {
  const installed = await installPackages();
  cleanup.defer(() => installed.remove());
  const first = await startOnce(installed);
  const later: Start[] = [];
  const help: number[] = [];
  for (let round = 0; round < options.rounds; round++) {
    later.push(await startOnce(installed));
    help.push(await helpOnce(installed));
  }
  const seconds = median(later.map((start) => start.seconds));
  const cpuSeconds = rounded(median(later.map((start) => start.cpuSeconds)));
  const memory = {
    residentMiB: median(later.map((start) => start.memory.residentMiB)),
    sumOfRssMiB: median(later.map((start) => start.memory.sumOfRssMiB)),
    processes: median(later.map((start) => start.memory.processes)),
  };
  return {
    name: 'dev-start',
    ours: { firstSeconds: rounded(first.seconds), seconds: rounded(seconds), cpuSeconds, memory },
    bare: { seconds: rounded(median(help)) },
    bound: BOUND,
    ratio: rounded(seconds / median(help)),
    rounds: later.map((start) => rounded(start.seconds)),
  };
}

interface Start {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly memory: Memory;
}

async function helpOnce({ folder, environment }: InstalledPackages): Promise<number> {
  const began = performance.now();
  await once(
    spawn('npx', ['millpond', '--help'], { cwd: folder, env: environment, stdio: 'ignore' }),
    'exit',
  );
  return (performance.now() - began) / 1000;
}

async function startOnce(installed: InstalledPackages): Promise<Start> {
  const began = performance.now();
  const child = spawn('npx', ['millpond', 'dev', '--port', '0', '--json'], {
    cwd: installed.folder,
    env: installed.environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { env } = JSON.parse(await firstLine(child)) as { env: { MILLPOND_CONFIG: string } };
  const seconds = (performance.now() - began) / 1000;
  const cpuSeconds = cpuSecondsOf(child.pid ?? 0);
  await sleep(SETTLED_MS);
  const memory = memoryOf(child.pid ?? 0);
  child.kill('SIGTERM');
  // npx ends at once, and the process it started a moment later.
  while (existsSync(path.dirname(env.MILLPOND_CONFIG))) await sleep(100);
  return { seconds, cpuSeconds, memory };
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('no output');
  const ended = once(child, 'exit').then((): never => {
    throw new Error('millpond dev exited before it was ready');
  });
  ended.catch(() => undefined);
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended]);
  return String(line);
}

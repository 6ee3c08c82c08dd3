/**
 * `npm run chaos -- <run>`: breaks a running Millpond and checks that it kept its promises. Exit codes: 0 all promises
 * kept, 1 one was broken or the run failed, 2 wrong usage.
 */
import { createRandom } from '@millpond/testing';
import { type Options, type RunName, readOptions, UsageError, usage } from './options.ts';
import type { Findings } from './report.ts';
import type { RunContext } from './run-environment.ts';
import { runCells } from './runs/cells.ts';
import { runClassMoves } from './runs/class-moves.ts';
import { runDeliveries } from './runs/deliveries.ts';
import { runDevices } from './runs/devices.ts';
import { runFailover } from './runs/failover.ts';
import { runLive } from './runs/live.ts';
import { runMemory } from './runs/memory.ts';
import { runModel } from './runs/model.ts';
import { runObjectEvents } from './runs/object-events.ts';
import { runOsd } from './runs/osd.ts';
import { runOverwrites } from './runs/overwrites.ts';
import { runRaces } from './runs/races.ts';
import { runRestarts } from './runs/restarts.ts';
import { runResumable } from './runs/resumable.ts';
import { runSipFuzz } from './runs/sip-fuzz.ts';
import { runSoak } from './runs/soak.ts';
import { runStorm } from './runs/storm.ts';
import { runTasks } from './runs/tasks.ts';
import { runUpgrade } from './runs/upgrade.ts';
import { runUploads } from './runs/uploads.ts';

const runs: Readonly<Record<RunName, (context: RunContext) => Promise<[Findings, object]>>> = {
  uploads: runUploads,
  resumable: runResumable,
  overwrites: runOverwrites,
  osd: runOsd,
  races: runRaces,
  restarts: runRestarts,
  storm: runStorm,
  soak: runSoak,
  memory: runMemory,
  deliveries: runDeliveries,
  'object-events': runObjectEvents,
  live: runLive,
  devices: runDevices,
  'sip-fuzz': runSipFuzz,
  'class-moves': runClassMoves,
  tasks: runTasks,
  failover: runFailover,
  cells: runCells,
  upgrade: runUpgrade,
  model: runModel,
};

const interrupted = new AbortController();

try {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) process.stdout.write(`${usage}\n`);
  else process.exitCode = await run(options);
} catch (error) {
  process.exitCode = error instanceof UsageError ? 2 : 1;
  if (error instanceof UsageError) process.stderr.write(`${error.message}\n`);
  else if (interrupted.signal.aborted) process.stderr.write('interrupted; everything was removed again\n');
  else throw error;
}

async function run(options: Options): Promise<number> {
  const { name, seed, store } = options;
  const started = Date.now();
  const seconds = (): number => Math.round((Date.now() - started) / 100) / 10;
  // The run ends through its own finally blocks, which bring back what it broke.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  const say = (progress: string): void => {
    if (!options.json) process.stderr.write(`${seconds().toFixed(1).padStart(6)} s  ${progress}\n`);
  };
  say(`${name}, seed ${seed}`);
  const [findings, details] = await runs[name]({
    options,
    random: createRandom(seed),
    signal: interrupted.signal,
    say,
  });
  const { acknowledged, ...rest } = details as { acknowledged: number };
  const report = { name, seed, store, acknowledged, ...findings.toReport(), ...rest, seconds: seconds() };
  process.stdout.write(`${JSON.stringify(report)}\n`);
  return findings.good ? 0 : 1;
}

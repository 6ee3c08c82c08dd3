/** Opens both trees for each measurement, loads them in turn, and takes them down again. */
import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { programOf } from '@millpond/testing';
import { InterruptedError, withCleanup } from '../cleanup.ts';
import { startDriver } from '../load/driver.ts';
import { UsageError } from '../options.ts';
import { type Measurement, measurementsOf } from './measurements.ts';
import type { AgainstOptions } from './options.ts';
import { againstTable, type Failed, type Measured, measured, shown } from './report.ts';
import { rateRatio, runInTurn, type Side, type Sides } from './rounds.ts';

const OURS = path.join(import.meta.dirname, '../../..');
/** Rounds between two progress messages. */
const REPORT_EVERY = 5;

export interface Finished {
  /** For standard output. */
  readonly text: string;
  readonly failed: boolean;
}

export async function runAgainst(options: AgainstOptions): Promise<Finished> {
  const other = path.resolve(options.against);
  await mustBeCheckout(other);
  const trees = { ours: await describeTree(OURS), other: await describeTree(other) };
  const results: (Measured | Failed)[] = [];
  for (const measurement of options.names.flatMap((name) => measurementsOf[name])) {
    const result = await withCleanup((cleanup) => measure(measurement, other, options, cleanup)).catch(
      (error: unknown): Failed => {
        if (error instanceof InterruptedError) throw error;
        say(`${measurement.name}: ${error instanceof Error ? error.stack : String(error)}`);
        return { name: measurement.name, failure: error instanceof Error ? error.message : String(error) };
      },
    );
    results.push(result);
  }
  return {
    text: options.json ? JSON.stringify({ ...trees, results }) : againstTable(trees, results),
    failed: results.some((result) => 'failure' in result),
  };
}

async function measure(
  { name, open }: Measurement,
  other: string,
  options: AgainstOptions,
  cleanup: AsyncDisposableStack,
) {
  const driver = startDriver();
  cleanup.defer(() => driver.stop());
  say(`${name}: starting both servers`);
  const { rows, json: quiet } = options;
  const trees = [OURS, other].map((checkout) => ({ checkout, cleanup: new AsyncDisposableStack() }));
  // Both at once: dropping a database makes PostgreSQL write everything to disk, for two as for one.
  cleanup.defer(async () => {
    const closed = await Promise.allSettled(trees.map((tree) => tree.cleanup.disposeAsync()));
    for (const result of closed) if (result.status === 'rejected') throw result.reason;
  });
  // Waits for both, even if one fails: what was opened must be there to be closed.
  const opened = await Promise.allSettled(trees.map((tree) => open({ ...tree, driver, rows, quiet })));
  const rounds = await runInTurn(bothOf(opened), options, (done) => {
    if (done.length % REPORT_EVERY === 0 || done.length === options.rounds)
      say(`${name}: round ${done.length} of ${options.rounds}, ratio so far ${shown(rateRatio(done))}`);
  });
  return measured(name, rounds);
}

function bothOf([ours, other]: readonly PromiseSettledResult<Side>[]): Sides {
  if (ours?.status !== 'fulfilled') throw ours?.reason;
  if (other?.status !== 'fulfilled') throw other?.reason;
  return { ours: ours.value, other: other.value };
}

async function mustBeCheckout(folder: string): Promise<void> {
  for (const file of Object.values(programOf(folder)))
    await access(file).catch(() => {
      throw new UsageError(`${file} is missing: --against takes a checkout where \`npm ci\` was run`);
    });
}

/** Its folder, and the commit if git knows it. */
async function describeTree(folder: string): Promise<string> {
  const args = ['-C', folder, 'describe', '--always', '--dirty'];
  const commit = await promisify(execFile)('git', args).then(
    ({ stdout }) => ` at ${stdout.trim()}`,
    () => '',
  );
  return `${folder}${commit}`;
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Batches of 1,000 stats, one at a time, against as many single calls, 32 at a time. Counts stats. */
import type { Filled } from '../fill.ts';
import type { Driver } from '../load/driver.ts';
import type { Options } from '../options.ts';
import { type Comparison, compare } from '../report.ts';
import { batchRequest } from '../requests.ts';
import { runRounds, scaled } from '../rounds.ts';
import type { Stage } from '../stage.ts';
import { randomRows } from './random-rows.ts';
import { statSides } from './stat.ts';

const PER_BATCH = 1000;
const BATCHES = 50;

export async function benchBatch(
  stage: Stage,
  driver: Driver,
  options: Options,
  filled: Filled,
): Promise<Comparison> {
  // Each for one bucket, as clients send them: they look up their hosts by bucket.
  const requests = Array.from({ length: BATCHES }, (_, index) => {
    const bucket = stage.buckets[index % stage.buckets.length] ?? '';
    const rows = randomRows(stage, filled, PER_BATCH).map(({ key }) => ({ bucket, key }));
    return batchRequest(stage.address, stage.account, rows);
  });
  const sides = {
    ours: { kind: 'requests', to: stage.address, requests },
    bare: statSides(stage, filled).ours,
  } as const;
  const rounds = await runRounds(driver, sides, {
    ...options,
    oursConcurrency: 1,
    serverCpu: stage.serverCpu,
  });
  return compare(scaled(rounds, { ours: PER_BATCH, bare: 1 }), options);
}

/**
 * A whole bucket as a stream, against the same rows read page by page with `pg`. Counts keys. The server's memory is
 * sampled during the run: it must not grow with the list.
 */
import { residentMiB } from '@millpond/testing';
import type { Filled } from '../fill.ts';
import type { Driver } from '../load/driver.ts';
import type { Options } from '../options.ts';
import { type Comparison, compare } from '../report.ts';
import { streamRequest } from '../requests.ts';
import { runRounds, scaled } from '../rounds.ts';
import type { Stage } from '../stage.ts';
import { rounded } from '../statistics.ts';
import { LIST_LIMIT, listSides } from './list.ts';

const CHECK_INTERVAL_MS = 100;

export async function benchListStream(
  stage: Stage,
  driver: Driver,
  options: Options,
  filled: Filled,
): Promise<Comparison> {
  const [bucket = ''] = stage.buckets;
  const lines = filled.rowsPerBucket;
  const request = streamRequest(stage.address, stage.account, bucket);
  const resident = () => residentMiB(stage.server.pid, 'now');
  const before = resident();
  let most = before;
  const looking = setInterval(() => {
    most = Math.max(most, resident());
  }, CHECK_INTERVAL_MS);
  try {
    const sides = {
      ours: { kind: 'stream', to: stage.address, request, lines },
      bare: listSides(stage, filled).bare,
    } as const;
    const rounds = await runRounds(driver, sides, { ...options, serverCpu: stage.serverCpu });
    const comparison = compare(scaled(rounds, { ours: lines, bare: LIST_LIMIT }), options);
    return { ...comparison, memory: { before: rounded(before), most: rounded(most) } };
  } finally {
    clearInterval(looking);
  }
}

/** Signed stat calls, against the same rows read with `pg` by a prepared statement. */
import type { Filled } from '../fill.ts';
import type { Driver } from '../load/driver.ts';
import type { QueryWork, RequestWork } from '../load/work.ts';
import type { Options } from '../options.ts';
import { type Comparison, compare } from '../report.ts';
import { statRequest } from '../requests.ts';
import { runRounds, type Sides } from '../rounds.ts';
import { DB_CONNECTIONS, type Stage } from '../stage.ts';
import { type PickedRow, randomRows } from './random-rows.ts';

/** Enough for every request to look like a new one, few enough to sign in advance. */
export const STAT_KEYS = 5000;

export async function benchStat(
  stage: Stage,
  driver: Driver,
  options: Options,
  filled: Filled,
): Promise<Comparison> {
  return compare(
    await runRounds(driver, statSides(stage, filled), { ...options, serverCpu: stage.serverCpu }),
    options,
  );
}

export function statSides(stage: Stage, filled: Filled): Sides & { ours: RequestWork; bare: QueryWork } {
  const rows = randomRows(stage, filled, STAT_KEYS);
  return {
    ours: statWork(stage, rows),
    bare: {
      kind: 'query',
      url: stage.regionDb,
      connections: DB_CONNECTIONS,
      name: 'bare-stat',
      text: `SELECT fsize, hash, mime_type, put_time, class, status, end_user, meta
             FROM region.objects WHERE bucket_id = $1 AND key = $2`,
      values: rows.map(({ bucketIndex, key }) => [filled.bucketIds[bucketIndex] ?? '', key]),
      rows: 1,
    },
  };
}

export function statWork({ address, account }: Stage, rows: readonly PickedRow[]): RequestWork {
  const requests = rows.map(({ bucket, key }) => statRequest(address, account, bucket, key));
  return { kind: 'requests', to: address, requests };
}

/** Signed list calls of 1,000 keys from anywhere in a bucket, against the same rows read with `pg`. */
import type { Filled, Keys } from '../fill.ts';
import type { Driver } from '../load/driver.ts';
import type { QueryWork, RequestWork } from '../load/work.ts';
import type { Options } from '../options.ts';
import { type Comparison, compare } from '../report.ts';
import { listRequest } from '../requests.ts';
import { runRounds, type Sides } from '../rounds.ts';
import { DB_CONNECTIONS, type Stage } from '../stage.ts';
import { type PickedRow, randomRows } from './random-rows.ts';

const PAGES = 500;
/** Keys, or groups, per page. */
export const LIST_LIMIT = 1000;

export async function benchList(
  stage: Stage,
  driver: Driver,
  options: Options,
  filled: Filled,
): Promise<Comparison> {
  return compare(
    await runRounds(driver, listSides(stage, filled), { ...options, serverCpu: stage.serverCpu }),
    options,
  );
}

export function listSides(stage: Stage, filled: Filled): Sides & { ours: RequestWork; bare: QueryWork } {
  const starts = pageStarts(stage, filled);
  return {
    ours: listWork(stage, starts),
    bare: {
      kind: 'query',
      url: stage.regionDb,
      connections: DB_CONNECTIONS,
      name: 'bare-list',
      text: `SELECT key, fsize, hash, mime_type, put_time, class, status, end_user, meta
             FROM region.objects WHERE bucket_id = $1 AND key > $2 ORDER BY key LIMIT ${LIST_LIMIT}`,
      values: starts.map(({ bucketIndex, key }) => [filled.bucketIds[bucketIndex] ?? '', key]),
      rows: LIST_LIMIT,
    },
  };
}

export function listWork({ address, account }: Stage, starts: readonly PickedRow[]): RequestWork {
  const requests = starts.map(({ bucket, key }) =>
    listRequest(address, account, bucket, key, `limit=${LIST_LIMIT}`),
  );
  return { kind: 'requests', to: address, requests };
}

/** In the first nine tenths of the key order, or earlier if there are few keys: a page of rows always follows. */
export function pageStarts(stage: Pick<Stage, 'buckets'>, keys: Keys): PickedRow[] {
  const lastStart = keyAtShare(keys, Math.min(0.9, 1 - (1.2 * LIST_LIMIT) / keys.rowsPerBucket));
  return randomRows(stage, keys, PAGES * 4)
    .filter(({ key }) => key < lastStart)
    .slice(0, PAGES);
}

function keyAtShare(keys: Keys, share: number): string {
  const sample = Array.from({ length: 1000 }, (_, index) =>
    keys.keyAt(Math.floor((index / 1000) * keys.rowsPerBucket)),
  );
  return sample.sort()[Math.max(0, Math.floor(share * sample.length))] ?? '';
}

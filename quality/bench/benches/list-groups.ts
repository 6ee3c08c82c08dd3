/** Pages of 1,000 groups, against reading the rows that they stand for: a list with a delimiter skips, it doesn't scan. */
import type { Filled } from '../fill.ts';
import type { Driver } from '../load/driver.ts';
import type { Options } from '../options.ts';
import { type Comparison, compare } from '../report.ts';
import { listRequest } from '../requests.ts';
import { runRounds } from '../rounds.ts';
import { DB_CONNECTIONS, type Stage } from '../stage.ts';
import { LIST_LIMIT, pageStarts } from './list.ts';

/** Rows per group: a million rows are 10⁵ groups. */
export const PER_GROUP = 10;

export async function benchListGroups(
  stage: Stage,
  driver: Driver,
  options: Options,
  filled: Filled,
): Promise<Comparison> {
  const starts = pageStarts(stage, filled);
  const groupOf = (key: string) => key.slice(0, key.indexOf('/') + 1);
  const sides = {
    ours: {
      kind: 'requests',
      to: stage.address,
      requests: starts.map(({ bucket, key }) =>
        listRequest(stage.address, stage.account, bucket, groupOf(key), `delimiter=%2F&limit=${LIST_LIMIT}`),
      ),
    },
    bare: {
      kind: 'query',
      url: stage.regionDb,
      connections: DB_CONNECTIONS,
      name: 'bare-groups',
      text: `SELECT key FROM region.objects WHERE bucket_id = $1 AND key > $2 ORDER BY key LIMIT ${LIST_LIMIT * PER_GROUP}`,
      values: starts.map(({ bucketIndex, key }) => [filled.bucketIds[bucketIndex] ?? '', key]),
      rows: LIST_LIMIT * PER_GROUP,
    },
  } as const;
  return compare(await runRounds(driver, sides, { ...options, serverCpu: stage.serverCpu }), options);
}

/** SQL of how much is in the trash: exact if it is little, otherwise an estimate. */

import { type Database, statement } from '../../../platform/db/database.ts';
import { estimatedRows, MAX_COUNTED, sampleScale, tablesampleClause } from '../../../platform/db/sampling.ts';

export interface TrashStats {
  readonly rows: number;
  /** According to the object records; bytes that were moved or refused have none. */
  readonly bytes: number;
  /** Age of the oldest row; 0 if there is none. */
  readonly oldestSeconds: number;
}

interface Row extends TrashStats {
  readonly estimated: number;
  /** Bytes of a row, of pages from all over the table; null: they held none. */
  readonly mean: number | null;
}

const figures = statement(
  'trash-figures',
  `SELECT count(*)::float8 AS rows, coalesce(sum((object ->> 'fsize')::bigint), 0)::float8 AS bytes,
     coalesce(extract(epoch FROM clock_timestamp() - (SELECT min(trashed_at) FROM region.trash)), 0)::float8 AS "oldestSeconds",
     ${estimatedRows('region.trash')} AS estimated,
     (SELECT avg(coalesce((object ->> 'fsize')::bigint, 0)) FROM region.trash ${tablesampleClause('region.trash')})::float8 AS mean
   FROM (SELECT object FROM region.trash LIMIT ${MAX_COUNTED}) AS sample`,
);

export class TrashStatsStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  async read(): Promise<TrashStats> {
    const [row] = await this.#region.query<Row>(figures, []);
    if (row === undefined) throw new Error('there are no figures for the trash');
    return figuresOf(row);
  }
}

export function figuresOf({ rows: counted, bytes, oldestSeconds, estimated, mean }: Row): TrashStats {
  const factor = sampleScale(counted, estimated);
  const rows = Math.round(counted * factor);
  const isCounted = counted < MAX_COUNTED || mean === null;
  return { rows, bytes: Math.round(isCounted ? bytes * factor : rows * mean), oldestSeconds };
}

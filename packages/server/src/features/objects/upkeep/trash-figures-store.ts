/** SQL of how much is in the trash: exact if it is little, otherwise an estimate. */
import { estimatedRows, factorOf, MOST_COUNTED } from '../../../platform/db/bounded.ts';
import { type Database, statement } from '../../../platform/db/database.ts';

export interface TrashFigures {
  readonly rows: number;
  /** According to the object records; bytes that were moved or refused have none. */
  readonly bytes: number;
  /** Age of the oldest row; 0 if there is none. */
  readonly oldestSeconds: number;
}

const figures = statement(
  'trash-figures',
  `SELECT count(*)::float8 AS rows, coalesce(sum((object ->> 'fsize')::bigint), 0)::float8 AS bytes,
     coalesce(extract(epoch FROM clock_timestamp() - (SELECT min(trashed_at) FROM region.trash)), 0)::float8 AS "oldestSeconds",
     ${estimatedRows('region.trash')} AS estimated
   FROM (SELECT object FROM region.trash LIMIT ${MOST_COUNTED}) AS sample`,
);

export class TrashFiguresStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  async read(): Promise<TrashFigures> {
    const [row] = await this.#region.query<TrashFigures & { readonly estimated: number }>(figures, []);
    if (row === undefined) throw new Error('there are no figures for the trash');
    const factor = factorOf(row.rows, row.estimated);
    const { oldestSeconds } = row;
    return { rows: Math.round(row.rows * factor), bytes: Math.round(row.bytes * factor), oldestSeconds };
  }
}

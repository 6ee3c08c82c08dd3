/** SQL of how many publish now. */

import { type Database, statement } from '../../../platform/db/database.ts';
import { MAX_COUNTED } from '../../../platform/db/sampling.ts';

const publishers = statement(
  'live-publishers',
  `SELECT count(*)::float8 AS count
   FROM (SELECT FROM region.live_sessions WHERE ended_at IS NULL LIMIT ${MAX_COUNTED}) AS s`,
);

export class LiveFiguresStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  async publishers(): Promise<number> {
    const [row] = await this.#region.query<{ count: number }>(publishers, []);
    return row?.count ?? 0;
  }
}

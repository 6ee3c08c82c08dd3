/** SQL of styles, and of the commands that the URLs of a bucket may hold. */

import { type Database, statement } from '../../platform/db/database.ts';
import { queryWithOwnerLock } from '../../platform/db/owner-lock.ts';

export type CommandPolicy = 'all' | 'signed' | 'styles';

export interface RulesRow {
  readonly separator: string | null;
  readonly allowed: CommandPolicy | null;
  /** By name. */
  readonly styles: readonly { readonly name: string; readonly command: string }[];
}

const findRules = statement(
  'image-rules-find',
  `SELECT (SELECT separator FROM region.picture_rules WHERE bucket_id = $1) AS separator,
          (SELECT allowed FROM region.picture_rules WHERE bucket_id = $1) AS allowed,
          coalesce((SELECT jsonb_agg(jsonb_build_object('name', name, 'command', command) ORDER BY name)
                    FROM region.picture_styles WHERE bucket_id = $1), '[]') AS styles`,
);
const putRules = statement(
  'image-rules-put',
  `INSERT INTO region.picture_rules AS r (bucket_id, separator, allowed)
   VALUES ($1, coalesce($2, $4), coalesce($3, $5))
   ON CONFLICT (bucket_id) DO UPDATE SET separator = coalesce($2, r.separator), allowed = coalesce($3, r.allowed)`,
);
const putStyle = statement(
  'image-style-put',
  `INSERT INTO region.picture_styles (bucket_id, name, command)
   SELECT $1, $2, $3
   WHERE (SELECT count(*) FROM region.picture_styles WHERE bucket_id = $1 AND name <> $2) < $4
   ON CONFLICT (bucket_id, name) DO UPDATE SET command = excluded.command, updated_at = now()
   RETURNING name`,
);
const deleteStyle = statement(
  'image-style-delete',
  'DELETE FROM region.picture_styles WHERE bucket_id = $1 AND name = $2 RETURNING name',
);

export class StyleStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  async rules(bucketId: bigint): Promise<RulesRow> {
    const [row] = await this.#region.query<RulesRow>(findRules, [bucketId]);
    if (row === undefined) throw new Error('the statement gave no row');
    return row;
  }

  /** Fields not given keep their value, even under concurrent changes; `first`: the values if there is no row yet. */
  async putRules(
    bucketId: bigint,
    change: { readonly separator: string | undefined; readonly allowed: CommandPolicy | undefined },
    first: { readonly separator: string; readonly allowed: CommandPolicy },
  ): Promise<void> {
    const { separator = null, allowed = null } = change;
    await this.#region.query(putRules, [bucketId, separator, allowed, first.separator, first.allowed]);
  }

  /** False if the bucket has reached its limit. */
  async putStyle(bucketId: bigint, name: string, command: string, most: number): Promise<boolean> {
    const values = [bucketId, name, command, most];
    const rows = await this.#region.transaction((transaction) =>
      queryWithOwnerLock(transaction, bucketId, putStyle, values),
    );
    return rows.length === 1;
  }

  /** False if there is none. */
  async deleteStyle(bucketId: bigint, name: string): Promise<boolean> {
    return (await this.#region.query(deleteStyle, [bucketId, name])).length === 1;
  }
}

/** SQL of emptying a bucket whose gate is closed. */
import { type Database, statement } from '../../../platform/db/database.ts';
import { suppressEvents } from '../change-cause.ts';

// Nobody is left to receive events, and no key to sign them.
const removeSome = statement(
  'emptying-objects',
  `DELETE FROM region.objects WHERE bucket_id = $1 AND key IN (
     SELECT key FROM region.objects WHERE bucket_id = $1 ORDER BY key LIMIT $2) RETURNING key, ${suppressEvents('$1')}`,
);
const isEmpty = statement(
  'emptying-is-empty',
  'SELECT NOT EXISTS (SELECT FROM region.objects WHERE bucket_id = $1) AS is_empty',
);
// Waits for parts being put, and blocks later ones: the next statement sees all there will ever be.
const lockUploads = statement(
  'emptying-lock-uploads',
  `WITH locked AS MATERIALIZED (
     SELECT upload_id FROM region.uploads WHERE bucket_id = $1 ORDER BY upload_id FOR UPDATE
   )
   SELECT count(*) FROM locked`,
);
const giveUpUploads = statement(
  'emptying-uploads',
  `WITH ended AS (SELECT upload_id FROM region.uploads WHERE bucket_id = $1), gone AS (
     DELETE FROM region.upload_parts WHERE upload_id IN (SELECT upload_id FROM ended) RETURNING segment_id
   )
   INSERT INTO region.trash (blob_id, reason) SELECT segment_id, 'refused' FROM gone`,
);
const forgetUploads = statement('emptying-forget-uploads', 'DELETE FROM region.uploads WHERE bucket_id = $1');

export class EmptyingStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** The number of objects removed; less than `most` at the end. */
  async removeSome(bucketId: bigint, most: number): Promise<number> {
    return (await this.#region.query(removeSome, [bucketId, most])).length;
  }

  async isEmpty(bucketId: bigint): Promise<boolean> {
    const [row] = await this.#region.query<{ is_empty: boolean }>(isEmpty, [bucketId]);
    return row?.is_empty ?? false;
  }

  async giveUpUploads(bucketId: bigint): Promise<void> {
    await this.#region.transaction(async (transaction) => {
      await transaction.query(lockUploads, [bucketId]);
      await transaction.query(giveUpUploads, [bucketId]);
      await transaction.query(forgetUploads, [bucketId]);
    });
  }
}

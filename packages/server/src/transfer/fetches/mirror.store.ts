/** SQL of mirrors: keys that they may not bring back. */
import { type Database, statement } from '../../platform/db/database.ts';

const deletedSince = statement(
  'mirror-deleted-since',
  `SELECT EXISTS (
     SELECT FROM region.trash
     WHERE reason = 'deleted' AND (object ->> 'bucket_id')::bigint = $1 AND (object ->> 'key') COLLATE "C" = $2
       AND trashed_at > clock_timestamp() - $3::bigint * interval '1 millisecond'
   ) AS deleted`,
);

export class MirrorStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** Whether the key was deleted within that time, by the database's clock. */
  async wasDeleted(bucketId: bigint, key: string, withinMs: number, cancel: AbortSignal): Promise<boolean> {
    const values = [bucketId, key, withinMs];
    const [row] = await this.#region.query<{ deleted: boolean }>(deletedSince, values, cancel);
    return row?.deleted === true;
  }
}

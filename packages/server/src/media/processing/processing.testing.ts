/** For tests of tasks: an object to work on, as a row only. */
import { newBlobId } from '@millpond/blobs';
import type { Database } from '../../platform/db/database.ts';

export { Results } from './run/results.ts';

export const SOURCE_BUCKET = 7n;

export async function putSource(region: Database): Promise<void> {
  await region.pool.query(
    `INSERT INTO region.objects (bucket_id, key, blob_id, fsize, hash, mime_type, detected_type, put_time)
     VALUES ($1, 'source', $2, 3, 'h', 'text/plain', 'text/plain', 1)`,
    [SOURCE_BUCKET, newBlobId()],
  );
}

/**
 * Fills the object table as years of uploads would have: many owners per bucket, keys that don't arrive in key order,
 * blob ids that do arrive in time order. There are no bytes behind these rows.
 */
import type pg from 'pg';
import { withClient } from './database.ts';

const BATCH = 500_000;
/** Default number of objects that share the first part of their key. */
const PER_FOLDER = 200;

export interface Keys {
  /** Where the rows of a bucket are. `index` counts from 0 to the rows of that bucket. */
  keyAt(index: number): string;
  readonly rowsPerBucket: number;
}

export interface Filled extends Keys {
  readonly bucketIds: readonly string[];
}

export async function fillObjects(
  url: string,
  rows: number,
  report: (done: number) => void,
  perFolder = PER_FOLDER,
): Promise<Filled> {
  return withClient(url, async (client) => {
    const gates = await client.query<{ bucket_id: string }>(
      'SELECT bucket_id FROM region.bucket_gate ORDER BY bucket_id',
    );
    const bucketIds = gates.rows.map((row) => row.bucket_id);
    const rowsPerBucket = Math.ceil(rows / bucketIds.length);
    const folders = foldersOf(rowsPerBucket, perFolder);
    for (let from = 0; from < rowsPerBucket; from += BATCH / bucketIds.length) {
      const until = Math.min(rowsPerBucket, from + BATCH / bucketIds.length);
      await client.query(INSERT, [bucketIds, from, until - 1, folders]);
      report(until * bucketIds.length);
    }
    await tidy(client);
    return { bucketIds, ...keysOf(rowsPerBucket, perFolder) };
  });
}

/** Otherwise the first measurement pays for hint bits, dirty pages and the vacuum that so many inserts cause. */
export async function tidy(client: pg.Client): Promise<void> {
  await client.query('VACUUM (ANALYZE)');
  await checkpoint(client);
}

export function keysOf(rowsPerBucket: number, perFolder = PER_FOLDER): Keys {
  const folders = foldersOf(rowsPerBucket, perFolder);
  return { rowsPerBucket, keyAt: (index) => keyAt(index, folders) };
}

function foldersOf(rowsPerBucket: number, perFolder: number): number {
  return Math.ceil(rowsPerBucket / perFolder);
}

/** Written once here and once in SQL: the load process needs the keys without reading ten million of them. */
function keyAt(index: number, folders: number): string {
  const folder = (Math.imul((index * 7919) % folders, 0x9e37_79b1) >>> 0).toString(16).padStart(8, '0');
  return `user-${folder}/2026/photo-${String(index).padStart(9, '0')}.jpg`;
}

const INSERT = `
INSERT INTO region.objects
  (bucket_id, key, blob_id, fsize, hash, mime_type, detected_type, put_time)
SELECT bucket_id,
       'user-' || lpad(to_hex((n * 7919) % $4::bigint * 2654435761 % 4294967296), 8, '0')
         || '/2026/photo-' || lpad(n::text, 9, '0') || '.jpg',
       ('01900000-' || lpad(to_hex(n / 65536 % 65536), 4, '0') || '-7' || lpad(to_hex(n / 16 % 4096), 3, '0')
         || '-8' || lpad(to_hex(n % 4096), 3, '0') || '-' || lpad(to_hex(bucket_id), 12, '0'))::uuid,
       4096 + n % 100000,
       'F' || left(translate(encode(sha224(n::text::bytea), 'base64'), '+/', '-_'), 27),
       'image/jpeg', 'image/jpeg', 17000000000000000 + n * 10000
FROM generate_series($2::bigint, $3::bigint) AS n, unnest($1::bigint[]) AS bucket_id`;

async function checkpoint(client: pg.Client): Promise<void> {
  try {
    await client.query('CHECKPOINT');
  } catch (error) {
    // 42501: only some users are allowed to; then the pages are written gradually.
    if ((error as { code?: string }).code !== '42501') throw error;
  }
}

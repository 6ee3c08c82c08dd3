/**
 * Fills a stage with small objects as they are after packing: rows of objects, their places, and packs in the engine with
 * bytes at these places. Only the objects' content is not what their hash says.
 */
import { randomBytes } from 'node:crypto';
import { withClient } from '../database.ts';
import { putKey } from '../engine.ts';
import { tidy } from '../fill.ts';
import type { Stage } from '../stage.ts';

export const OBJECT_BYTES = 128;
const PACK_BYTES = 8 * 1024 * 1024;
const PER_PACK = PACK_BYTES / OBJECT_BYTES;
const HOUR = /^(\d{4})-(\d\d)-(\d\d)T(\d\d)/;

export const keyAt = (index: number): string => `small/${String(index).padStart(9, '0')}`;

export async function fillSmall(stage: Stage, rows: number, report: (done: number) => void): Promise<void> {
  const body = randomBytes(PACK_BYTES);
  await withClient(stage.regionDb, async (client) => {
    const gates = await client.query<{ bucket_id: string }>(
      'SELECT bucket_id FROM region.bucket_gate LIMIT 1',
    );
    const bucketId = gates.rows[0]?.bucket_id;
    for (let from = 0; from < rows; from += PER_PACK) {
      const until = Math.min(rows, from + PER_PACK);
      const { id, key } = newPack();
      await putKey(stage.engine, key, body);
      const { rows: added } = await client.query<{ pack: number }>(PACK, [id, PACK_BYTES, until - from]);
      await client.query(OBJECTS, [bucketId, from, until - 1, added[0]?.pack, OBJECT_BYTES]);
      report(until);
    }
    await tidy(client);
  });
}

/** An id as the server makes them, and the engine's key of its blob. */
function newPack(): { id: string; key: string } {
  const now = new Date();
  const time = now.getTime().toString(16).padStart(12, '0');
  const random = randomBytes(8).toString('hex');
  const id = `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${randomBytes(6).toString('hex')}`;
  const hour = HOUR.exec(now.toISOString())?.slice(1).join('') ?? '';
  return { id, key: `${hour}/${id}` };
}

const PACK = `INSERT INTO region.packs (pack_id, size, live_bytes, live_blobs) VALUES ($1, $2, $3 * ${OBJECT_BYTES}, $3) RETURNING pack`;

/** Ids of small blobs of slot 0, in the order of time. */
const OBJECTS = `
WITH made AS (
  SELECT n, ('01900000-' || lpad(to_hex(n / 65536 % 65536), 4, '0') || '-8000-8' || lpad(to_hex(n % 4096), 3, '0') || '-'
             || lpad(to_hex(n), 12, '0'))::uuid AS blob_id
  FROM generate_series($2::bigint, $3::bigint) AS n
), objects AS (
  INSERT INTO region.objects (bucket_id, key, blob_id, fsize, hash, mime_type, detected_type, put_time)
  SELECT $1, 'small/' || lpad(n::text, 9, '0'), blob_id, $5,
         'F' || left(translate(encode(sha224(n::text::bytea), 'base64'), '+/', '-_'), 27),
         'image/jpeg', 'image/jpeg', 17000000000000000 + n * 10000 FROM made
)
INSERT INTO region.packed (blob_id, pack, at, size) SELECT blob_id, $4, (n - $2) * $5, $5 FROM made`;

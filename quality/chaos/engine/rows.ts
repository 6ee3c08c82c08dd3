/** What the region's rows say: which bytes they refer to, and which versions objects had. */
import pg from 'pg';
import type { NamedBlob } from '../checks/residue.ts';
import type { SmallRows } from '../checks/small.ts';
import type { Version } from '../checks/versions.ts';

/** Tells by the id that the bytes are in the inbox or in a pack. */
const IS_SMALL = 'get_byte(uuid_send(blob_id), 6) >> 4 = 8';

export async function namedBlobs(regionUrl: string): Promise<NamedBlob[]> {
  const rows = await query<{ id: string; size: string | null; by: string }>(
    regionUrl,
    `SELECT blob_id AS id, fsize AS size, 'object ' || key AS by FROM region.objects WHERE segment_count = 1 AND NOT ${IS_SMALL}
     UNION ALL SELECT pack_id, size, 'pack ' || pack FROM region.packs
     UNION ALL SELECT segment_id, size, 'segment ' || position || ' of blob ' || blob_id FROM region.segments
     UNION ALL SELECT segment_id, size, 'part ' || part_number || ' of upload ' || upload_id FROM region.upload_parts
     UNION ALL SELECT segment_id, size, 'chunk at ' || at || ' of block ' || block_id FROM region.upload_chunks
     UNION ALL SELECT blob_id, NULL, 'trash' FROM region.trash WHERE segment_count = 1 AND NOT ${IS_SMALL}`,
  );
  return rows.map(({ id, size, by }) => ({ id, by, size: size === null ? undefined : Number(size) }));
}

/** What the rows say of small blobs: who names them, and where their bytes are. */
export async function smallRows(regionUrl: string): Promise<SmallRows> {
  const [named, packed, packs, inbox] = await Promise.all([
    query<{ id: string; size: string | null; by: string }>(
      regionUrl,
      `SELECT blob_id AS id, fsize AS size, 'object ' || key AS by FROM region.objects WHERE ${IS_SMALL}
       UNION ALL SELECT blob_id, NULL, 'trash' FROM region.trash WHERE ${IS_SMALL}`,
    ),
    query<{ id: string; pack: number; at: number; size: number }>(
      regionUrl,
      'SELECT blob_id AS id, pack, at, size FROM region.packed',
    ),
    query<{ pack: number; size: number; liveBytes: number; liveBlobs: number }>(
      regionUrl,
      'SELECT pack, size, live_bytes AS "liveBytes", live_blobs AS "liveBlobs" FROM region.packs',
    ),
    query<{ id: string; size: number }>(
      regionUrl,
      'SELECT blob_id AS id, octet_length(bytes) AS size FROM region.inbox',
    ),
  ]);
  const sized = named.map(({ id, size, by }) => ({ id, by, size: size === null ? undefined : Number(size) }));
  return { named: sized, packed, packs, inbox };
}

/** Size of all tables of the region with their indexes, without traces: they are kept for a week, and up to a number, not a load. */
export async function tableBytes(regionUrl: string): Promise<number> {
  const [row] = await query<{ bytes: string }>(
    regionUrl,
    `SELECT sum(pg_total_relation_size(c.oid)) AS bytes FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'r' AND n.nspname IN ('region', 'queue') AND c.relname <> 'traces'`,
  );
  return Number(row?.bytes);
}

export async function objectKeys(regionUrl: string): Promise<string[]> {
  const rows = await query<{ key: string }>(regionUrl, 'SELECT key FROM region.objects');
  return rows.map(({ key }) => key);
}

/** Hashes by key. */
export async function storedHashes(regionUrl: string): Promise<Map<string, string>> {
  const rows = await query<{ key: string; hash: string }>(regionUrl, 'SELECT key, hash FROM region.objects');
  return new Map(rows.map(({ key, hash }) => [key, hash]));
}

/** Changes of which no delivery was made yet, and deliveries that are not over. */
export async function untoldEvents(regionUrl: string): Promise<number> {
  const [row] = await query<{ count: string }>(
    regionUrl,
    `SELECT (SELECT count(*) FROM region.object_events) + (SELECT count(*) FROM region.delivery_queue) AS count`,
  );
  return Number(row?.count);
}

/** Objects whose bytes are still in the parts in which they were uploaded. */
export async function unmergedCount(regionUrl: string): Promise<number> {
  const text = 'SELECT count(*) AS count FROM region.objects WHERE segment_count > 1';
  const [row] = await query<{ count: string }>(regionUrl, text);
  return Number(row?.count);
}

/** Which class every object has, and which bytes. */
export function objectClasses(regionUrl: string): Promise<{ key: string; class: number; blob_id: string }[]> {
  return query(regionUrl, 'SELECT key, class, blob_id FROM region.objects WHERE segment_count = 1');
}

/** How many objects wait for their bytes to be moved. With `again`, moves that failed for good are retried once more. */
export async function waitingMoves(regionUrl: string, { again }: { again: boolean }): Promise<number> {
  if (again)
    await query(regionUrl, `UPDATE queue.periodic SET next_due = now() WHERE name = 'class-move-repeat'`);
  const [row] = await query<{ count: string }>(
    regionUrl,
    'SELECT count(*) AS count FROM region.objects WHERE cold <> (class >= 2)',
  );
  return Number(row?.count);
}

/** How often a task was begun, and whether it has ended. */
export async function taskAttempts(
  regionUrl: string,
  id: string,
): Promise<{ attempt: number; isOver: boolean }> {
  const text = 'SELECT attempt, code IN (0, 3) AS is_over FROM region.tasks WHERE task_id = $1';
  const [row] = await query<{ attempt: number; is_over: boolean }>(regionUrl, text, [id]);
  return { attempt: row?.attempt ?? 0, isOver: row?.is_over ?? false };
}

/** What the queue says about these deliveries, as text: why they have not been sent. */
export async function waitingWords(regionUrl: string, ids: readonly string[]): Promise<string[]> {
  const rows = await query<{ words: string }>(
    regionUrl,
    `SELECT concat_ws(', ', d.delivery_id, d.entity || ' ' || d.sequence, 'record ' || d.state,
       'queue ' || COALESCE(q.state, 'none'), 'due in ' || extract(epoch FROM q.due_at - now()) || ' s',
       q.attempts || ' tries', 'lane ' || COALESCE(q.lane_id::text, 'none'),
       'forerunner ' || COALESCE(p.state, 'none'), 'endpoint ' || e.state,
       'looked at in ' || extract(epoch FROM e.next_at - now()) || ' s',
       (SELECT string_agg(COALESCE(a.status::text, a.error), ' ' ORDER BY attempt) FROM region.delivery_attempts a
        WHERE a.delivery_id = d.delivery_id)) AS words
     FROM region.deliveries d LEFT JOIN region.delivery_queue q USING (delivery_id)
     LEFT JOIN region.delivery_endpoints e ON e.endpoint_id = d.endpoint_id
     LEFT JOIN region.delivery_queue p ON p.lane_id = q.lane_id AND p.sequence = q.sequence - 1
     WHERE d.delivery_id = ANY ($1) ORDER BY d.entity, d.sequence`,
    [ids],
  );
  return rows.map(({ words }) => words);
}

/** Deliveries with more than one success on record. */
export async function repeatedSuccesses(regionUrl: string): Promise<string[]> {
  const rows = await query<{ id: string }>(
    regionUrl,
    `SELECT delivery_id AS id FROM region.delivery_attempts WHERE status BETWEEN 200 AND 299
     GROUP BY delivery_id HAVING count(*) > 1`,
  );
  return rows.map(({ id }) => id);
}

export async function trashCount(regionUrl: string): Promise<number> {
  const [row] = await query<{ count: string }>(regionUrl, 'SELECT count(*) AS count FROM region.trash');
  return Number(row?.count);
}

/** Every version that an object had: the current one and, as long as the trash keeps them, the replaced ones. */
export async function allVersions(regionUrl: string): Promise<Version[]> {
  const rows = await query<{ key: string; hash: string; put_time: string }>(
    regionUrl,
    `SELECT key, hash, put_time FROM region.objects
     UNION ALL SELECT object->>'key', object->>'hash', (object->>'put_time')::bigint
     FROM region.trash WHERE reason = 'replaced'`,
  );
  return rows.map(({ key, hash, put_time }) => ({ key, hash, putTime: BigInt(put_time) }));
}

async function query<Row extends object>(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** How many objects each bucket has in this database. */
export async function objectCountsByBucket(regionUrl: string): Promise<Map<string, number>> {
  const rows = await query<{ bucket: string; objects: string }>(
    regionUrl,
    'SELECT bucket_id::text AS bucket, count(*) AS objects FROM region.objects GROUP BY bucket_id',
  );
  return new Map(rows.map(({ bucket, objects }) => [bucket, Number(objects)]));
}

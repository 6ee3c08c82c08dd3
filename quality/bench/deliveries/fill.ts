/** A backlog as days of failing receivers would have left it: half of it in lanes, half of it not. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const BATCH = 50_000;
const LANES_PER_ENDPOINT = 20;

/** This many events for these receivers, each of which is its own endpoint. */
export async function fillBacklog(regionDb: string, uid: number, urls: readonly string[], count: number) {
  const client = new pg.Client({ connectionString: regionDb });
  await client.connect();
  try {
    await client.query(ENDPOINTS, [uid, urls]);
    for (let from = 0; from < count; from += BATCH)
      await client.query(INSERT, [
        uid,
        urls.length,
        from,
        Math.min(count, from + BATCH) - 1,
        LANES_PER_ENDPOINT,
      ]);
    await client.query('ANALYZE region.delivery_queue, region.deliveries');
  } finally {
    await client.end();
  }
}

/** Waits until all but the last few of these are where they cost nothing: parked, or behind others. */
export async function untilTakenIn(regionDb: string, count: number): Promise<void> {
  const put = `SELECT count(*) FROM region.delivery_queue WHERE state IN ('parked', 'following')`;
  while ((await countRows(regionDb, put)) < count * 0.99) await sleep(200);
}

export async function countRows(regionDb: string, text: string): Promise<number> {
  const client = new pg.Client({ connectionString: regionDb });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: string }>(text);
    return Number(rows[0]?.count);
  } finally {
    await client.end();
  }
}

const ENDPOINTS = `
WITH made AS (
  INSERT INTO region.delivery_endpoints (uid, is_configured, name, url)
  SELECT $1, true, 'backlog ' || n, url || '/events' FROM unnest($2::text[]) WITH ORDINALITY AS u (url, n)
  RETURNING endpoint_id)
INSERT INTO region.delivery_lanes (endpoint_id, entity, sequence)
SELECT endpoint_id, 'cam' || lane, 0 FROM made, generate_series(0, 19) AS lane`;

// Every second event of an endpoint is in a lane; numbers in it increase by one.
const INSERT = `
WITH backlog AS (
  SELECT n, endpoints.endpoint_id, endpoints.url,
    CASE WHEN (n / $2) % 2 = 0 THEN (n / $2 / 2) % $5 END AS lane, n / $2 / 2 / $5 + 1 AS sequence,
    (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0')
     || '8' || lpad(to_hex(n / 4096), 3, '0') || lpad(to_hex(n), 12, '0'))::uuid AS id
  FROM generate_series($3::bigint, $4::bigint) AS n
  JOIN (SELECT endpoint_id, url, substr(name, 9)::bigint - 1 AS place FROM region.delivery_endpoints
        WHERE uid = $1 AND name LIKE 'backlog %') endpoints ON endpoints.place = n % $2
), made AS (
  INSERT INTO region.deliveries (delivery_id, kind, uid, urls, content_type, body, state, subject, reqid,
                                 endpoint_id, entity, sequence)
  SELECT id, 'live', $1, ARRAY[url], 'application/json', convert_to('{"note":"' || repeat('x', 300) || '"}', 'UTF8'),
    'waiting', 'bench', 'bench', endpoint_id, 'cam' || lane, sequence FROM backlog
)
INSERT INTO region.delivery_queue (delivery_id, created_at, endpoint_id, uid, lane_id, sequence, size)
SELECT id, now(), b.endpoint_id, $1, l.lane_id, CASE WHEN lane IS NULL THEN 1 ELSE b.sequence END, 311
FROM backlog b LEFT JOIN region.delivery_lanes l ON l.endpoint_id = b.endpoint_id AND l.entity = 'cam' || b.lane`;

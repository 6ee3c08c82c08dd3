/**
 * The bare loop against which the sender is measured: claim with SKIP LOCKED, POST, settle. One table, no lanes, no
 * endpoints, no signatures, no record of attempts.
 */
import pg from 'pg';
import { Pool } from 'undici';

const CLAIM = `
UPDATE bare_queue SET state = 'sent' WHERE id IN (
  SELECT id FROM bare_queue WHERE state = 'waiting' ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING id, url, body`;
const SETTLE = `DELETE FROM bare_queue WHERE id = ANY ($1)`;
const BATCH = 256;
const MAX_CONCURRENT = 32;
const IDLE_MS = 8;

const database = new pg.Pool({ connectionString: process.argv[2] ?? '', max: 4 });
const pools = new Map<string, Pool>();

function poolOf(origin: string): Pool {
  const known = pools.get(origin);
  if (known !== undefined) return known;
  const made = new Pool(origin, { connections: MAX_CONCURRENT });
  pools.set(origin, made);
  return made;
}

async function post(row: { id: string; url: string; body: Buffer }): Promise<void> {
  const answer = await poolOf(row.url).request({
    path: '/events',
    method: 'POST',
    headers: { 'content-type': 'application/json', 'webhook-id': row.id },
    body: row.body,
  });
  await answer.body.dump();
}

for (;;) {
  const { rows } = await database.query<{ id: string; url: string; body: Buffer }>({
    name: 'claim',
    text: CLAIM,
    values: [BATCH],
  });
  if (rows.length === 0) {
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    continue;
  }
  const waiting = rows.values();
  const worker = async () => {
    for (const row of waiting) await post(row);
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, worker));
  await database.query({ name: 'settle', text: SETTLE, values: [rows.map((row) => row.id)] });
}

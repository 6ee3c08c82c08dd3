import { setTimeout as sleep } from 'node:timers/promises';
import { openLog } from '@millpond/base';
import { newBlobId } from '@millpond/blobs';
import { type Random, testRandom } from '@millpond/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabaseProxy } from '../../../test/database-proxy.ts';
import { useDatabases } from '../../../test/databases.ts';
import { Database } from '../../platform/db/database.ts';
import { RequestCounter } from './request-counter.ts';
import { UsageFiguresStore } from './usage.figures.store.ts';
import { UsageStore } from './usage.store.ts';

const databases = useDatabases();
const BUCKETS = [11n, 12n, 13n];

interface Sum {
  readonly bucket_id: bigint;
  readonly class: number;
  readonly bytes: bigint;
  readonly objects: bigint;
}

async function counted(): Promise<Sum[]> {
  const { rows } = await databases.region.pool.query<Sum>(
    `SELECT bucket_id, class, sum(fsize)::bigint AS bytes, count(*) AS objects FROM region.objects
     GROUP BY bucket_id, class ORDER BY bucket_id, class`,
  );
  return rows;
}

function change(random: Random): Promise<unknown> {
  const bucket = random.pick(BUCKETS);
  const key = `k${random.integer(0, 19)}`;
  const { pool } = databases.region;
  if (random.next() < 0.3)
    return pool.query('DELETE FROM region.objects WHERE bucket_id = $1 AND key = $2', [bucket, key]);
  if (random.next() < 0.2)
    return pool.query('UPDATE region.objects SET class = 3 - class WHERE bucket_id = $1 AND key >= $2', [
      bucket,
      key,
    ]);
  return pool.query(
    `INSERT INTO region.objects AS o (bucket_id, key, blob_id, fsize, hash, mime_type, detected_type, put_time, class)
     VALUES ($1, $2, $3, $4, 'h', 't', 't', 1, $5)
     ON CONFLICT (bucket_id, key) DO UPDATE SET fsize = excluded.fsize, blob_id = excluded.blob_id, class = excluded.class`,
    [bucket, key, newBlobId(), random.integer(0, 999), random.integer(0, 3)],
  );
}

test('however changes, folds and counts are mixed, the figures end as a full count', async () => {
  const store = new UsageStore(databases.region);
  const random = testRandom();
  await databases.region.pool.query(
    `INSERT INTO region.bucket_gate (bucket_id, state) SELECT unnest($1::bigint[]), 'open'`,
    [BUCKETS],
  );
  for (const bucket of BUCKETS) await store.setQuota(bucket, 1_000_000n, 1000n);
  let isOver = false;
  const folds = random.fork('folds');
  const folding = (async () => {
    while (!isOver) {
      await store.fold(7);
      if (folds.next() < 0.2) await store.recount(BUCKETS[0] ?? 0n);
      await sleep(1);
    }
  })();
  await Promise.all(
    Array.from({ length: 6 }, async (_, client) => {
      const own = random.fork(`client ${client}`);
      // Changes that meet in another order than their rows may deadlock; one of them is then undone as a whole.
      for (let done = 0; done < 60; done++) await change(own).catch(() => undefined);
    }),
  );
  isOver = true;
  await folding;
  while ((await store.fold(1000)) > 0);
  await store.forgetEmpty();
  const figures = await store.usageOf(BUCKETS);
  expect(figures).toEqual(await counted());
  // Classes that nothing has any more stay, with nothing.
  const byClass = (await new UsageFiguresStore(databases.region).byClass()).filter((row) => row.objects > 0n);
  const sums = new Map<number, { bytes: bigint; objects: bigint }>();
  for (const row of figures) {
    const { bytes, objects } = sums.get(row.class) ?? { bytes: 0n, objects: 0n };
    sums.set(row.class, { bytes: bytes + row.bytes, objects: objects + row.objects });
  }
  expect(new Map(byClass.map(({ class: number, ...held }) => [number, held]))).toEqual(
    new Map([...sums].toSorted(([one], [other]) => one - other)),
  );
  for (const bucket of BUCKETS) {
    expect(await store.recount(bucket)).toEqual({ bytes: 0n, objects: 0n });
    const { rows } = await databases.region.pool.query<{ room_bytes: bigint; room_objects: bigint }>(
      'SELECT room_bytes, room_objects FROM region.bucket_gate WHERE bucket_id = $1',
      [bucket],
    );
    const own = figures.filter((row) => row.bucket_id === bucket);
    const sum = (of: 'bytes' | 'objects') => own.reduce((total, row) => total + row[of], 0n);
    expect(rows[0]).toEqual({
      room_bytes: 1_000_000n - sum('bytes'),
      room_objects: 1000n - sum('objects'),
    });
  }
});

test('however parts come, are replaced and end, the gate ends as a full count of them', async () => {
  const store = new UsageStore(databases.region);
  const { pool } = databases.region;
  const random = testRandom();
  const bucket = 21n;
  await pool.query(`INSERT INTO region.bucket_gate (bucket_id, state) VALUES ($1, 'open')`, [bucket]);
  const ids = Array.from({ length: 4 }, () => newBlobId());
  const begin = (id: string) =>
    pool.query(
      `INSERT INTO region.uploads (upload_id, bucket_id, class, expires_at) VALUES ($1, $2, 0, now()) ON CONFLICT DO NOTHING`,
      [id, bucket],
    );
  const act = async (own: Random) => {
    const id = own.pick(ids);
    const place = own.integer(1, 5);
    if (own.next() < 0.2) {
      await pool.query('DELETE FROM region.upload_parts WHERE upload_id = $1', [id]);
      await pool.query('DELETE FROM region.uploads WHERE upload_id = $1', [id]);
    } else if (own.next() < 0.7) {
      await begin(id);
      await pool.query(
        `INSERT INTO region.upload_parts VALUES ($1, $2, $3, $4, 'e', 1)
         ON CONFLICT (upload_id, part_number) DO UPDATE SET segment_id = excluded.segment_id, size = excluded.size`,
        [id, place, newBlobId(), own.integer(0, 999)],
      );
    } else {
      const block = newBlobId();
      await pool.query(
        `WITH block AS (
           INSERT INTO region.upload_blocks (block_id, uid, bucket_id, block_size, filled, sha1, class, expires_at)
           VALUES ($1, 1, $2, 9, 9, '', 0, now())
         ) INSERT INTO region.upload_chunks VALUES ($1, 0, $3, 9)`,
        [block, bucket, newBlobId()],
      );
      if (own.next() < 0.5) await pool.query('DELETE FROM region.upload_chunks WHERE block_id = $1', [block]);
    }
    if (own.next() < 0.3) await store.fold(7);
    if (own.next() < 0.1) await store.recount(bucket);
  };
  await Promise.all(
    Array.from({ length: 4 }, async (_, client) => {
      const own = random.fork(`parts ${client}`);
      // An upload may end while a part is put.
      for (let done = 0; done < 40; done++) await act(own).catch(() => undefined);
    }),
  );
  while ((await store.fold(1000)) > 0);
  const atGate = async () =>
    (await pool.query('SELECT part_bytes FROM region.bucket_gate WHERE bucket_id = $1', [bucket])).rows[0]
      ?.part_bytes;
  const { rows } = await pool.query(
    `SELECT (SELECT coalesce(sum(size), 0)::bigint FROM region.upload_parts) + (SELECT coalesce(sum(size), 0) FROM region.upload_chunks) AS sum`,
  );
  expect(BigInt(rows[0]?.sum)).toBeGreaterThan(0n);
  expect(await atGate()).toBe(BigInt(rows[0]?.sum));
  await store.recount(bucket);
  expect(await atGate()).toBe(BigInt(rows[0]?.sum));
});

test('requests are handed over together, and each is counted once', async () => {
  const store = new UsageStore(databases.region);
  const counter = new RequestCounter(store, openLog('silent'));
  for (let n = 0; n < 10; n++) {
    counter.count({ id: 1n, uid: 7n }, 'calls');
    counter.count({ id: 2n, uid: 7n }, 'downloads');
  }
  await Promise.all([counter.flush(), counter.flush()]);
  counter.count({ id: 1n, uid: 7n }, 'downloads');
  await counter.flush();
  await counter.flush();
  const rows = await store.requestsOf(7n, '2020-01-01', '2999-01-01');
  expect(rows.toSorted((one, other) => Number(one.bucket_id - other.bucket_id))).toEqual([
    { bucket_id: 1n, calls: 10n, downloads: 1n },
    { bucket_id: 2n, calls: 0n, downloads: 10n },
  ]);
  expect(await store.requestsOf(8n, '2020-01-01', '2999-01-01')).toEqual([]);
});

test('requests that could not be handed over, for want of a connection, go with the next', async () => {
  const proxy = await openDatabaseProxy(String(databases.region.pool.options.connectionString));
  const options = { connections: 1, timeoutMs: 15_000, applicationName: 'away', log: openLog('silent') };
  const region = new Database({ url: proxy.url, ...options });
  onTestFinished(() => region.close());
  const counter = new RequestCounter(new UsageStore(region), openLog('silent'));
  proxy.loseRequests();
  counter.count({ id: 1n, uid: 9n }, 'calls');
  await counter.flush();
  counter.count({ id: 1n, uid: 9n }, 'calls');
  proxy.mend();
  await counter.flush();
  const rows = await new UsageStore(databases.region).requestsOf(9n, '2020-01-01', '2999-01-01');
  expect(rows).toEqual([{ bucket_id: 1n, calls: 2n, downloads: 0n }]);
});

import { Fault } from '@millpond/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { AFTER_EVERY_KEY } from '../lists/key-ranges.ts';
import { decodeTrashMarker, encodeTrashMarker } from './trash.service.ts';
import { OwnersTrashStore, type TrashListCursor } from './trash.store.ts';

const databases = useDatabases();
const never = new AbortController().signal;
const BEGIN: TrashListCursor = { key: '', trashedAt: 'infinity', trashId: 0n };

const add = (bucketId: number, key: string, versions: number) =>
  databases.region.pool.query(
    `INSERT INTO region.trash (blob_id, reason, trashed_at, object)
     SELECT gen_random_uuid(), 'replaced', date_trunc('hour', now()) - (n / 2) * interval '1 microsecond',
            jsonb_build_object('bucket_id', $1::bigint, 'key', $2::text, 'fsize', n, 'hash', 'h', 'mime_type', 't',
                               'class', 0, 'put_time', 17)
     FROM generate_series(1, $3::integer) n`,
    [bucketId, key, versions],
  );

test('pages of any size hold every version once: by key, the latest first', async () => {
  const store = new OwnersTrashStore(databases.region);
  for (const [key, versions] of [
    ['a', 3],
    ['b', 7],
    ['\u{1f600}', 2],
    ['\ufffd', 1],
  ] as const)
    await add(1, key, versions);
  await add(2, 'b', 5);
  const pageAfter = (after: TrashListCursor, limit: number) =>
    store.page({ bucketId: 1n, after, until: AFTER_EVERY_KEY, limit, graceMs: 3_600_000 * 24 }, never);
  const all = await pageAfter(BEGIN, 100);
  // In the order of bytes, which is not that of UTF-16.
  expect([...new Set(all.map(({ key }) => key))]).toEqual(['a', 'b', '\ufffd', '\u{1f600}']);
  expect(
    all.every((row, index) => row.key !== all[index - 1]?.key || row.place <= (all[index - 1]?.place ?? '')),
  ).toBe(true);
  for (const limit of [1, 2, 3, 5]) {
    const ids: bigint[] = [];
    for (let after = BEGIN; ; ) {
      const rows = await pageAfter(after, limit);
      ids.push(...rows.map(({ trash_id }) => trash_id));
      const last = rows.at(-1);
      if (last === undefined) break;
      const next = { key: last.key, trashedAt: last.place, trashId: last.trash_id };
      after = decodeTrashMarker(encodeTrashMarker(next));
      expect(after).toEqual(next);
    }
    expect(ids).toEqual(all.map(({ trash_id }) => trash_id));
  }
});

test('a page reads no more of the index than it shows, however many versions a key has', async () => {
  await add(3, 'much', 500);
  await databases.region.pool.query('ANALYZE region.trash');
  const client = await databases.region.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL enable_seqscan = off');
    await client.query('SET LOCAL enable_sort = off');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT trash_id FROM region.trash t
       WHERE object IS NOT NULL AND (object ->> 'bucket_id')::bigint = 3 AND (object ->> 'key') COLLATE "C" > 'm'
       ORDER BY (object ->> 'key') COLLATE "C", trashed_at DESC, trash_id DESC LIMIT 10`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('trash_object');
    expect(plan).not.toContain('Sort');
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});

test('a marker that is none of ours is refused, and nothing else happens', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.base64String(),
        fc.json().map((text) => btoa(encodeURI(text))),
      ),
      (text) => {
        expect(() => decodeTrashMarker(text)).toThrow(Fault);
      },
    ),
  );
  for (const bad of [
    ['k', 'now', '1'],
    ['k', '2026-99-99 00:00:00+00', '1'],
    ['k', '2026-01-01 00:00:00+00', '-1'],
  ])
    expect(() => decodeTrashMarker(Buffer.from(JSON.stringify(bad)).toString('base64url'))).toThrow(Fault);
});

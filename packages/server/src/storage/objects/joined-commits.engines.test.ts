import { randomBytes } from 'node:crypto';
import { openLog } from '@millpond/base';
import { newBlobId } from '@millpond/blobs';
import { Fault } from '@millpond/protocol';
import fc from 'fast-check';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import { Database, type Queryable } from '../../platform/db/database.ts';
import { joinedCommits, type NewObject, ObjectStore } from './objects.store.ts';

const databases = useDatabases();
let store: ObjectStore;
let run = 0;

beforeAll(async () => {
  store = new ObjectStore(databases.region);
  const { pool } = databases.region;
  await pool.query(`INSERT INTO region.bucket_gate (bucket_id, state) VALUES (7, 'open'), (8, 'closing')`);
  await pool.query(`INSERT INTO region.bucket_gate (bucket_id, state, room_bytes) VALUES (9, 'open', 100)`);
});

function object(key: string, overrides: Partial<NewObject> = {}): NewObject {
  const blobId = newBlobId();
  return {
    bucketId: 7n,
    key,
    blobId,
    segments: [{ id: blobId, size: 3 }],
    fsize: 3,
    hash: randomBytes(8).toString('hex'),
    mimeType: 'text/plain',
    detectedType: 'text/plain',
    storageClass: 0,
    endUser: undefined,
    meta: undefined,
    deadline: Math.floor(Date.now() / 1000) + 600,
    commitWindowMs: 600_000,
    ...overrides,
  };
}

async function trashed(blobIds: readonly string[]): Promise<number> {
  const text = 'SELECT count(*) AS count FROM region.trash WHERE blob_id = ANY ($1::uuid[])';
  const { rows } = await databases.region.pool.query<{ count: bigint }>(text, [blobIds]);
  return Number(rows[0]?.count);
}

const odd = fc.constantFrom('"', '\\', 'NULL', '{a,b}', ' ', 'é', '\u{1f600}', "'", ',');
const overrides = fc.constantFrom<Partial<NewObject>>(
  {},
  {},
  { deadline: 1 },
  { commitWindowMs: 0 },
  { bucketId: 8n },
  { bucketId: 9n, fsize: 101 },
  { bucketId: 9n, fsize: 100 },
  { storageClass: 2, endUser: 'a "user", \\ and {more}', meta: { note: '"quoted", {braces} \\' } },
  { expiresAt: new Date('2030-01-02T03:04:05.678Z') },
);

describe('commits at the same time', () => {
  test('give each what it gets by itself, and write the same row', async () => {
    const one = fc.record({ name: odd, overrides });
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 5, maxLength: 40, size: 'max' }), async (list) => {
        run++;
        const make = (way: string) =>
          list.map(({ name, overrides }, index) => object(`${way}${run}/${index}${name}`, overrides));
        const [together, alone] = [make('t'), make('a')];
        const found = await Promise.all(together.map((wanted) => store.commit(wanted, 'insert')));
        for (const [index, wanted] of alone.entries()) {
          const expected = await store.commit(wanted, 'insert');
          const [ours, theirs] = [together[index], found[index]];
          const { open, has_room, in_time, fresh, fsize } = expected;
          expect(theirs).toMatchObject({ open, has_room, in_time, fresh, fsize });
          expect(theirs?.blob_id === ours?.blobId).toBe(expected.blob_id === wanted.blobId);
          expect(await rowOf(ours)).toEqual(await rowOf(wanted));
        }
        const lost = together.filter(({ blobId }, index) => found[index]?.blob_id !== blobId);
        expect(await trashed(together.map(({ blobId }) => blobId))).toBe(lost.length);
      }),
      { numRuns: 6 },
    );
  });

  test.each(['insert', 'overwrite'] as const)('of the same keys (%s) leave one object each', async (mode) => {
    const keys = Array.from({ length: 40 }, (_, index) => `${mode}/${index % 4}`);
    const wanted = keys.map((key) => object(key));
    const rows = await Promise.all(wanted.map((one) => store.commit(one, mode)));
    for (const key of new Set(keys)) {
      const winners = wanted.filter((one, index) => one.key === key && rows[index]?.blob_id === one.blobId);
      const { blob_id } = (await store.find(7n, key)) ?? {};
      const times = rows.filter((_, index) => wanted[index]?.key === key).map((row) => row.put_time);
      expect(new Set(times).size).toBe(winners.length);
      expect(winners).toHaveLength(mode === 'insert' ? 1 : 10);
      expect(winners.map((one) => one.blobId)).toContain(blob_id);
    }
    expect(await trashed(wanted.map(({ blobId }) => blobId))).toBe(wanted.length - new Set(keys).size);
  });

  test('a value that the database refuses fails its own commit only', async () => {
    const wanted = Array.from({ length: 20 }, (_, index) =>
      object(`fault/${index}`, index === 13 ? { mimeType: '\0' } : {}),
    );
    const outcomes = await Promise.allSettled(wanted.map((one) => store.commit(one, 'insert')));
    expect(outcomes.map(({ status }) => status === 'rejected')).toEqual(
      wanted.map((_, index) => index === 13),
    );
  });
});

test('a database that is too slow is not sent one by one what it could not do together', async () => {
  const { connectionString: url = '' } = databases.region.pool.options;
  const options = { connections: 10, timeoutMs: 15_000, applicationName: 'hurried', log: openLog('silent') };
  const hurried = new Database({ url, ...options });
  onTestFinished(() => hurried.close());
  hurried.pool.on('connect', (client) => void client.query('SET statement_timeout = 500'));
  const sent = vi.spyOn(hurried, 'query');
  const holder = await databases.region.pool.connect();
  onTestFinished(() => holder.release(true));
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE region.objects IN EXCLUSIVE MODE');

  const impatient = new ObjectStore(hurried);
  const wanted = Array.from({ length: 23 }, (_, index) => object(`slow/${index}`));
  const outcomes = await Promise.allSettled(wanted.map((one) => impatient.commit(one, 'insert')));
  // All came in one turn.
  expect(sent).toHaveBeenCalledTimes(1);
  const reason = expect.objectContaining({ fault: 'serverFailure', message: 'database: 57014' });
  expect(outcomes).toEqual(wanted.map(() => ({ status: 'rejected', reason })));
});

/** What was written, but for what differs by nature. */
async function rowOf(wanted: NewObject | undefined): Promise<object | undefined> {
  const text = `SELECT to_jsonb(o) - '{key,blob_id,hash,put_time}'::text[] AS row FROM region.objects o
    WHERE bucket_id = $1 AND key = $2`;
  const { rows } = await databases.region.pool.query(text, [wanted?.bucketId, wanted?.key]);
  return rows[0];
}

describe('joining', () => {
  /** Commits whose statements are noted, with what answers those that hold more than one. */
  function watched(many = (...asked: Parameters<Queryable['query']>) => databases.region.query(...asked)) {
    const sent: string[][] = [];
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    const region = {
      async query(...asked: Parameters<Queryable['query']>) {
        const keys = asked[1][1] as string[];
        sent.push(keys);
        await mayAnswer;
        return keys.length > 1 ? many(...asked) : databases.region.query(...asked);
      },
    } as Queryable;
    const commits = joinedCommits(region, 'insert');
    /** Each in a turn of the event loop of its own, and none is answered before the last was added. */
    const addInTurns = async (objects: readonly NewObject[]) => {
      const outcomes: ReturnType<typeof commits.add>[] = [];
      for (const one of objects) {
        outcomes.push(commits.add(one));
        await new Promise((resolve) => setImmediate(resolve));
      }
      answer();
      return Promise.allSettled(outcomes);
    };
    return { sent, addInTurns };
  }

  test('two go at once, what comes meanwhile goes together, a key once; buckets apart', async () => {
    const { sent, addInTurns } = watched();
    const keys = ['a', 'b', 'c', 'd', 'e', 'd', 'f'].map((key) => `joining/${key}`);
    const wanted = keys.map((key) => object(key));
    const other = object('joining/x', { bucketId: 9n });
    const outcomes = await addInTurns([...wanted, other]);
    const first = (key: string) => wanted.find((one) => one.key === key);
    expect(outcomes).toMatchObject(
      [...wanted, other].map((one) => ({ value: { blob_id: (first(one.key) ?? one).blobId } })),
    );
    const names = sent.map((keys) => keys.map((key) => key.slice(-1)).join(''));
    expect(names).toEqual(['a', 'b', 'x', 'cdef', 'd']);
  });

  test('where the answer is lost, all that were in it fail and none is repeated', async () => {
    const lost = new Fault('serverFailure', { cause: Object.assign(new Error('lost'), { code: '57P01' }) });
    const { sent, addInTurns } = watched(() => Promise.reject(lost));
    const wanted = ['a', 'b', 'c', 'd', 'e'].map((key) => object(`lost/${key}`));
    const outcomes = await addInTurns(wanted);
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...Array(2).fill('fulfilled'),
      ...Array(3).fill('rejected'),
    ]);
    expect(sent.map((keys) => keys.length)).toEqual([1, 1, 3]);
  });
});

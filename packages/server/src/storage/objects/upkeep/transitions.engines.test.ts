import { newBlobId } from '@millpond/blobs';
import { beforeAll, expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { TransitionStore } from './transition.store.ts';
import { Transitions } from './transitions.ts';

const databases = useDatabases();
const never = new AbortController().signal;
let transitions: Transitions;

beforeAll(() => {
  transitions = new Transitions(new TransitionStore(databases.region));
});

/** Hours from now at which each class is due; undefined: never. */
async function put(
  key: string,
  storageClass: number,
  [ia, archive, deep]: readonly (number | undefined)[],
): Promise<void> {
  const hours = [ia, archive, deep].map((each) => each ?? null);
  await databases.region.pool.query(
    `INSERT INTO region.objects (bucket_id, key, blob_id, fsize, hash, mime_type, detected_type, put_time, class,
       to_ia_at, to_archive_at, to_deep_archive_at)
     VALUES (1, $1, $2, 1, 'h', 't', 't', 17, $3,
       now() + $4 * interval '1 hour', now() + $5 * interval '1 hour', now() + $6 * interval '1 hour')`,
    [key, newBlobId(), storageClass, ...hours],
  );
}

async function state(key: string) {
  const { rows } = await databases.region.pool.query(
    `SELECT class, to_ia_at IS NOT NULL AS ia, to_archive_at IS NOT NULL AS archive, to_deep_archive_at IS NOT NULL AS deep,
       put_time FROM region.objects WHERE key = $1`,
    [key],
  );
  return rows[0] as Record<string, unknown>;
}

test('what is due changes its class and nothing else; what is not due stays', async () => {
  await put('ia', 0, [-1, 1, undefined]);
  await put('both', 0, [-2, -1, 5]);
  await put('later', 0, [1, undefined, undefined]);
  await put('colder already', 3, [undefined, -1, undefined]);
  await put('never', 0, []);
  expect(await transitions.run(never)).toBe(3);
  expect(await state('ia')).toEqual({ class: 1, ia: false, archive: true, deep: false, put_time: 17n });
  expect(await state('both')).toEqual({ class: 2, ia: false, archive: false, deep: true, put_time: 17n });
  expect(await state('later')).toMatchObject({ class: 0, ia: true });
  expect(await state('colder already')).toMatchObject({ class: 3, archive: false });
  expect(await transitions.run(never)).toBe(0);
});

test('more than a batch are done in one run, and a run that is cancelled stops', async () => {
  for (let index = 0; index < 7; index++) await put(`many ${index}`, 0, [-1]);
  const gone = new AbortController();
  gone.abort();
  expect(await transitions.run(gone.signal, 3)).toBe(0);
  expect(await transitions.run(never, 3)).toBe(7);
});

test('a row that somebody holds is left for the next round', async () => {
  await put('held', 0, [-1]);
  const client = await databases.region.pool.connect();
  await client.query('BEGIN');
  await client.query(`SELECT FROM region.objects WHERE key = 'held' FOR UPDATE`);
  expect(await transitions.run(never)).toBe(0);
  await client.query('COMMIT');
  client.release();
  expect(await transitions.run(never)).toBe(1);
});

test('bytes that belong elsewhere then are asked to move, in the same commit', async () => {
  await put('to ia', 0, [-1]);
  await put('to archive', 0, [undefined, -1]);
  const asked: unknown[] = [];
  const moving = new Transitions(new TransitionStore(databases.region), async (_transaction, blobIds) =>
    asked.push(...blobIds),
  );
  expect(await moving.run(never)).toBe(2);
  const { rows } = await databases.region.pool.query<{ blob_id: string }>(
    `SELECT blob_id FROM region.objects WHERE key = 'to archive'`,
  );
  expect(asked).toEqual([rows[0]?.blob_id]);
  await put('again', 0, [undefined, -1]);
  const failing = new Transitions(new TransitionStore(databases.region), async () => {
    throw new Error('the queue is away');
  });
  await expect(failing.run(never)).rejects.toThrow('away');
  expect(await state('again')).toMatchObject({ class: 0, archive: true });
  await transitions.run(never);
});

import { setTimeout as sleep } from 'node:timers/promises';
import { openLog } from '@millpond/base';
import { Fault } from '@millpond/protocol';
import { createDatabase, type TestDatabase } from '@millpond/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BatchedReads } from './batched-reads.ts';
import { Database, type Queryable, statement } from './database.ts';

interface Row {
  readonly key: string;
  readonly value: number;
}

const many = statement('test-many', 'SELECT key, value FROM pairs WHERE id = $1 AND key = ANY ($2::text[])');
const one = statement('test-one', 'SELECT key, value FROM pairs WHERE id = $1 AND key = $2');
const slow = statement(
  'test-slow',
  'SELECT key, value, pg_sleep(60)::text FROM pairs WHERE id = $1 AND key = ANY ($2::text[])',
);
const running = statement(
  'test-running',
  `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE '%pg_sleep(60)%' AND pid <> pg_backend_pid()`,
);

let server: TestDatabase;
let database: Database;
/** The keys of each statement that was sent. */
let sent: string[][];
let watched: Queryable;

beforeAll(async () => {
  server = await createDatabase('joined_reads');
  database = new Database({
    url: server.url,
    connections: 8,
    timeoutMs: 30_000,
    applicationName: 'joined reads test',
    log: openLog('silent'),
  });
  await database.pool.query('CREATE TABLE pairs (id bigint, key text, value int4, PRIMARY KEY (id, key))');
  await database.pool.query(
    `INSERT INTO pairs SELECT id, 'k' || number, id * 1000 + number FROM generate_series(1, 3) id, generate_series(0, 199) number`,
  );
});
afterAll(async () => {
  await database?.close();
  await server?.drop();
});
beforeEach(() => {
  sent = [];
  watched = {
    query(asked, values, cancel) {
      sent.push(values[1] as string[]);
      return database.query(asked, values, cancel);
    },
  };
});

async function single(id: bigint, key: string): Promise<Row | undefined> {
  return (await database.query<Row>(one, [id, key]))[0];
}

/** Each in a turn of the event loop of its own; returns the promises as they are. */
async function inTurns<Answer>(
  keys: readonly string[],
  ask: (key: string) => Promise<Answer>,
): Promise<Promise<Answer>[]> {
  const asked: Promise<Answer>[] = [];
  for (const key of keys) {
    asked.push(ask(key));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return asked;
}

async function until(what: () => Promise<boolean> | boolean): Promise<void> {
  // Only a hang reaches it.
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(10)) if (await what()) return;
  throw new Error('it did not come to this');
}

test('any reads at the same time give what each gives by itself', async () => {
  const reads = new BatchedReads<Row>(watched, many);
  const asked = fc.record({ id: fc.bigInt(1n, 4n), number: fc.integer({ min: -5, max: 205 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(asked, { maxLength: 150, size: 'max' }), async (list) => {
      const found = await Promise.all(list.map(({ id, number }) => reads.find(id, `k${number}`)));
      const expected = await Promise.all(list.map(({ id, number }) => single(id, `k${number}`)));
      expect(found).toEqual(expected);
    }),
    { numRuns: 30 },
  );
  expect(sent.some((keys) => keys.length > 1)).toBe(true);
  expect(sent.every((keys) => keys.length <= 100)).toBe(true);
});

describe('statements', () => {
  test('a read that finds its group idle is sent, and the next after it too', async () => {
    const reads = new BatchedReads<Row>(watched, many);
    for (const key of ['k1', 'k2', 'k3']) expect(await reads.find(1n, key)).toMatchObject({ key });
    expect(sent).toEqual([['k1'], ['k2'], ['k3']]);
  });

  test('few are under way; who comes meanwhile goes together, also those of a key asked for twice', async () => {
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    const held: Queryable = {
      async query(...asked) {
        const rows = await watched.query(...asked);
        await mayAnswer;
        return rows as never[];
      },
    };
    const reads = new BatchedReads<Row>(held, many);
    const keys = Array.from({ length: 40 }, (_, number) => `k${number % 20}`);
    const asked = await inTurns(keys, (key) => reads.find(1n, key));
    answer();
    const found = await Promise.all(asked);
    expect(found.map((row) => row?.key)).toEqual(keys);
    expect(sent.map(({ length }) => length)).toEqual([1, 1, 38]);
  });

  test('one group does not wait for another', async () => {
    const reads = new BatchedReads<Row>(watched, many);
    const ids = Array.from({ length: 50 }, (_, number) => BigInt(number));
    await Promise.all(ids.map((id) => reads.find(id, 'k1')));
    expect(sent).toHaveLength(50);
  });
});

describe('cancelling', () => {
  const held = (cancel?: AbortSignal) => {
    const reads = new BatchedReads<Row>(watched, slow);
    return inTurns(['k0', 'k1', 'k2'], (key) =>
      reads.find(1n, key, cancel).catch((error: unknown) => Promise.resolve(error)),
    );
  };

  test('before, while waiting, and under way: the read ends with the reason', async () => {
    const reads = new BatchedReads<Row>(watched, many);
    const reason = new Error('gone');
    await expect(reads.find(1n, 'k1', AbortSignal.abort(reason))).rejects.toBe(reason);
    const leaving = new AbortController();
    const all = Array.from({ length: 6 }, (_, number) =>
      reads.find(1n, `k${number}`, number % 2 === 0 ? leaving.signal : undefined),
    );
    leaving.abort(reason);
    const outcomes = await Promise.allSettled(all);
    expect(outcomes.map(({ status }) => status)).toEqual(
      [0, 1, 2, 3, 4, 5].map((number) => (number % 2 === 0 ? 'rejected' : 'fulfilled')),
    );
    // Nobody waited for k4 any more when its turn came.
    expect(sent.flat()).not.toContain('k4');
  });

  test('a statement that nobody waits for is cancelled in the database', async () => {
    const leaving = new AbortController();
    const all = Promise.all(await held(leaving.signal));
    await until(async () => (await database.query(running, [])).length === 2);
    const reason = new Error('gone');
    leaving.abort(reason);
    expect(await all).toEqual([reason, reason, reason]);
    await until(async () => (await database.query(running, [])).length === 0);
  });
});

describe('faults', () => {
  test('a key that the database refuses fails alone', async () => {
    const reads = new BatchedReads<Row>(watched, many);
    const keys = ['k0', 'k1', 'k2', 'k3', 'a\0b', 'k4'];
    const outcomes = await Promise.allSettled(keys.map((key) => reads.find(1n, key)));
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([
      true,
      true,
      true,
      true,
      false,
      true,
    ]);
  });

  test('a fault of the database is that of all who waited for it, and is not asked for again', async () => {
    const broken: Queryable = {
      async query(_statement, values) {
        sent.push(values[1] as string[]);
        throw new Fault('serverFailure', { cause: { code: '57P01' } });
      },
    };
    const reads = new BatchedReads<Row>(broken, many);
    const outcomes = await Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map((key) => reads.find(1n, key)));
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(sent).toEqual([['a', 'b', 'c', 'd', 'e']]);
  });
});

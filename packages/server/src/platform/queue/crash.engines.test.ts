import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, inTransaction, type TestDatabase, until } from './queue.testing.ts';
import type { Queue } from './queue.ts';

let database: TestDatabase;
let queue: Queue;

beforeAll(async () => {
  database = await createTestDatabase();
  for (const table of ['starts', 'effects', 'refusals']) {
    await database.pool.query(`CREATE TABLE ${table} (job uuid, attempt int, pid int)`);
  }
  queue = database.open();
});
afterAll(() => database.drop());

const count = async (table: string, where = 'true') => {
  const { rows } = await database.pool.query<{ count: number }>(
    `SELECT count(*)::int FROM ${table} WHERE ${where}`,
  );
  return rows[0]?.count ?? 0;
};

describe('a worker process', () => {
  test('killed with kill -9 loses its jobs to another; each effect happens once', async () => {
    await queue.define('killed', { kind: 'normal' });
    const child = database.spawn('work', { queue: 'killed', leaseSeconds: 10, holdMs: 3_600_000 });
    const ids = await queue.enqueueMany(
      database.pool,
      'killed',
      Array.from({ length: 8 }, () => ({ data: {} })),
    );
    await until(async () => (await count('starts')) === 4);
    child.kill('SIGKILL');
    const worker = await queue.work(
      {
        killed: (job) =>
          inTransaction(database.pool, async (client) => {
            await client.query('INSERT INTO effects VALUES ($1, $2, $3)', [job.id, job.attempt, process.pid]);
            await job.commit(client);
          }),
      },
      { slots: 4 },
    );
    await until(async () => (await count('effects')) === 8);
    await worker.stop();
    const { rows } = await database.pool.query<{ job: string; attempt: number }>(
      'SELECT job, attempt FROM effects',
    );
    expect(rows.map((row) => row.job).toSorted()).toEqual(ids.toSorted());
    expect(rows.filter((row) => row.attempt === 2)).toHaveLength(4);
  });

  test('that stalls cannot finish the attempt it has lost', async () => {
    await queue.define('stalled', { kind: 'normal', leaseSeconds: 2 });
    const child = database.spawn('work', { queue: 'stalled', leaseSeconds: 2, holdMs: 6000 });
    const id = await queue.enqueue(database.pool, 'stalled', {});
    await until(() => count('starts', `job = '${id}'`).then((starts) => starts === 1));
    child.kill('SIGSTOP');
    const refused = (job: string) =>
      count('refusals', `job = '${job}' AND pid = ${child.pid}`).then((refusals) => refusals === 1);
    const worker = await queue.work(
      {
        stalled: async (job) => {
          await database.pool.query('INSERT INTO starts VALUES ($1, $2, $3)', [
            job.id,
            job.attempt,
            process.pid,
          ]);
          // The older attempt ends first.
          await until(() => refused(id));
          await inTransaction(database.pool, async (client) => {
            await client.query('INSERT INTO effects VALUES ($1, $2, $3)', [job.id, job.attempt, process.pid]);
            await job.commit(client);
          });
        },
      },
      { slots: 1 },
    );
    await until(() => count('starts', `job = '${id}'`).then((starts) => starts === 2));
    // Both attempts are under way now.
    child.kill('SIGCONT');
    await until(() => refused(id));
    await until(() => count('effects', `job = '${id}'`).then((effects) => effects === 1));
    await worker.stop();
    const { rows } = await database.pool.query('SELECT attempt, pid FROM effects WHERE job = $1', [id]);
    expect(rows).toEqual([{ attempt: 2, pid: process.pid }]);
  });
});

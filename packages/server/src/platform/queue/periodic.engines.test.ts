import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase, until } from './queue.testing.ts';

interface Beat {
  readonly pid: number;
  readonly started_at: Date;
  readonly ended_at: Date | null;
}

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.pool.query(`DROP TABLE IF EXISTS beats;
    CREATE TABLE beats (id serial, pid int, started_at timestamptz DEFAULT clock_timestamp(), ended_at timestamptz)`);
});
afterAll(() => database.drop());

const beats = async () => (await database.pool.query<Beat>('SELECT * FROM beats ORDER BY id')).rows;

describe('periodic work', () => {
  test('runs once in its time however many processes there are, and outlives the one that runs it', async () => {
    const children = [1, 2, 3].map(() => database.spawn('beat', { seconds: 2, holdMs: 500 }));
    await until(async () => (await beats()).length >= 4);
    const calm = await beats();
    const gaps = calm
      .slice(1)
      .map((beat, index) => Number(beat.started_at) - Number(calm[index]?.started_at));
    expect(Math.min(...gaps)).toBeGreaterThan(1900);

    await until(async () => (await beats()).at(-1)?.ended_at === null);
    const victim = (await beats()).at(-1);
    process.kill(victim?.pid ?? 0, 'SIGKILL');
    const killedAt = Date.now();
    await until(async () => Number((await beats()).at(-1)?.started_at) > killedAt);
    const taken = (await beats()).at(-1);
    expect(taken?.pid).not.toBe(victim?.pid);
    for (const child of children) child.kill('SIGKILL');
  });

  test('a run longer than its period is never overlapped; one that throws comes back', async () => {
    const queues = [database.open(), database.open()];
    let running = 0;
    let most = 0;
    let runs = 0;
    for (const queue of queues) {
      await queue.every('slow', 0.2, async () => {
        running += 1;
        runs += 1;
        most = Math.max(most, running);
        await sleep(600);
        running -= 1;
        if (runs === 1) throw new Error('the first one fails');
      });
    }
    const lastError = async () =>
      (await database.pool.query("SELECT last_error FROM queue.periodic WHERE name = 'slow'")).rows[0]
        ?.last_error;
    await until(async () => (await lastError()) === 'Error: the first one fails');
    await until(async () => (await lastError()) === null);
    expect(runs).toBeGreaterThan(1);
    await Promise.all(queues.map((queue) => queue.close()));
    expect(most).toBe(1);
  });

  test('begins few at a time when many are due, and what takes long holds up none', async () => {
    const queue = database.open();
    const names = Array.from({ length: 10 }, (_, number) => `crowd-${number}`);
    const begun = new Set<string>();
    let isCrowd = false;
    for (const name of names) {
      await queue.every(name, 3600, async (signal) => {
        if (!isCrowd) return;
        begun.add(name);
        await once(signal, 'abort');
      });
    }
    const ofCrowd = async <Row>(columns: string) =>
      (await database.pool.query(`SELECT ${columns} FROM queue.periodic WHERE name LIKE 'crowd-%'`))
        .rows as Row[];
    await until(async () =>
      (await ofCrowd<{ at: Date | null }>('last_ended_at AS at')).every(({ at }) => at !== null),
    );
    isCrowd = true;
    await database.pool.query("UPDATE queue.periodic SET next_due = now() WHERE name LIKE 'crowd-%'");
    await until(async () => begun.size === names.length);
    // Those that one statement took have one token.
    const together = Map.groupBy(await ofCrowd<{ run: string }>('run'), ({ run }) => run);
    expect(Math.max(...[...together.values()].map((runs) => runs.length))).toBeLessThanOrEqual(3);
    await queue.close();
  });

  test('its figures: overdue once nobody does it, not while it runs, and whether it failed', async () => {
    const queue = database.open();
    const statsOf = async (name: string) => (await queue.periodicStats([name, 'never-registered']))[0];
    let isFailing = true;
    let isLong = false;
    await queue.every('figured', 3600, async (signal) => {
      if (isFailing) throw new Error('no');
      if (isLong) await once(signal, 'abort');
    });
    const due = () =>
      database.pool.query(
        "UPDATE queue.periodic SET next_due = now() - interval '9 min' WHERE name = 'figured'",
      );
    await until(async () => (await statsOf('figured'))?.failed === true);
    expect(await statsOf('figured')).toEqual({ name: 'figured', failed: true, overdueSeconds: 0 });
    [isFailing, isLong] = [false, true];
    await due();
    const isRunning = async () =>
      (await database.pool.query("SELECT run FROM queue.periodic WHERE name = 'figured' AND run IS NOT NULL"))
        .rowCount === 1;
    await until(isRunning);
    expect((await statsOf('figured'))?.overdueSeconds).toBe(0);
    await queue.close();
    await due();
    const late = (await statsOf('figured'))?.overdueSeconds ?? 0;
    expect(late).toBeGreaterThan(530);
    expect(late).toBeLessThan(600);
  });
});

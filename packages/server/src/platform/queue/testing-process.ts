/** A separate process for tests that kill or stall one. Arguments: database URL, task, settings as JSON. */
import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction, openTestDatabase, silent } from './queue.testing.ts';
import { LeaseLostError, openQueue } from './queue.ts';

interface Settings {
  readonly queue: string;
  readonly leaseSeconds: number;
  readonly holdMs: number;
  readonly seconds: number;
}

const [url, task, json] = process.argv.slice(2);
const settings = JSON.parse(json ?? '{}') as Settings;
const { pool } = openTestDatabase(url ?? '');
const queue = openQueue({ pool, log: silent });

async function work(): Promise<void> {
  await queue.define(settings.queue, { kind: 'normal', leaseSeconds: settings.leaseSeconds });
  await queue.work(
    {
      [settings.queue]: async (job) => {
        const row = [job.id, job.attempt, process.pid];
        await pool.query('INSERT INTO starts (job, attempt, pid) VALUES ($1, $2, $3)', row);
        await sleep(settings.holdMs);
        try {
          await inTransaction(pool, async (client) => {
            await client.query('INSERT INTO effects (job, attempt, pid) VALUES ($1, $2, $3)', row);
            await job.commit(client);
          });
        } catch (error) {
          if (error instanceof LeaseLostError)
            await pool.query('INSERT INTO refusals (job, attempt, pid) VALUES ($1, $2, $3)', row);
          throw error;
        }
      },
    },
    { slots: 4 },
  );
}

async function beat(): Promise<void> {
  await queue.every('beat', settings.seconds, async () => {
    const started = await pool.query<{ id: number }>('INSERT INTO beats (pid) VALUES ($1) RETURNING id', [
      process.pid,
    ]);
    await sleep(settings.holdMs);
    await pool.query('UPDATE beats SET ended_at = clock_timestamp() WHERE id = $1', [started.rows[0]?.id]);
  });
}

if (task === 'work') await work();
else if (task === 'beat') await beat();
else throw new Error(`no such task: ${task}`);

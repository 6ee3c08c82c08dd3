/** For the tests of this folder: a fresh database on a real PostgreSQL, and worker processes that can be killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLog } from '@millpond/base';
import { createDatabase } from '@millpond/testing';
import type pg from 'pg';
import { inject } from 'vitest';
import { Database } from '../db/database.ts';
import { openQueue, type Queue } from './queue.ts';

export const silent = openLog('silent');

export interface TestDatabase {
  readonly url: string;
  readonly pool: pg.Pool;
  open(): Queue;
  /** Closes the queues opened here, ends the child processes, drops the database. */
  drop(): Promise<void>;
  /** Starts testing-process.ts on this database. */
  spawn(task: string, settings?: object): ChildProcess;
}

/** The pool as the server opens it, with its time limits and number types. */
export function openTestDatabase(url: string, connections = 10): Database {
  return new Database({
    url,
    connections,
    timeoutMs: 10_000,
    applicationName: 'queue test',
    log: silent,
  });
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const database = await createDatabase('queue', inject('templates').region);
  const { url } = database;
  const { pool } = openTestDatabase(url);
  const queues: Queue[] = [];
  const children: ChildProcess[] = [];
  return {
    url,
    pool,
    open() {
      const queue = openQueue({ pool, log: silent });
      queues.push(queue);
      return queue;
    },
    spawn(task, settings = {}) {
      const script = path.join(import.meta.dirname, 'testing-process.ts');
      const child = spawn(process.execPath, [script, url, task, JSON.stringify(settings)], {
        stdio: 'inherit',
      });
      children.push(child);
      return child;
    },
    async drop() {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(queues.map((queue) => queue.close()));
      await pool.end();
      await database.drop();
    },
  };
}

export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  // A lost connection is reported twice: to the statement, and here, where a missing listener would end the process.
  const ignore = () => undefined;
  client.on('error', ignore);
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(ignore);
    throw error;
  } finally {
    client.off('error', ignore);
    client.release();
  }
}

/** Waits until `check` is true; fails after `seconds`, which only a hang reaches. */
export async function until(check: () => boolean | Promise<boolean>, seconds = 100): Promise<void> {
  const startedAt = performance.now();
  while (!(await check())) {
    if (performance.now() - startedAt > seconds * 1000) throw new Error(`not so after ${seconds} s`);
    await sleep(20);
  }
}

/**
 * Catches a worker at a stage of a task. Database stages are held by locks that the run takes itself, so that they last
 * until the worker is dead; the others are detected in the worker's folder and among its processes.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { TaskWorker } from './task-worker.ts';

export const STAGES = ['claim', 'download', 'engine', 'parts', 'storing', 'settling'] as const;
export type Stage = (typeof STAGES)[number];

const GIVE_UP_MS = 60_000;
const CHECK_INTERVAL_MS = 4;
/** Longer than a free worker takes to claim a task. */
const STUCK_AFTER_MS = 2_000;

export interface Trap {
  /** Which worker has the task; it is held at the end of its claim until `release`. */
  claimed(taskId: string, workers: readonly TaskWorker[]): Promise<TaskWorker>;
  release(): Promise<void>;
  /** Resolves when the worker is at this stage of its task, whose results are under `prefix`. */
  reached(stage: Stage, worker: TaskWorker, prefix: string): Promise<void>;
  close(): Promise<void>;
}

export async function setTrap(regionUrl: string): Promise<Trap> {
  const [holder, looker] = [
    new pg.Client({ connectionString: regionUrl, application_name: 'chaos holds' }),
    new pg.Client({ connectionString: regionUrl, application_name: 'chaos looks' }),
  ];
  await Promise.all([holder.connect(), looker.connect()]);
  const lock = async (table: string) => {
    await holder.query('BEGIN');
    await holder.query(`LOCK TABLE region.${table} IN SHARE MODE`);
  };
  const seen = async (text: string, values: unknown[]) => (await looker.query(text, values)).rows;
  const isBlocked = async (worker: TaskWorker, words: string) =>
    (
      await seen(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1
           AND wait_event_type = 'Lock' AND strpos(query, $2) > 0`,
        [worker.name, words],
      )
    ).length > 0;
  await lock('task_works');

  return {
    async claimed(taskId, workers) {
      let lockedAt = Date.now();
      return until(`the claim of ${taskId}`, async () => {
        // The transaction that is changing the task's row, and whose it is.
        const [row] = await seen(
          `SELECT a.application_name AS name FROM region.tasks t
           JOIN pg_stat_activity a ON a.backend_xid = t.xmax AND a.wait_event_type = 'Lock'
           WHERE t.task_id = $1`,
          [taskId],
        );
        const found = workers.find(({ name }) => name === (row as { name: string } | undefined)?.name);
        if (found !== undefined || Date.now() - lockedAt < STUCK_AFTER_MS) return found;
        // All of them are held here with tasks of earlier kills: let those through.
        await holder.query('ROLLBACK');
        await lock('task_works');
        lockedAt = Date.now();
        return undefined;
      });
    },
    async release() {
      await holder.query('ROLLBACK');
    },
    async reached(stage, worker, prefix) {
      switch (stage) {
        case 'claim':
          return;
        case 'download':
          return until('a download', async () => (isDownloading(worker.root) ? true : undefined)).then(
            () => undefined,
          );
        case 'engine':
          return until('an engine', async () => (hasEngine(worker.pid) ? true : undefined)).then(
            () => undefined,
          );
        case 'parts':
          await until(
            'the first part',
            async () =>
              (
                await seen('SELECT 1 FROM region.objects WHERE starts_with(key, $1) LIMIT 1', [`${prefix}/`])
              )[0],
          );
          return;
        case 'storing':
          await lock('objects');
          await until(
            'a commit',
            async () => (await isBlocked(worker, 'INSERT INTO region.objects')) || undefined,
          );
          return;
        case 'settling':
          await lock('deliveries');
          await until('the end', async () => (await isBlocked(worker, 'add_delivery')) || undefined);
      }
    },
    async close() {
      await Promise.all([holder.end(), looker.end()]);
    },
  };
}

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + GIVE_UP_MS; Date.now() < end; await sleep(CHECK_INTERVAL_MS)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error(`${what} was not seen`);
}

/** A source is being written: a job's file exists, and no engine is reading it yet. */
function isDownloading(root: string): boolean {
  return jobFiles(root).some((file) => path.basename(file) === '0' && sizeOf(file) > 0);
}

function jobFiles(root: string): string[] {
  try {
    return readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => path.join(parentPath, name));
  } catch {
    // A folder was removed in between.
    return [];
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function hasEngine(pid: number): boolean {
  return childrenOf(pid).some((child) => nameOf(child) === 'ffmpeg' || hasEngine(child));
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}

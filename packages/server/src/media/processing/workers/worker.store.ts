/** SQL of the workers of tasks. Times are the database's. */
import type { EngineKind, MissingEngines } from '@millpond/jail';
import { type Database, statement } from '../../../platform/db/database.ts';

export interface WorkerIdentity {
  readonly process: string;
  readonly host: string;
  readonly pid: number;
}

export interface WorkerRow {
  readonly host: string;
  readonly pid: number;
  readonly engines: readonly EngineKind[] | null;
  readonly missing: MissingEngines;
  readonly is_alive: boolean;
}

/** A worker says once a minute that it is there, and may be late. */
const SILENT = `interval '150 seconds'`;
const MAX_WORKERS = 1000;

const tell = statement(
  'task-worker-tell',
  `INSERT INTO region.task_workers AS w (process, host, pid, engines, missing) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (process) DO UPDATE SET engines = excluded.engines, missing = excluded.missing, seen_at = now()`,
);
const end = statement(
  'task-worker-end',
  'UPDATE region.task_workers SET seen_at = now(), ended_at = now() WHERE process = $1',
);
// A process of the version before is not in the table: it takes every task.
const seen = statement(
  'task-worker-seen',
  `SELECT EXISTS (SELECT FROM region.task_workers
       WHERE seen_at > now() - $2 * interval '1 second' AND (engines IS NULL OR $1 = ANY (engines)))
     OR EXISTS (SELECT FROM region.figures_processes AS p
       WHERE 'work' = ANY (p.roles) AND p.seen_at > now() - $2 * interval '1 second'
         AND NOT EXISTS (SELECT FROM region.task_workers AS w WHERE w.host = p.host AND w.pid = p.pid)) AS seen`,
);
const list = statement(
  'task-worker-list',
  `SELECT host, pid, engines, missing, ended_at IS NULL AND seen_at > now() - ${SILENT} AS is_alive
   FROM region.task_workers WHERE seen_at > now() - $1 * interval '1 second'
   ORDER BY is_alive DESC, host, pid LIMIT ${MAX_WORKERS}`,
);
const forget = statement(
  'task-worker-forget',
  `DELETE FROM region.task_workers WHERE seen_at < now() - interval '1 day'`,
);

export class WorkerStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** `engines` undefined: it does not know yet. */
  async report(
    { process, host, pid }: WorkerIdentity,
    engines: readonly EngineKind[] | undefined,
    missing: MissingEngines,
  ): Promise<void> {
    await this.#region.query(tell, [process, host, pid, engines ?? null, JSON.stringify(missing)]);
  }

  async end({ process }: WorkerIdentity): Promise<void> {
    await this.#region.query(end, [process]);
  }

  /** Whether a worker with this engine, or one that may have it, was there in these last seconds. */
  async wasSeen(engine: EngineKind, seconds: number): Promise<boolean> {
    const [row] = await this.#region.query<{ seen: boolean }>(seen, [engine, seconds]);
    return row?.seen === true;
  }

  /** Those that were there in these last seconds, the living first. */
  list(seconds: number): Promise<WorkerRow[]> {
    return this.#region.query<WorkerRow>(list, [seconds]);
  }

  async forget(): Promise<void> {
    await this.#region.query(forget, []);
  }
}

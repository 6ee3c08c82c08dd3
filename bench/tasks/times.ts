/** When jobs of tasks were enqueued and taken, from the queue's own rows. */
import pg from 'pg';

export interface TaskTimes {
  readonly id: string;
  readonly queue: string;
  /** Milliseconds since 1970. */
  readonly enqueued: number;
  readonly taken: number;
}

export interface TimesReader {
  /** Of those tasks that have been taken. */
  of(ids: readonly string[]): Promise<TaskTimes[]>;
  /** Plain tables beside ours, for what the bare side writes. */
  makeBareTables(): Promise<void>;
  close(): Promise<void>;
}

export function openTimes(regionDb: string): TimesReader {
  const pool = new pg.Pool({ connectionString: regionDb, max: 2, application_name: 'millpond bench' });
  return {
    async of(ids) {
      const { rows } = await pool.query<{ id: string; queue: string; enqueued: string; taken: string }>(
        `SELECT data->>'taskId' AS id, name AS queue, extract(epoch FROM created_on) * 1000 AS enqueued,
                extract(epoch FROM started_on) * 1000 AS taken
         FROM pgboss.job WHERE name IN ('task', 'task-idle') AND started_on IS NOT NULL
           AND data->>'taskId' = ANY ($1)`,
        [ids],
      );
      return rows.map((row) => ({ ...row, enqueued: Number(row.enqueued), taken: Number(row.taken) }));
    },
    async makeBareTables() {
      await pool.query(
        'CREATE TABLE bare_tasks (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), body text NOT NULL)',
      );
      await pool.query(
        'CREATE TABLE bare_jobs (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), task uuid NOT NULL)',
      );
    },
    close: () => pool.end(),
  };
}

/** When task jobs were enqueued and taken. A job's row is deleted when it is done, so a trigger notes the times. */
import pg from 'pg';

export interface TaskTimes {
  readonly id: string;
  readonly queue: string;
  /** Milliseconds since 1970. */
  readonly enqueued: number;
  readonly taken: number;
}

export interface TimesReader {
  /** From now on. */
  watch(): Promise<void>;
  /** For those tasks that have been taken. */
  of(ids: readonly string[]): Promise<TaskTimes[]>;
  /** Plain tables next to ours, for what the bare side writes. */
  makeBareTables(): Promise<void>;
  close(): Promise<void>;
}

export function openTimes(regionDb: string): TimesReader {
  const pool = new pg.Pool({ connectionString: regionDb, max: 2, application_name: 'millpond bench' });
  return {
    async watch() {
      await pool.query(
        'CREATE TABLE taken_tasks (id text PRIMARY KEY, queue text, enqueued timestamptz, taken timestamptz)',
      );
      await pool.query(
        `CREATE FUNCTION note_taken() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN
           INSERT INTO taken_tasks VALUES (new.data->>'taskId', new.queue, new.created_at, new.started_at)
           ON CONFLICT DO NOTHING;
           RETURN NULL;
         END $$`,
      );
      await pool.query(
        `CREATE TRIGGER note_taken AFTER UPDATE OF state ON queue.jobs FOR EACH ROW
         WHEN (new.state = 'active' AND new.queue IN ('task', 'task-idle')) EXECUTE FUNCTION note_taken()`,
      );
    },
    async of(ids) {
      const { rows } = await pool.query<{ id: string; queue: string; enqueued: string; taken: string }>(
        `SELECT id, queue, extract(epoch FROM enqueued) * 1000 AS enqueued, extract(epoch FROM taken) * 1000 AS taken
         FROM taken_tasks WHERE id = ANY ($1)`,
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

/** What a black-box test can't do with calls on archive objects: let time pass for a restore, and see its times. */
import pg from 'pg';

/** By the database's clock, in milliseconds since 1970. */
export interface RestoreTimes {
  readonly readyAt: number;
  readonly endsAt: number;
  readonly now: number;
}

export interface ArchiveRows {
  /** Moves the restore of an object back, as if this much time had passed. The key must be unique in the region. */
  passTime(key: string, seconds: number): Promise<void>;
  /** Undefined if no restore was requested, or none is remembered. */
  restoreTimes(key: string): Promise<RestoreTimes | undefined>;
  /** The engine object that holds an object's bytes. */
  blobOf(key: string): Promise<string>;
  /** How many objects wait for their bytes to move to another tier. */
  misplaced(): Promise<number>;
  /** Breaks every connection from the server to the database, as a database restart would. */
  breakConnections(): Promise<void>;
  close(): Promise<void>;
}

export function openArchiveRows(url: string): ArchiveRows {
  const pool = new pg.Pool({ connectionString: url, max: 2, application_name: 'millpond test' });
  const one = async <Row extends object>(text: string, values: unknown[]): Promise<Row> => {
    const { rows } = await pool.query<Row>(text, values);
    const [row] = rows;
    if (row === undefined || rows.length > 1)
      throw new Error(`not the key of exactly one object: ${String(values[0])}`);
    return row;
  };
  return {
    async passTime(key, seconds) {
      await one(
        `UPDATE region.objects SET restore_ready_at = restore_ready_at - $2 * interval '1 second',
           restore_ends_at = restore_ends_at - $2 * interval '1 second' WHERE key = $1 RETURNING key`,
        [key, seconds],
      );
    },
    async restoreTimes(key) {
      const row = await one<{ ready: number | null; ends: number | null; now: number }>(
        `SELECT extract(epoch FROM restore_ready_at)::float8 * 1000 AS ready,
           extract(epoch FROM restore_ends_at)::float8 * 1000 AS ends,
           extract(epoch FROM clock_timestamp())::float8 * 1000 AS now
         FROM region.objects WHERE key = $1`,
        [key],
      );
      if (row.ready === null || row.ends === null) return undefined;
      return { readyAt: row.ready, endsAt: row.ends, now: row.now };
    },
    async blobOf(key) {
      return (await one<{ blob_id: string }>('SELECT blob_id FROM region.objects WHERE key = $1', [key]))
        .blob_id;
    },
    async misplaced() {
      const { rows } = await pool.query<{ count: string }>(
        'SELECT count(*) FROM region.objects WHERE cold <> (class >= 2)',
      );
      return Number(rows[0]?.count);
    },
    async breakConnections() {
      await pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name LIKE 'millpond region%'`,
      );
    },
    close: () => pool.end(),
  };
}

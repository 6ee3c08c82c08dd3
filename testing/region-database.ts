/** What a black-box test can't do by calls on a region: hold statements back, and put objects together from segments. */
import pg from 'pg';

export interface RegionDatabase {
  /** Every statement of others on objects waits until the lock is released. */
  lockObjects(): Promise<{ release(): Promise<void> }>;
  /** How many statements of the server wait for a lock now. */
  waiting(): Promise<number>;
  /** Makes an object the bytes of others, as segments in this order. Keys must be unique in the region. */
  joinSegments(key: string, parts: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export async function openRegionDatabase(url: string): Promise<RegionDatabase> {
  const pool = new pg.Pool({ connectionString: url, max: 4, application_name: 'millpond test' });
  return {
    async lockObjects() {
      const client = await pool.connect();
      await client.query('BEGIN');
      await client.query('LOCK TABLE region.objects IN ACCESS EXCLUSIVE MODE');
      return {
        async release() {
          await client.query('COMMIT');
          client.release();
        },
      };
    },
    async waiting() {
      const { rows } = await pool.query<{ count: string }>(
        `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
           AND application_name = 'millpond region' AND wait_event_type = 'Lock'`,
      );
      return Number(rows[0]?.count);
    },
    async joinSegments(key, parts) {
      const { rowCount } = await pool.query(
        `WITH parts AS (
           SELECT p.position, o.blob_id, o.fsize
           FROM unnest($2::text[]) WITH ORDINALITY AS p (key, position) JOIN region.objects o USING (key)),
         listed AS (
           INSERT INTO region.segments (blob_id, position, segment_id, size)
           SELECT o.blob_id, p.position, p.blob_id, p.fsize FROM region.objects o, parts p WHERE o.key = $1
           RETURNING size)
         UPDATE region.objects
         SET segment_count = (SELECT count(*) FROM listed), fsize = (SELECT sum(size) FROM listed) WHERE key = $1`,
        [key, parts],
      );
      if (rowCount !== 1) throw new Error(`${key} is not the key of exactly one object`);
    },
    close: () => pool.end(),
  };
}

/**
 * What a black-box test can't do with calls on a region: hold back statements, assemble objects from segments, let days
 * pass for objects and uploads, read the records of deliveries.
 */
import pg from 'pg';

/** A delivery as recorded, with its attempts in order. */
export interface DeliveryRecord {
  readonly id: string;
  readonly kind: string;
  readonly uid: number;
  readonly accessKey: string;
  readonly state: string;
  readonly urls: readonly string[];
  readonly host: string | null;
  readonly contentType: string;
  readonly body: string;
  readonly reqid: string;
  readonly createdAt: Date;
  readonly attempts: readonly {
    readonly url: string;
    readonly status: number | null;
    readonly error: string | null;
    readonly durationMs: number;
    readonly begunAt: Date;
    readonly response: string | null;
  }[];
}

export interface RegionDatabase {
  /** Every statement of others on objects waits until the lock is released. */
  lockObjects(): Promise<{ release(): Promise<void> }>;
  /** Commits of objects in several segments wait until they are released; those that are waiting then finish in any case. */
  holdCommits(): Promise<{ release(): Promise<void> }>;
  /** How many server statements are waiting for a lock now. */
  waiting(): Promise<number>;
  /** Gives an object the bytes of others, as segments in this order. Keys must be unique in the region. */
  joinSegments(key: string, parts: readonly string[]): Promise<void>;
  /** Moves back the expiry of an object, and its class changes; the key must be unique. */
  passDays(key: string, days: number): Promise<void>;
  /** Copies of an object under all these keys, in one statement. The key must be unique in the region. */
  addCopies(key: string, copies: readonly string[]): Promise<void>;
  /** Moves back the time at which versions of a key were deleted or overwritten; returns how many there are. */
  passTrashDays(key: string, days: number): Promise<number>;
  /** As if the collector had begun to remove the bytes of all deleted versions of a key. */
  beginCollecting(key: string): Promise<void>;
  /** Makes an object as old as if it had been uploaded this many days ago; the key must be unique in the region. */
  age(key: string, days: number): Promise<void>;
  /** Makes a task as old as if it had been submitted this many seconds earlier. */
  ageTask(id: string, seconds: number): Promise<void>;
  /** As if a task had been tried this many times. */
  setAttempts(id: string, attempts: number): Promise<void>;
  /** What was sent about `bucket:key`, oldest first. */
  deliveriesOf(subject: string): Promise<DeliveryRecord[]>;
  /** How many engine objects hold an object's bytes. The key must be unique in the region. */
  segmentCount(key: string): Promise<number | undefined>;
  /** What the trash holds for an object with this hash. */
  trashOf(hash: string): Promise<{ reason: string; key: string; hash: string }[]>;
  /** Moves everything in the trash back in time. */
  ageTrash(seconds: number): Promise<void>;
  /** Expires every unfinished upload, and every kept answer of a completed one. */
  expireUploads(): Promise<void>;
  /** How many answers of completed uploads are kept now. */
  keptAnswers(): Promise<number>;
  /** As if the process making the callback of a completed upload had used up its time. */
  passCallbacks(): Promise<void>;
  /** Makes the usage figures of every bucket wrong by this much. */
  corruptUsage(bytes: number, objects: number): Promise<void>;
  /** Makes the object refer to bytes that do not exist. */
  loseBytes(key: string): Promise<void>;
  /** Makes periodic work due at once. */
  runNow(work: string): Promise<void>;
  /** As if a job had used up its retries; returns its id. */
  addFailedJob(queue: string, data: object, reason: string): Promise<string>;
  /** Whether a job is still to be done, or has failed. */
  hasJob(id: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Identifies the lock, nothing else. */
const HELD_COMMITS = 4711;

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
    async holdCommits() {
      const client = await pool.connect();
      await client.query('SELECT pg_advisory_lock($1)', [HELD_COMMITS]);
      await client.query(`
        CREATE FUNCTION region.test_hold_commit() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${HELD_COMMITS}); RETURN NULL; END $$;
        CREATE CONSTRAINT TRIGGER test_hold_commit AFTER INSERT ON region.segments
          DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION region.test_hold_commit()`);
      return {
        async release() {
          await client.query('SELECT pg_advisory_unlock($1)', [HELD_COMMITS]);
          await client.query('DROP FUNCTION region.test_hold_commit CASCADE');
          client.release();
        },
      };
    },
    async waiting() {
      const { rows } = await pool.query<{ count: string }>(
        `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
           AND application_name = 'millpond region 2' AND wait_event_type = 'Lock'`,
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
    async passDays(key, days) {
      const { rowCount } = await pool.query(
        `UPDATE region.objects SET expires_at = expires_at - $2 * interval '1 day',
           to_ia_at = to_ia_at - $2 * interval '1 day', to_archive_at = to_archive_at - $2 * interval '1 day',
           to_deep_archive_at = to_deep_archive_at - $2 * interval '1 day' WHERE key = $1`,
        [key, days],
      );
      if (rowCount !== 1) throw new Error(`${key} is not the key of exactly one object`);
    },
    async addCopies(key, copies) {
      const { rowCount } = await pool.query(
        `INSERT INTO region.objects (bucket_id, key, blob_id, fsize, hash, mime_type, detected_type, put_time)
         SELECT bucket_id, copy, blob_id, fsize, hash, mime_type, detected_type, put_time
         FROM region.objects, unnest($2::text[]) AS copy WHERE key = $1`,
        [key, copies],
      );
      if (rowCount !== copies.length) throw new Error(`${key} is not the key of exactly one object`);
    },
    async passTrashDays(key, days) {
      const { rowCount } = await pool.query(
        `UPDATE region.trash SET trashed_at = trashed_at - $2 * interval '1 day' WHERE object ->> 'key' = $1`,
        [key, days],
      );
      return rowCount ?? 0;
    },
    async beginCollecting(key) {
      await pool.query(`UPDATE region.trash SET collecting = true WHERE object ->> 'key' = $1`, [key]);
    },
    async age(key, days) {
      const { rowCount } = await pool.query(
        'UPDATE region.objects SET put_time = put_time - $2 * 864000000000 WHERE key = $1',
        [key, days],
      );
      if (rowCount !== 1) throw new Error(`${key} is not the key of exactly one object`);
    },
    async loseBytes(key) {
      const { rowCount } = await pool.query(
        `UPDATE region.objects
         SET blob_id = (left(blob_id::text, 24) || right(md5(blob_id::text), 12))::uuid WHERE key = $1`,
        [key],
      );
      if (rowCount !== 1) throw new Error(`${key} is not the key of exactly one object`);
    },
    async setAttempts(id, attempts) {
      await pool.query('UPDATE region.tasks SET attempt = $2 WHERE task_id = $1', [id, attempts]);
    },
    async ageTask(id, seconds) {
      const { rowCount } = await pool.query(
        `UPDATE region.tasks SET created_at = created_at - $2 * interval '1 second' WHERE task_id = $1`,
        [id, seconds],
      );
      if (rowCount !== 1) throw new Error(`there is no task ${id}`);
    },
    deliveriesOf: (subject) => readDeliveries(pool, subject),
    async segmentCount(key) {
      const { rows } = await pool.query<{ segment_count: number }>(
        'SELECT segment_count FROM region.objects WHERE key = $1',
        [key],
      );
      return rows[0]?.segment_count;
    },
    async trashOf(hash) {
      const { rows } = await pool.query<{ reason: string; key: string; hash: string }>(
        `SELECT reason, object ->> 'key' AS key, object ->> 'hash' AS hash FROM region.trash WHERE object ->> 'hash' = $1`,
        [hash],
      );
      return rows;
    },
    async ageTrash(seconds) {
      await pool.query(`UPDATE region.trash SET trashed_at = trashed_at - $1 * interval '1 second'`, [
        seconds,
      ]);
    },
    async expireUploads() {
      for (const table of ['uploads', 'upload_blocks', 'completed_uploads'])
        await pool.query(`UPDATE region.${table} SET expires_at = now() - interval '1 second'`);
    },
    async keptAnswers() {
      const { rows } = await pool.query<{ count: string }>('SELECT count(*) FROM region.completed_uploads');
      return Number(rows[0]?.count);
    },
    async passCallbacks() {
      await pool.query(`UPDATE region.completed_uploads SET called_until = now() - interval '1 second'
                        WHERE called_until IS NOT NULL`);
    },
    async corruptUsage(bytes, objects) {
      await pool.query(
        'UPDATE region.bucket_usage SET bytes = bytes + $1, objects = objects + $2 WHERE class = 0',
        [bytes, objects],
      );
    },
    async runNow(work) {
      await pool.query('UPDATE queue.periodic SET next_due = now() WHERE name = $1', [work]);
    },
    async addFailedJob(queue, data, reason) {
      const { rows } = await pool.query<{ id: string }>(
        `INSERT INTO queue.jobs (id, queue, account, data, state, tag, attempt, failures, reason, failed_at)
         VALUES (gen_random_uuid(), $1, '', $2, 'failed', 0, 21, 21, $3, now()) RETURNING id`,
        [queue, data, reason],
      );
      return rows[0]?.id ?? '';
    },
    async hasJob(id) {
      return (await pool.query('SELECT FROM queue.jobs WHERE id = $1', [id])).rowCount === 1;
    },
    close: () => pool.end(),
  };
}

async function readDeliveries(pool: pg.Pool, subject: string): Promise<DeliveryRecord[]> {
  const { rows } = await pool.query<Omit<DeliveryRecord, 'attempts' | 'uid'> & { uid: string }>(
    `SELECT delivery_id AS id, kind, uid, access_key AS "accessKey", state, urls, host, content_type AS "contentType",
       convert_from(body, 'UTF8') AS body, reqid, created_at AS "createdAt"
     FROM region.deliveries WHERE subject = $1 ORDER BY delivery_id`,
    [subject],
  );
  return Promise.all(
    rows.map(async (row) => {
      const attempts = await pool.query<DeliveryRecord['attempts'][number]>(
        `SELECT url, status, error, duration_ms AS "durationMs", begun_at AS "begunAt",
           convert_from(response, 'UTF8') AS response
         FROM region.delivery_attempts WHERE delivery_id = $1 ORDER BY attempt`,
        [row.id],
      );
      return { ...row, uid: Number(row.uid), attempts: attempts.rows };
    }),
  );
}

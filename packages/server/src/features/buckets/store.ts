/** SQL of buckets: their records (control) and the gate that every commit of the region reads. */
import { type Database, statement } from '../../platform/db/database.ts';

export interface BucketRow {
  readonly bucket_id: bigint;
  readonly name: string;
  readonly uid: bigint;
  readonly region: string;
  readonly is_private: boolean;
  readonly mirror: MirrorSource | null;
}

/** Where the missing files of a bucket come from. */
export interface MirrorSource {
  /** Asked in this order. */
  readonly urls: readonly string[];
  /** What they are told in Host, where it isn't their own name. */
  readonly host: string | null;
}

const MIRROR = `(SELECT jsonb_build_object('urls', m.urls, 'host', m.host)
  FROM control.mirror_sources m WHERE m.bucket_id = buckets.bucket_id) AS mirror`;
const COLUMNS = `bucket_id, name, uid, region, is_private, ${MIRROR}`;

const lockOwner = statement(
  'bucket-lock-owner',
  'SELECT uid FROM control.accounts WHERE uid = $1 FOR UPDATE',
);
const insertBucket = statement(
  'bucket-insert',
  `INSERT INTO control.buckets (name, uid, region)
   SELECT $1, $2, $3 WHERE (SELECT count(*) FROM control.buckets WHERE uid = $2) < $4
   ON CONFLICT (name) DO NOTHING
   RETURNING ${COLUMNS}`,
);
const bucketByName = statement('bucket-by-name', `SELECT ${COLUMNS} FROM control.buckets WHERE name = $1`);
const bucketByDomain = statement(
  'bucket-by-domain',
  `SELECT ${COLUMNS} FROM control.buckets WHERE bucket_id = (SELECT bucket_id FROM control.domains WHERE domain = $1)`,
);
const setPrivate = statement(
  'bucket-set-private',
  'UPDATE control.buckets SET is_private = $3 WHERE name = $1 AND uid = $2 RETURNING bucket_id',
);
const setMirror = statement(
  'bucket-set-mirror',
  `INSERT INTO control.mirror_sources (bucket_id, urls, host)
   SELECT bucket_id, $3, $4 FROM control.buckets WHERE name = $1 AND uid = $2
   ON CONFLICT (bucket_id) DO UPDATE SET urls = excluded.urls, host = excluded.host
   RETURNING bucket_id`,
);
const removeMirror = statement(
  'bucket-remove-mirror',
  `WITH owned AS (SELECT bucket_id FROM control.buckets WHERE name = $1 AND uid = $2),
   gone AS (DELETE FROM control.mirror_sources WHERE bucket_id IN (SELECT bucket_id FROM owned))
   SELECT bucket_id FROM owned`,
);
const bucketsOf = statement(
  'bucket-of-account',
  `SELECT ${COLUMNS} FROM control.buckets WHERE uid = $1 ORDER BY name LIMIT $2`,
);
const removeBucket = statement('bucket-remove', 'DELETE FROM control.buckets WHERE bucket_id = $1');
const closeGate = statement(
  'bucket-gate-close',
  `INSERT INTO region.bucket_gate (bucket_id, state) VALUES ($1, 'closing')
   ON CONFLICT (bucket_id) DO UPDATE SET state = 'closing' RETURNING pg_current_xact_id()::text AS closed_by`,
);
// Whoever began before the gate was closed may have read it open, and may still write: such a snapshot is older.
const olderWork = statement(
  'bucket-gate-older-work',
  `SELECT count(*)::int AS running FROM pg_stat_activity
   WHERE datname = current_database() AND pid <> pg_backend_pid()
     AND backend_xmin IS NOT NULL AND age(backend_xmin) >= age($1::xid8::xid)`,
);
const reopenGate = statement(
  'bucket-gate-reopen',
  `UPDATE region.bucket_gate SET state = 'open' WHERE bucket_id = $1`,
);
const removeGate = statement('bucket-gate-remove', 'DELETE FROM region.bucket_gate WHERE bucket_id = $1');
const openGate = statement(
  'bucket-gate-open',
  `INSERT INTO region.bucket_gate (bucket_id, state) VALUES ($1, 'open') ON CONFLICT DO NOTHING`,
);

export class BucketStore {
  readonly #control: Database;
  readonly #region: Database;

  constructor(control: Database, region: Database) {
    this.#control = control;
    this.#region = region;
  }

  /** Undefined when the name is taken or the account has as many buckets as it may. */
  async insert(name: string, uid: bigint, region: string, most: number): Promise<BucketRow | undefined> {
    return this.#control.transaction(async (transaction) => {
      // A statement of its own: the count must see what whoever held the lock before has added.
      await transaction.query(lockOwner, [uid]);
      const [row] = await transaction.query<BucketRow>(insertBucket, [name, uid, region, most]);
      return row;
    });
  }

  async byName(name: string): Promise<BucketRow | undefined> {
    const [row] = await this.#control.query<BucketRow>(bucketByName, [name]);
    return row;
  }

  async byDomain(domain: string): Promise<BucketRow | undefined> {
    const [row] = await this.#control.query<BucketRow>(bucketByDomain, [domain]);
    return row;
  }

  /** False when the account has no such bucket. */
  async setPrivate(name: string, uid: bigint, isPrivate: boolean): Promise<boolean> {
    return (await this.#control.query(setPrivate, [name, uid, isPrivate])).length === 1;
  }

  /** False when the account has no such bucket. Without a source, none is left. */
  async setMirror(name: string, uid: bigint, mirror: MirrorSource | undefined): Promise<boolean> {
    const rows =
      mirror === undefined
        ? await this.#control.query(removeMirror, [name, uid])
        : await this.#control.query(setMirror, [name, uid, mirror.urls, mirror.host]);
    return rows.length === 1;
  }

  async openGate(bucketId: bigint): Promise<void> {
    await this.#region.query(openGate, [bucketId]);
  }

  ofAccount(uid: bigint, most: number): Promise<BucketRow[]> {
    return this.#control.query<BucketRow>(bucketsOf, [uid, most]);
  }

  /** Names the transaction that closed it. */
  async closeGate(bucketId: bigint): Promise<string> {
    const [row] = await this.#region.query<{ closed_by: string }>(closeGate, [bucketId]);
    if (row === undefined) throw new Error('the gate was not closed');
    return row.closed_by;
  }

  /** Whether something that began before that transaction still runs. */
  async hasOlderWork(closedBy: string): Promise<boolean> {
    const [row] = await this.#region.query<{ running: number }>(olderWork, [closedBy]);
    return (row?.running ?? 0) > 0;
  }

  async reopenGate(bucketId: bigint): Promise<void> {
    await this.#region.query(reopenGate, [bucketId]);
  }

  /** Control row first: a crash in between leaves a gate without a bucket, which nobody can reach. */
  async remove(bucketId: bigint): Promise<void> {
    await this.#control.query(removeBucket, [bucketId]);
    await this.#region.query(removeGate, [bucketId]);
  }
}

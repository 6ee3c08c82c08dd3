/** SQL of buckets: their records (control) and the gate that every commit of the region reads. */
import { Fault } from '@millpond/protocol';
import { type Database, OUR_NAME, type Queryable, statement } from '../../platform/db/database.ts';
import type { LifecycleColumns } from './buckets.lifecycle.ts';
import type { CorsRule } from './cors-rules.ts';
import type { Tag, TagCondition } from './tags.ts';

export interface BucketRow {
  readonly bucket_id: bigint;
  readonly name: string;
  readonly uid: bigint;
  readonly region: string;
  readonly is_private: boolean;
  readonly created_at: Date;
  readonly cors_rules: CorsRule[] | null;
  readonly mirror: MirrorSource | null;
  /** Its region has not opened its gate yet. */
  readonly awaits_gate: boolean;
}

/** A bucket as calls on its objects look it up. */
export type LookedUpRow = BucketRow & LifecycleColumns;

export interface NewBucketRow {
  readonly name: string;
  readonly uid: bigint;
  readonly region: string;
  /** Another region than this one, which must have told of itself. */
  readonly isElsewhere: boolean;
  readonly isPrivate: boolean;
  readonly tags: readonly Tag[] | undefined;
  readonly awaitsGate: boolean;
}

export interface BucketSearch {
  /** Names after this one. */
  readonly after: string;
  readonly most: number;
  readonly region?: string | undefined;
  readonly tags?: readonly TagCondition[] | undefined;
}

/** Where files missing from a bucket come from. */
export interface MirrorSource {
  /** Tried in this order. */
  readonly urls: readonly string[];
  /** The Host header they are sent, if it isn't their own name. */
  readonly host: string | null;
}

/** One closing of a bucket's gate, which another process may take over. */
export interface GateClosure {
  readonly bucketId: bigint;
  readonly by: string;
}

export const RULE_COLUMNS =
  'name, prefix, to_line_after_days, to_archive_after_days, to_deep_archive_after_days, delete_after_days';

/** In a query of `control.buckets`. */
export const NATIVE_RULES = `(SELECT jsonb_agg(to_jsonb(r)) FROM (SELECT ${RULE_COLUMNS}
  FROM control.lifecycle_rules l WHERE l.bucket_id = buckets.bucket_id) r) AS native_rules`;

/** Whether a public access block forbids that the bucket becomes public. */
const KEEPS_PRIVATE = `coalesce((public_access_block->>'BlockPublicPolicy')::boolean
  OR (public_access_block->>'RestrictPublicBuckets')::boolean, false)`;
const MIRROR = `(SELECT jsonb_build_object('urls', m.urls, 'host', m.host)
  FROM control.mirror_sources m WHERE m.bucket_id = buckets.bucket_id) AS mirror`;
const COLUMNS = `bucket_id, name, uid, region, is_private, created_at, cors_rules, awaits_gate, ${MIRROR}`;
const LOOKED_UP = `${COLUMNS}, s3_lifecycle, ${NATIVE_RULES}`;

const lockOwner = statement(
  'bucket-lock-owner',
  'SELECT uid FROM control.accounts WHERE uid = $1 FOR UPDATE',
);
// Keeps the region from being forgotten meanwhile.
const lockRegion = statement(
  'bucket-lock-region',
  'SELECT region FROM control.regions WHERE region = $1 FOR KEY SHARE',
);
const insertBucket = statement(
  'bucket-insert',
  `INSERT INTO control.buckets (name, uid, region, is_private, tags, awaits_gate)
   SELECT $1, $2, $3, $5, $6, $7 WHERE (SELECT count(*) FROM control.buckets WHERE uid = $2) < $4
   ON CONFLICT (name) DO NOTHING
   RETURNING ${COLUMNS}`,
);
const bucketByName = statement('bucket-by-name', `SELECT ${LOOKED_UP} FROM control.buckets WHERE name = $1`);
const bucketByDomain = statement(
  'bucket-by-domain',
  `SELECT ${LOOKED_UP} FROM control.buckets WHERE bucket_id = (SELECT bucket_id FROM control.domains WHERE domain = $1)`,
);
// A public access block keeps the bucket private, whoever wants it public.
const setPrivate = statement(
  'bucket-set-private',
  `UPDATE control.buckets SET is_private = $3 OR (is_private AND ${KEEPS_PRIVATE}),
     public_policy = CASE WHEN $3 THEN NULL ELSE public_policy END
   WHERE name = $1 AND uid = $2 RETURNING is_private`,
);
// Takes a lock; otherwise a concurrent drop would make it fail on its foreign key.
const setMirror = statement(
  'bucket-set-mirror',
  `INSERT INTO control.mirror_sources (bucket_id, urls, host)
   SELECT bucket_id, $3, $4 FROM control.buckets WHERE name = $1 AND uid = $2 FOR KEY SHARE
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
  `SELECT ${COLUMNS} FROM control.buckets
   WHERE uid = $1 AND name > $2 AND ($4::text IS NULL OR region = $4) AND ($5::jsonb IS NULL OR tags @> $5)
   ORDER BY name LIMIT $3`,
);
const removeBucket = statement('bucket-remove', 'DELETE FROM control.buckets WHERE bucket_id = $1');
const closeGate = statement(
  'bucket-gate-close',
  `INSERT INTO region.bucket_gate (bucket_id, state, closing_since, closing_by) VALUES ($1, 'closing', now(), $2)
   ON CONFLICT (bucket_id) DO UPDATE SET state = 'closing', closing_since = now(), closing_by = $2`,
);
const keepGateClosed = statement(
  'bucket-gate-keep-closed',
  'UPDATE region.bucket_gate SET closing_since = now() WHERE bucket_id = $1 AND closing_by = $2 RETURNING bucket_id',
);
// A transaction is identified by its process and its start time. Snapshot ages would not work: they include what runs in
// other databases of the server. Work that is not ours, such as an hours-long backup, adds nothing to a bucket.
const runningWork = statement(
  'bucket-gate-running-work',
  `SELECT pid || ' ' || xact_start::text AS work FROM pg_stat_activity
   WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
     AND xact_start IS NOT NULL AND starts_with(application_name, '${OUR_NAME}')`,
);
const reopenGate = statement(
  'bucket-gate-reopen',
  `UPDATE region.bucket_gate SET state = 'open', closing_since = NULL, closing_by = NULL
   WHERE bucket_id = $1 AND closing_by = $2`,
);
const idsOf = statement(
  'bucket-ids-of',
  'SELECT uid, bucket_id FROM control.buckets WHERE uid = ANY($1::bigint[])',
);
const longClosing = statement(
  'bucket-gate-long-closing',
  `SELECT bucket_id FROM region.bucket_gate
   WHERE state = 'closing' AND closing_since < now() - make_interval(secs => $1)`,
);
const bucketById = statement('bucket-by-id', `SELECT ${COLUMNS} FROM control.buckets WHERE bucket_id = $1`);
const removeGate = statement('bucket-gate-remove', 'DELETE FROM region.bucket_gate WHERE bucket_id = $1');
// Until the end of the transaction a drop of the bucket waits: it removes the gate after the record.
const holdAwaiting = statement(
  'bucket-hold-awaiting',
  'SELECT bucket_id FROM control.buckets WHERE bucket_id = $1 AND awaits_gate FOR NO KEY UPDATE',
);
const noteOpened = statement(
  'bucket-note-opened',
  'UPDATE control.buckets SET awaits_gate = false WHERE bucket_id = $1',
);
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

  /** Undefined if the name is taken or the account has reached its limit of buckets. */
  async insert(
    { name, uid, region, isElsewhere, isPrivate, tags, awaitsGate }: NewBucketRow,
    most: number,
    within?: Queryable,
  ): Promise<BucketRow | undefined> {
    const values = [
      name,
      uid,
      region,
      most,
      isPrivate,
      tags === undefined ? null : JSON.stringify(tags),
      awaitsGate,
    ];
    const insertOn = async (transaction: Queryable): Promise<BucketRow | undefined> => {
      const told = await transaction.query(lockRegion, [region]);
      if (isElsewhere && told.length === 0)
        throw new Fault('incorrectRegion', { hint: `there is no region ${region} any more` });
      // A separate statement: the count must see what the previous holder of the lock added.
      await transaction.query(lockOwner, [uid]);
      const [row] = await transaction.query<BucketRow>(insertBucket, values);
      return row;
    };
    return within === undefined ? this.#control.transaction(insertOn) : insertOn(within);
  }

  async byName(name: string): Promise<LookedUpRow | undefined> {
    const [row] = await this.#control.query<LookedUpRow>(bucketByName, [name]);
    return row;
  }

  async byDomain(domain: string): Promise<LookedUpRow | undefined> {
    const [row] = await this.#control.query<LookedUpRow>(bucketByDomain, [domain]);
    return row;
  }

  /** Whether it is private now; undefined if the account has no such bucket. */
  async setPrivate(name: string, uid: bigint, isPrivate: boolean): Promise<boolean | undefined> {
    const values = [name, uid, isPrivate];
    const [row] = await this.#control.query<{ is_private: boolean }>(setPrivate, values);
    return row?.is_private;
  }

  /** False if the account has no such bucket. Without a source, mirroring ends. */
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

  /** Opens the gate if the bucket still waits for it. Two processes may do so at once. */
  async openPendingGate(bucketId: bigint): Promise<void> {
    await this.#control.transaction(async (transaction) => {
      if ((await transaction.query(holdAwaiting, [bucketId])).length === 0) return;
      await this.openGate(bucketId);
      await transaction.query(noteOpened, [bucketId]);
    });
  }

  ofAccount(uid: bigint, { after, most, region, tags }: BucketSearch): Promise<BucketRow[]> {
    const values = [uid, after, most, region ?? null, tags === undefined ? null : JSON.stringify(tags)];
    return this.#control.query<BucketRow>(bucketsOf, values);
  }

  async idsOf(uids: readonly bigint[]): Promise<{ readonly uid: bigint; readonly bucket_id: bigint }[]> {
    return this.#control.query(idsOf, [uids]);
  }

  /** Gates closed so long ago that the process that closed them must be gone. */
  async longClosing(seconds: number): Promise<bigint[]> {
    const rows = await this.#region.query<{ bucket_id: bigint }>(longClosing, [seconds]);
    return rows.map((row) => row.bucket_id);
  }

  async byId(bucketId: bigint): Promise<BucketRow | undefined> {
    const [row] = await this.#control.query<BucketRow>(bucketById, [bucketId]);
    return row;
  }

  /** Takes over from whichever process closed it before. */
  async closeGate({ bucketId, by }: GateClosure): Promise<void> {
    await this.#region.query(closeGate, [bucketId, by]);
  }

  /** False if another process closed it since, or it is open. */
  async keepGateClosed({ bucketId, by }: GateClosure): Promise<boolean> {
    return (await this.#region.query(keepGateClosed, [bucketId, by])).length === 1;
  }

  /** Identifies the transactions that are running now. */
  async runningWork(): Promise<string[]> {
    const rows = await this.#region.query<{ work: string }>(runningWork, []);
    return rows.map((row) => row.work);
  }

  /** Does nothing if another process has closed it since. */
  async reopenGate({ bucketId, by }: GateClosure): Promise<void> {
    await this.#region.query(reopenGate, [bucketId, by]);
  }

  /** Control row first: a crash in between leaves a gate without a bucket, which nobody can reach. */
  async remove(bucketId: bigint): Promise<void> {
    await this.#control.query(removeBucket, [bucketId]);
    await this.#region.query(removeGate, [bucketId]);
  }
}

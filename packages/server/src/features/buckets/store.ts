/** SQL of buckets: their records (control) and the gate that every commit of the region reads. */
import { type Database, statement } from '../../platform/db/database.ts';

export interface BucketRow {
  readonly bucket_id: bigint;
  readonly name: string;
  readonly uid: bigint;
  readonly region: string;
  readonly is_private: boolean;
}

const COLUMNS = 'bucket_id, name, uid, region, is_private';

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

  async openGate(bucketId: bigint): Promise<void> {
    await this.#region.query(openGate, [bucketId]);
  }
}

/** SQL of what S3 sets on a bucket beyond our own calls: lifecycle rules in its words, its policy, its public access block. */
import { Fault } from '@millpond/protocol';
import type { PublicAccessBlock, S3Lifecycle } from '@millpond/protocol/s3';
import { type Database, statement } from '../../platform/db/database.ts';

export interface PublicColumns {
  readonly is_private: boolean;
  readonly public_policy: string | null;
  readonly public_access_block: PublicAccessBlock | null;
}

const lockBucket = statement(
  's3-settings-lock',
  'SELECT bucket_id FROM control.buckets WHERE bucket_id = $1 FOR UPDATE',
);
const setLifecycle = statement(
  's3-lifecycle-set',
  `WITH gone AS (DELETE FROM control.lifecycle_rules WHERE bucket_id = $1)
   UPDATE control.buckets SET s3_lifecycle = $2 WHERE bucket_id = $1`,
);
const lifecycle = statement(
  's3-lifecycle-get',
  'SELECT s3_lifecycle FROM control.buckets WHERE bucket_id = $1',
);
const removeRule = statement(
  's3-lifecycle-remove-rule',
  `UPDATE control.buckets SET s3_lifecycle = CASE WHEN jsonb_array_length(s3_lifecycle->'rules') > 1
     THEN jsonb_set(s3_lifecycle, '{rules}', (
       SELECT jsonb_agg(rule ORDER BY place) FROM jsonb_array_elements(s3_lifecycle->'rules')
       WITH ORDINALITY AS listed (rule, place) WHERE rule->>'id' <> $2)) END
   WHERE bucket_id = $1 AND s3_lifecycle @> jsonb_build_object('rules', jsonb_build_array(jsonb_build_object('id', $2::text)))
   RETURNING bucket_id`,
);
const publicColumns = statement(
  's3-public-get',
  'SELECT is_private, public_policy, public_access_block FROM control.buckets WHERE bucket_id = $1',
);
const setPolicy = statement(
  's3-policy-set',
  `UPDATE control.buckets SET public_policy = $2,
     is_private = coalesce((public_access_block->>'RestrictPublicBuckets')::boolean, false)
   WHERE bucket_id = $1 AND NOT coalesce((public_access_block->>'BlockPublicPolicy')::boolean, false)
   RETURNING bucket_id`,
);
const removePolicy = statement(
  's3-policy-remove',
  'UPDATE control.buckets SET public_policy = NULL, is_private = true WHERE bucket_id = $1',
);
// A bucket that is restricted keeps its policy, and is public again when the restriction ends.
const setAccessBlock = statement(
  's3-access-block-set',
  `UPDATE control.buckets SET public_access_block = $2,
     is_private = $3 OR (is_private AND public_policy IS NULL),
     public_policy = CASE WHEN $3 AND NOT is_private THEN coalesce(public_policy, $4) ELSE public_policy END
   WHERE bucket_id = $1`,
);

export class S3SettingsStore {
  readonly #control: Database;

  constructor(control: Database) {
    this.#control = control;
  }

  /** Replaces all rules, those of our own calls too. */
  async setLifecycle(bucketId: bigint, given: S3Lifecycle | undefined): Promise<void> {
    await this.#control.transaction(async (transaction) => {
      // A separate statement: the next one must see what was added until now.
      await transaction.query(lockBucket, [bucketId]);
      await transaction.query(setLifecycle, [bucketId, given === undefined ? null : JSON.stringify(given)]);
    });
  }

  async lifecycle(bucketId: bigint): Promise<S3Lifecycle | undefined> {
    const [row] = await this.#control.query<{ s3_lifecycle: S3Lifecycle | null }>(lifecycle, [bucketId]);
    if (row === undefined) throw new Fault('noSuchBucket');
    return row.s3_lifecycle ?? undefined;
  }

  /** False if S3 set no rule of this ID. */
  async removeRule(bucketId: bigint, id: string): Promise<boolean> {
    return (await this.#control.query(removeRule, [bucketId, id])).length === 1;
  }

  async publicColumns(bucketId: bigint): Promise<PublicColumns> {
    const [row] = await this.#control.query<PublicColumns>(publicColumns, [bucketId]);
    if (row === undefined) throw new Fault('noSuchBucket');
    return row;
  }

  /** Makes the bucket public. False if its public access block forbids that. */
  async setPolicy(bucketId: bigint, policy: string): Promise<boolean> {
    return (await this.#control.query(setPolicy, [bucketId, policy])).length === 1;
  }

  async removePolicy(bucketId: bigint): Promise<void> {
    await this.#control.query(removePolicy, [bucketId]);
  }

  /** `policy`: what to keep of a bucket that our own call made public. */
  async setAccessBlock(
    bucketId: bigint,
    block: PublicAccessBlock | undefined,
    policy: string,
  ): Promise<void> {
    const isRestricted = block?.RestrictPublicBuckets ?? false;
    const text = block === undefined ? null : JSON.stringify(block);
    await this.#control.query(setAccessBlock, [bucketId, text, isRestricted, policy]);
  }
}

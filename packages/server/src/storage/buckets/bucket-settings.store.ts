/** SQL of the settings an owner makes on a bucket: CORS rules, tags, domains, lifecycle rules. All of it is control data. */
import { emptyOnDuplicate, faultIfParentMissing } from '../../platform/db/constraints.ts';
import { type Database, type Statement, statement } from '../../platform/db/database.ts';
import { queryWithOwnerLock } from '../../platform/db/owner-lock.ts';
import { type BucketLifecycle, type LifecycleColumns, lifecycleOf } from './buckets.lifecycle.ts';
import { NATIVE_RULES, RULE_COLUMNS } from './buckets.store.ts';
import type { CorsRule } from './cors-rules.ts';
import { type LifecycleRule, type ListedLifecycleRule, MAX_LIFECYCLE_RULES } from './lifecycle-rules.ts';
import type { Tag } from './tags.ts';

export interface DomainRow {
  readonly domain: string;
  readonly bound_at: Date;
}

/** The rules of one bucket. */
export interface BucketWithLifecycle {
  readonly bucketId: bigint;
  readonly lifecycle: BucketLifecycle;
}

/** The list shows all of them at once. */
const MAX_DOMAINS = 100;

const setCors = statement(
  'bucket-set-cors',
  'UPDATE control.buckets SET cors_rules = $2 WHERE bucket_id = $1',
);
const setTags = statement('bucket-set-tags', 'UPDATE control.buckets SET tags = $2 WHERE bucket_id = $1');
const readSettings = statement(
  'bucket-settings',
  'SELECT cors_rules, tags FROM control.buckets WHERE bucket_id = $1',
);

const domainsOf = statement(
  'domain-list',
  'SELECT domain, bound_at FROM control.domains WHERE bucket_id = $1 ORDER BY domain',
);
// Without proof of ownership, an account can take a name only from itself.
const bindDomain = statement(
  'domain-bind',
  `INSERT INTO control.domains AS d (domain, bucket_id)
   SELECT $1, $2 WHERE (SELECT count(*) FROM control.domains WHERE bucket_id = $2 AND domain <> $1) < ${MAX_DOMAINS}
   ON CONFLICT (domain) DO UPDATE SET bucket_id = excluded.bucket_id,
     bound_at = CASE WHEN d.bucket_id = excluded.bucket_id THEN d.bound_at ELSE now() END
   WHERE $3 OR (SELECT uid FROM control.buckets WHERE bucket_id = d.bucket_id) = $4
   RETURNING domain`,
);
const domainOwner = statement(
  'domain-owner',
  'SELECT uid FROM control.buckets WHERE bucket_id = (SELECT bucket_id FROM control.domains WHERE domain = $1)',
);
const unbindDomain = statement(
  'domain-unbind',
  `DELETE FROM control.domains WHERE domain = $1
     AND bucket_id IN (SELECT bucket_id FROM control.buckets WHERE $2::bigint IS NULL OR uid = $2) RETURNING domain`,
);

const rulesOf = statement(
  'lifecycle-list',
  `SELECT ${RULE_COLUMNS}, created_at AS ctime FROM control.lifecycle_rules WHERE bucket_id = $1 ORDER BY name`,
);
// The lock orders this against S3 setting rules of its own.
const addRule = statement(
  'lifecycle-add',
  `INSERT INTO control.lifecycle_rules (bucket_id, ${RULE_COLUMNS})
   SELECT $1, $2, $3, $4, $5, $6, $7 FROM control.buckets b
   WHERE b.bucket_id = $1 AND b.s3_lifecycle IS NULL
     AND (SELECT count(*) FROM control.lifecycle_rules WHERE bucket_id = $1) < ${MAX_LIFECYCLE_RULES}
   FOR SHARE OF b
   ON CONFLICT DO NOTHING RETURNING name`,
);
const updateRule = statement(
  'lifecycle-update',
  `UPDATE control.lifecycle_rules SET prefix = $3, to_line_after_days = $4, to_archive_after_days = $5,
     to_deep_archive_after_days = $6, delete_after_days = $7
   WHERE bucket_id = $1 AND name = $2 RETURNING name`,
);
const removeRule = statement(
  'lifecycle-remove',
  'DELETE FROM control.lifecycle_rules WHERE bucket_id = $1 AND name = $2 RETURNING name',
);
const ruledBuckets = statement(
  'lifecycle-buckets',
  `SELECT bucket_id, s3_lifecycle, ${NATIVE_RULES} FROM control.buckets
   WHERE region = $1 AND bucket_id > $2 AND bucket_id IN (
     SELECT bucket_id FROM control.lifecycle_rules
     UNION SELECT bucket_id FROM control.buckets WHERE s3_lifecycle IS NOT NULL)
   ORDER BY bucket_id LIMIT $3`,
);

export class BucketSettingsStore {
  readonly #control: Database;

  constructor(control: Database) {
    this.#control = control;
  }

  async setCors(bucketId: bigint, rules: readonly CorsRule[] | undefined): Promise<void> {
    await this.#control.query(setCors, [bucketId, rules === undefined ? null : JSON.stringify(rules)]);
  }

  async setTags(bucketId: bigint, tags: readonly Tag[] | undefined): Promise<void> {
    await this.#control.query(setTags, [bucketId, tags === undefined ? null : JSON.stringify(tags)]);
  }

  /** The settings; null for those that were not set. */
  async read(bucketId: bigint): Promise<{ cors_rules: CorsRule[] | null; tags: Tag[] | null }> {
    const [row] = await this.#control.query<{ cors_rules: CorsRule[] | null; tags: Tag[] | null }>(
      readSettings,
      [bucketId],
    );
    return row ?? { cors_rules: null, tags: null };
  }

  domainsOf(bucketId: bigint): Promise<DomainRow[]> {
    return this.#control.query<DomainRow>(domainsOf, [bucketId]);
  }

  /** False if the domain belongs to another account, or the bucket has reached its limit. */
  async bindDomain(
    domain: string,
    bucket: { readonly id: bigint; readonly uid: bigint },
    mayTakeOver: boolean,
  ): Promise<boolean> {
    const values = [domain, bucket.id, mayTakeOver, bucket.uid];
    return this.#addedTo(bucket.id, bindDomain, values);
  }

  async domainOwner(domain: string): Promise<bigint | undefined> {
    const [row] = await this.#control.query<{ uid: bigint }>(domainOwner, [domain]);
    return row?.uid;
  }

  /** False if the account (or, without one, any account) has no such domain. */
  async unbindDomain(domain: string, uid: bigint | undefined): Promise<boolean> {
    return (await this.#control.query(unbindDomain, [domain, uid ?? null])).length === 1;
  }

  lifecycleRules(bucketId: bigint): Promise<ListedLifecycleRule[]> {
    return this.#control.query<ListedLifecycleRule>(rulesOf, [bucketId]);
  }

  /** False if the name or the prefix is taken, or the bucket has reached its limit of rules. */
  async addRule(bucketId: bigint, rule: LifecycleRule): Promise<boolean> {
    return this.#addedTo(bucketId, addRule, ruleValues(bucketId, rule));
  }

  /** The bucket may have been dropped since it was looked up. */
  async #addedTo(bucketId: bigint, adding: Statement, values: readonly unknown[]): Promise<boolean> {
    const added = this.#control.transaction((transaction) =>
      queryWithOwnerLock(transaction, bucketId, adding, values),
    );
    return (await faultIfParentMissing(added, 'noSuchBucket')).length === 1;
  }

  /** False if there is no such rule, or another rule has the prefix. */
  async updateRule(bucketId: bigint, rule: LifecycleRule): Promise<boolean> {
    const changing = this.#control.query(updateRule, ruleValues(bucketId, rule));
    return (await emptyOnDuplicate(changing)).length === 1;
  }

  async removeRule(bucketId: bigint, name: string): Promise<boolean> {
    return (await this.#control.query(removeRule, [bucketId, name])).length === 1;
  }

  /** Buckets of a region that have rules, by id, a page at a time. */
  async ruledBuckets(region: string, after: bigint, most: number): Promise<BucketWithLifecycle[]> {
    const rows = await this.#control.query<LifecycleColumns & { bucket_id: bigint }>(ruledBuckets, [
      region,
      after,
      most,
    ]);
    return rows.flatMap((row) => {
      const lifecycle = lifecycleOf(row);
      return lifecycle === undefined ? [] : [{ bucketId: row.bucket_id, lifecycle }];
    });
  }
}

function ruleValues(bucketId: bigint, rule: LifecycleRule): unknown[] {
  return [
    bucketId,
    rule.name,
    rule.prefix,
    rule.to_line_after_days,
    rule.to_archive_after_days,
    rule.to_deep_archive_after_days,
    rule.delete_after_days,
  ];
}

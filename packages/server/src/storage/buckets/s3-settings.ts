/** What S3 reads and sets on a bucket. Reads come from the database, not the cache: tools compare them with what they wrote. */
import {
  type NamedCorsRule,
  type PublicAccessBlock,
  publicReadPolicy,
  type S3Lifecycle,
  type S3LifecycleRule,
} from '@millpond/protocol/s3';
import type { S3SettingsStore } from './bucket-s3-settings.store.ts';
import type { BucketSettingsStore } from './bucket-settings.store.ts';
import type { Bucket, Buckets } from './buckets.service.ts';
import { toS3Rule } from './lifecycle-conversion.ts';
import type { Tag } from './tags.ts';

/** Rules that our own calls set have no minimum size. */
export interface S3LifecycleView {
  readonly minimumSize?: S3Lifecycle['minimumSize'];
  readonly rules: readonly S3LifecycleRule[];
}

export class S3Settings {
  readonly #buckets: Buckets;
  readonly #settings: BucketSettingsStore;
  readonly #store: S3SettingsStore;

  constructor(buckets: Buckets, settings: BucketSettingsStore, store: S3SettingsStore) {
    this.#buckets = buckets;
    this.#settings = settings;
    this.#store = store;
  }

  async cors({ id }: Bucket): Promise<readonly NamedCorsRule[] | undefined> {
    return (await this.#settings.read(id)).cors_rules ?? undefined;
  }

  async setCors(bucket: Bucket, rules: readonly NamedCorsRule[] | undefined): Promise<void> {
    await this.#settings.setCors(bucket.id, rules);
    this.#buckets.forget(bucket.name);
  }

  /** Undefined also for a set without tags. */
  async tags({ id }: Bucket): Promise<readonly Tag[] | undefined> {
    const { tags } = await this.#settings.read(id);
    return tags === null || tags.length === 0 ? undefined : tags;
  }

  setTags({ id }: Bucket, tags: readonly Tag[] | undefined): Promise<void> {
    return this.#settings.setTags(id, tags);
  }

  async lifecycle({ id }: Bucket): Promise<S3LifecycleView | undefined> {
    const set = await this.#store.lifecycle(id);
    if (set !== undefined) return set;
    const rules = await this.#settings.lifecycleRules(id);
    return rules.length === 0 ? undefined : { rules: rules.map(toS3Rule) };
  }

  /** Replaces all rules of the bucket, whoever set them. */
  async setLifecycle(bucket: Bucket, lifecycle: S3Lifecycle | undefined): Promise<void> {
    await this.#store.setLifecycle(bucket.id, lifecycle);
    this.#buckets.forget(bucket.name);
  }

  /** The policy that makes the bucket public, in the words of whoever set it. */
  async policy({ id, name }: Bucket): Promise<string | undefined> {
    const { is_private, public_policy } = await this.#store.publicColumns(id);
    return public_policy ?? (is_private ? undefined : publicReadPolicy(name));
  }

  /** False if the public access block forbids it. */
  async setPolicy(bucket: Bucket, policy: string): Promise<boolean> {
    const isSet = await this.#store.setPolicy(bucket.id, policy);
    this.#buckets.forget(bucket.name);
    return isSet;
  }

  /** Without its policy, nobody but the owner may read. */
  async removePolicy(bucket: Bucket): Promise<void> {
    await this.#store.removePolicy(bucket.id);
    this.#buckets.forget(bucket.name);
  }

  async isPublic({ id }: Bucket): Promise<boolean> {
    return !(await this.#store.publicColumns(id)).is_private;
  }

  async accessBlock({ id }: Bucket): Promise<PublicAccessBlock | undefined> {
    return (await this.#store.publicColumns(id)).public_access_block ?? undefined;
  }

  async setAccessBlock(bucket: Bucket, block: PublicAccessBlock | undefined): Promise<void> {
    await this.#store.setAccessBlock(bucket.id, block, publicReadPolicy(bucket.name));
    this.#buckets.forget(bucket.name);
  }
}

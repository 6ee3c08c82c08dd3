/**
 * The lifecycle rules that an owner keeps on a bucket by our own calls. Rules that S3 set apply by another rule, so they are
 * only shown and removed here. The job that applies rules is a separate feature, on top of objects.
 */
import { Fault } from '@millpond/protocol';
import type { S3SettingsStore } from './bucket-s3-settings.store.ts';
import type { BucketSettingsStore } from './bucket-settings.store.ts';
import type { Bucket, Buckets } from './buckets.service.ts';
import { toNativeRule } from './lifecycle-conversion.ts';
import {
  type ListedLifecycleRule,
  MAX_LIFECYCLE_RULES,
  readLifecycleRule,
  readRuleName,
} from './lifecycle-rules.ts';

export class LifecycleSettings {
  readonly #buckets: Pick<Buckets, 'forget'>;
  readonly #store: BucketSettingsStore;
  readonly #s3: S3SettingsStore;

  constructor(buckets: Pick<Buckets, 'forget'>, store: BucketSettingsStore, s3: S3SettingsStore) {
    this.#buckets = buckets;
    this.#store = store;
    this.#s3 = s3;
  }

  /** Includes the rules set by S3 that the native form can express. */
  async list(bucket: Bucket): Promise<ListedLifecycleRule[]> {
    const s3 = await this.#s3.lifecycle(bucket.id);
    if (s3 === undefined) return this.#store.lifecycleRules(bucket.id);
    return s3.rules.map(toNativeRule).filter((rule) => rule !== undefined);
  }

  async add(bucket: Bucket, form: URLSearchParams): Promise<void> {
    const isAdded = await this.#store.addRule(bucket.id, readLifecycleRule(form));
    this.#buckets.forget(bucket.name);
    if (isAdded) return;
    await this.#refuseBesideS3(bucket);
    const { length } = await this.#store.lifecycleRules(bucket.id);
    throw length >= MAX_LIFECYCLE_RULES
      ? new Fault('invalidArgument', {
          hint: `a bucket may have at most ${MAX_LIFECYCLE_RULES} lifecycle rules`,
        })
      : new Fault('ruleExists', { hint: 'a rule with this name or prefix exists' });
  }

  /** Fields missing from the form stay as they were. */
  async update(bucket: Bucket, form: URLSearchParams): Promise<void> {
    const name = readRuleName(form);
    const before = (await this.#store.lifecycleRules(bucket.id)).find((rule) => rule.name === name);
    if (before === undefined) {
      await this.#refuseBesideS3(bucket);
      throw new Fault('noSuchRule');
    }
    if (!(await this.#store.updateRule(bucket.id, readLifecycleRule(form, before))))
      throw new Fault('ruleExists', { hint: 'another rule has this prefix' });
    this.#buckets.forget(bucket.name);
  }

  async remove(bucket: Bucket, form: URLSearchParams): Promise<void> {
    const name = readRuleName(form);
    const isRemoved =
      (await this.#store.removeRule(bucket.id, name)) || (await this.#s3.removeRule(bucket.id, name));
    if (!isRemoved) throw new Fault('noSuchRule');
    this.#buckets.forget(bucket.name);
  }

  async #refuseBesideS3(bucket: Bucket): Promise<void> {
    if ((await this.#s3.lifecycle(bucket.id)) !== undefined)
      throw new Fault('notAllowed', {
        hint: 'S3 set the lifecycle rules of this bucket: change them there, or remove them all first',
      });
  }
}

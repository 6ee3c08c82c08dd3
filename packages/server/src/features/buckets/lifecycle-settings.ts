/** The lifecycle rules that an owner keeps on a bucket. The job that applies them is a separate feature, on top of objects. */
import { Fault } from '@millpond/protocol';
import {
  type ListedLifecycleRule,
  MOST_LIFECYCLE_RULES,
  readLifecycleRule,
  readRuleName,
} from './lifecycle-rules.ts';
import type { Bucket } from './service.ts';
import type { BucketSettingsStore } from './settings-store.ts';

export class LifecycleSettings {
  readonly #store: BucketSettingsStore;

  constructor(store: BucketSettingsStore) {
    this.#store = store;
  }

  list(bucket: Bucket): Promise<ListedLifecycleRule[]> {
    return this.#store.lifecycleRules(bucket.id);
  }

  async add(bucket: Bucket, form: URLSearchParams): Promise<void> {
    if (await this.#store.addRule(bucket.id, readLifecycleRule(form))) return;
    const { length } = await this.#store.lifecycleRules(bucket.id);
    throw length >= MOST_LIFECYCLE_RULES
      ? new Fault('invalidArgument', {
          hint: `a bucket may have at most ${MOST_LIFECYCLE_RULES} lifecycle rules`,
        })
      : new Fault('ruleExists', { hint: 'a rule with this name or prefix exists' });
  }

  /** Fields missing from the form stay as they were. */
  async update(bucket: Bucket, form: URLSearchParams): Promise<void> {
    const name = readRuleName(form);
    const before = (await this.#store.lifecycleRules(bucket.id)).find((rule) => rule.name === name);
    if (before === undefined) throw new Fault('noSuchRule');
    if (!(await this.#store.updateRule(bucket.id, readLifecycleRule(form, before))))
      throw new Fault('ruleExists', { hint: 'another rule has this prefix' });
  }

  async remove(bucket: Bucket, form: URLSearchParams): Promise<void> {
    if (!(await this.#store.removeRule(bucket.id, readRuleName(form)))) throw new Fault('noSuchRule');
  }
}

/** Events of objects: the rules that an owner sets on a bucket. The database applies them to every change (`region.note_change`). */
import { Fault } from '@millpond/protocol';
import type { Bucket } from '../buckets/index.ts';
import type { Deliveries } from '../deliveries/index.ts';
import { endpointOf } from './endpoint.ts';
import type { EventRuleStore } from './rule-store.ts';
import { checkEventRules, type EventRule } from './rules.ts';

export interface ObjectEventDeps {
  readonly store: EventRuleStore;
  readonly deliveries: Pick<Deliveries, 'check' | 'configure'>;
}

export class ObjectEvents {
  readonly #deps: ObjectEventDeps;

  constructor(deps: ObjectEventDeps) {
    this.#deps = deps;
  }

  /** By name. */
  rules(bucket: Bucket): Promise<EventRule[]> {
    return this.#deps.store.list(bucket.id);
  }

  /**
   * Replaces all rules of the bucket: changes that begin after this are judged by the new ones. A rule whose URL changed takes
   * what waits for it along.
   */
  async setRules(bucket: Bucket, given: readonly unknown[]): Promise<void> {
    const { store, deliveries } = this.#deps;
    const rules = checkEventRules(given, deliveries).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    await store.transaction(async (transaction) => {
      if (!(await store.replace(bucket, rules, transaction))) throw new Fault('noSuchBucket');
      for (const { name, url } of rules)
        await deliveries.configure(transaction, bucket.uid, endpointOf(bucket.name, name), url);
    });
  }
}

/** Events of objects: the rules that an owner sets on a bucket. The database applies them to every change (`region.note_change`). */
import { Fault } from '@millpond/protocol';
import type { Deliveries } from '../../events/deliveries/index.ts';
import type { Transaction } from '../../platform/db/database.ts';
import type { Bucket } from '../buckets/index.ts';
import { endpointOf } from './endpoint.ts';
import type { EventRuleStore } from './object-event-rule.store.ts';
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
    const rules = checkEventRules(given, this.#deps.deliveries);
    await this.#deps.store.transaction((transaction) => this.#replace(bucket, rules, transaction));
  }

  /** As `setRules`, for rules that depend on those there are: nobody changes these meanwhile. */
  async changeRules(
    bucket: Bucket,
    change: (rules: readonly EventRule[]) => readonly unknown[],
  ): Promise<void> {
    const { store, deliveries } = this.#deps;
    await store.transaction(async (transaction) => {
      const given = change(await store.listLocked(bucket.id, transaction));
      await this.#replace(bucket, checkEventRules(given, deliveries), transaction);
    });
  }

  async #replace(bucket: Bucket, rules: readonly EventRule[], transaction: Transaction): Promise<void> {
    const { store, deliveries } = this.#deps;
    if (!(await store.replace(bucket, rules, transaction))) throw new Fault('noSuchBucket');
    // In one order, or two calls would wait for each other.
    for (const { name, url } of rules.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
      await deliveries.configure(transaction, bucket.uid, endpointOf(bucket.name, name), url);
  }
}

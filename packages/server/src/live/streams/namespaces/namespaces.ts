/** Namespaces: an account's spaces for streams or devices, each with the URL that receives its events. */
import type { OutboundClient } from '@millpond/outbound';
import { Fault } from '@millpond/protocol';
import type { Deliveries } from '../../../events/deliveries/index.ts';
import type { Tenants } from '../../../identity/accounts/index.ts';
import { invalidField, type ListQuery, type Page } from '../../../platform/web/resources/index.ts';
import { endpointOf } from '../events.ts';
import { isNamespaceId, newLiveId } from '../ids.ts';
import type { NamespaceRow } from '../streams.rows.ts';
import { callbackUrl, checkCallback } from './callback-url.ts';
import type { NamespaceStore } from './namespace.store.ts';
import { changedNamespace, type NamespaceValues } from './namespace-fields.ts';
import type { Templates } from './templates.ts';

const MAX_NAMESPACES = 1000;

const SETTLED_BATCH = 100;

export interface NamespaceDeps {
  readonly store: NamespaceStore;
  readonly templates: Templates;
  readonly deliveries: Deliveries;
  readonly outbound: Pick<OutboundClient, 'check'>;
  readonly tenants: Pick<Tenants, 'find'>;
}

export class Namespaces {
  readonly #deps: NamespaceDeps;

  constructor(deps: NamespaceDeps) {
    this.#deps = deps;
  }

  /** Writes whose the namespaces are of which it is not known; returns how many accounts these were. */
  async settleTenants(): Promise<number> {
    const { store, tenants } = this.#deps;
    let settled = 0;
    for (const uid of await store.withoutTenant(SETTLED_BATCH)) {
      const tenant = await tenants.find(uid);
      if (tenant === undefined) break;
      await store.setTenant(uid, tenant);
      settled++;
    }
    return settled;
  }

  async create(uid: bigint, values: NamespaceValues): Promise<NamespaceRow> {
    if (values.name === '') throw invalidField('name is required');
    await this.#check(uid, values);
    const owner = { uid, tenant: await this.#deps.tenants.find(uid) };
    const row = await this.#deps.store.insert(newLiveId(), owner, values, MAX_NAMESPACES);
    if (row === undefined)
      throw new Fault('nameTaken', {
        hint: `the name is in use, or there are already ${MAX_NAMESPACES} namespaces`,
      });
    return row;
  }

  /** Another account's looks like one that doesn't exist. Without an account (operators), finds any namespace. */
  async owned(uid: bigint | undefined, id: string): Promise<NamespaceRow> {
    const row = isNamespaceId(id) ? await this.#deps.store.find(id) : undefined;
    if (row === undefined || (uid !== undefined && row.uid !== uid)) throw new Fault('noSuchNamespace');
    return row;
  }

  page(uid: bigint, query: ListQuery, prefix: string): Promise<Page<NamespaceRow>> {
    return this.#deps.store.page(uid, query, prefix);
  }

  async change(uid: bigint, id: string, change: Partial<NamespaceValues>): Promise<NamespaceRow> {
    await this.#check(uid, change);
    const { store, deliveries } = this.#deps;
    return store.transaction(async (transaction) => {
      const before = await store.lock(transaction, uid, id);
      if (before === undefined) throw new Fault('noSuchNamespace');
      const row = await store.update(transaction, id, changedNamespace(before, change));
      if (row === undefined) throw new Fault('nameTaken');
      if (row.snapshot_template_id !== before.snapshot_template_id)
        await store.requestSnapshots(transaction, id);
      if (row.callback !== '' && row.callback !== before.callback)
        await deliveries.configure(transaction, uid, endpointOf(id), callbackUrl(row.callback));
      return row;
    });
  }

  async setDisabled(uid: bigint, id: string, isDisabled: boolean): Promise<NamespaceRow> {
    const row = await this.#deps.store.setDisabled(uid, id, isDisabled);
    if (row === undefined) throw new Fault('noSuchNamespace');
    return row;
  }

  async remove(uid: bigint, id: string): Promise<void> {
    if (await this.#deps.store.delete(uid, id)) return;
    await this.owned(uid, id);
    throw new Fault('notAllowed', { hint: 'the namespace is not empty: delete what is in it first' });
  }

  async #check(uid: bigint, values: Partial<NamespaceValues>): Promise<void> {
    checkCallback(this.#deps.outbound, values.callback ?? '');
    await this.#deps.templates.checkOwned(uid, values.recordTemplateId, 0);
    await this.#deps.templates.checkOwned(uid, values.snapshotTemplateId, 1);
  }
}

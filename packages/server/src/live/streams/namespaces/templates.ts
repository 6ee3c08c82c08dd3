/** Templates: the bucket, the names and the retention of recordings and snapshots. */
import { Fault } from '@millpond/protocol';
import { invalidField, type ListQuery, type Page } from '../../../platform/web/resources/index.ts';
import type { Buckets } from '../../../storage/buckets/index.ts';
import { newLiveId } from '../ids.ts';
import type { TemplateRow } from '../streams.rows.ts';
import type { TemplateStore } from './template.store.ts';
import { checkTemplate, type TemplateValues, templateValues } from './template-fields.ts';

const MAX_TEMPLATES = 1000;

export interface TemplateDeps {
  readonly store: TemplateStore;
  readonly buckets: Buckets;
}

export class Templates {
  readonly #deps: TemplateDeps;

  constructor(deps: TemplateDeps) {
    this.#deps = deps;
  }

  async create(uid: bigint, values: TemplateValues): Promise<TemplateRow> {
    checkTemplate(values);
    await this.#deps.buckets.owned(uid, values.bucket);
    const row = await this.#deps.store.insert(newLiveId(), uid, values, MAX_TEMPLATES);
    if (row === undefined)
      throw new Fault('nameTaken', {
        hint: `the name is in use, or there are already ${MAX_TEMPLATES} templates`,
      });
    return row;
  }

  /** Another account's looks like one that doesn't exist. */
  async owned(uid: bigint, id: string): Promise<TemplateRow> {
    const row = await this.#deps.store.find(id);
    if (row === undefined || row.uid !== uid) throw new Fault('noSuchTemplate');
    return row;
  }

  /** Refuses an id unless it is a template of this account and this kind (0 recordings, 1 snapshots). */
  async checkOwned(uid: bigint, id: string | undefined, kind: 0 | 1): Promise<void> {
    if (id === undefined || id === '') return;
    const row = await this.#deps.store.find(id);
    if (row === undefined || row.uid !== uid || row.kind !== kind)
      throw invalidField(`there is no template ${id} for ${kind === 0 ? 'recordings' : 'snapshots'}`);
  }

  page(uid: bigint, query: ListQuery): Promise<Page<TemplateRow>> {
    return this.#deps.store.page(uid, query);
  }

  async change(uid: bigint, id: string, change: Partial<TemplateValues>): Promise<TemplateRow> {
    if (change.bucket !== undefined) await this.#deps.buckets.owned(uid, change.bucket);
    const { store } = this.#deps;
    return store.transaction(async (transaction) => {
      const before = await store.lock(transaction, uid, id);
      if (before === undefined) throw new Fault('noSuchTemplate');
      const values = { ...templateValues(before), ...change };
      checkTemplate(values);
      if (values.templateType !== before.kind) throw invalidField('templateType cannot be changed');
      const row = await store.update(transaction, id, values);
      if (row === undefined) throw new Fault('nameTaken');
      return row;
    });
  }

  async remove(uid: bigint, id: string): Promise<void> {
    if (await this.#deps.store.delete(uid, id)) return;
    await this.owned(uid, id);
    throw new Fault('notAllowed', { hint: 'a namespace or a stream uses this template' });
  }
}

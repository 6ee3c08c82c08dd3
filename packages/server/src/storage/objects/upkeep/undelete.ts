/**
 * Undelete: brings back deleted or overwritten objects, with bytes and metadata, as long as the trash keeps them. It is
 * refused once removal of the bytes has begun. The object comes back as a new version of its key.
 */
import { checkKey, DAY_MS, Fault } from '@millpond/protocol';
import type { Bucket, Buckets } from '../../buckets/index.ts';
import { endOfPrefix } from '../lists/key-ranges.ts';
import type { DeletedRow, UndeleteStore } from './undelete.store.ts';

export interface UndeleteDeps {
  readonly store: UndeleteStore;
  readonly buckets: Buckets;
  readonly graceMs: number;
}

/** Which of a bucket's deleted objects; all of them by default. */
export interface DeletedQuery {
  readonly key?: string | undefined;
  readonly prefix?: string | undefined;
  /** Deleted or overwritten at or after `since` and before `before`. */
  readonly since?: Date | undefined;
  readonly before?: Date | undefined;
}

const PAGE = 500;

export class Undelete {
  readonly #deps: UndeleteDeps;

  constructor(deps: UndeleteDeps) {
    this.#deps = deps;
  }

  async list(bucketName: string, query: DeletedQuery, limit: number): Promise<DeletedRow[]> {
    const bucket = await this.#bucket(bucketName);
    return this.#deps.store.list({ ...this.#range(bucket, query), limit });
  }

  /** One object: the version its key had at a given time, or its last one. `to` is the key it gets. */
  async bringBack(
    bucketName: string,
    key: string,
    { at, to = key, force = false }: { at?: Date | undefined; to?: string | undefined; force?: boolean },
  ): Promise<DeletedRow> {
    checkKey(to);
    const bucket = await this.#bucket(bucketName);
    const version = await this.#deps.store.version(bucket.id, key, at);
    if (version === undefined) throw this.nothing(at === undefined ? '' : ' of that time');
    const refusal = await this.restore(version, to, { force, withinQuota: false });
    if (refusal !== undefined) throw refusal;
    return version;
  }

  /**
   * The latest version of every key that has no object now; existing objects stay as they are. A key that can't be brought
   * back any more, or has an object again, does not stop the others.
   */
  async bringBackAll(
    bucketName: string,
    query: DeletedQuery,
    report: (row: DeletedRow, refusal: Fault | undefined) => void,
  ): Promise<{ back: number; refused: number }> {
    const bucket = await this.#bucket(bucketName);
    let range = this.#range(bucket, query);
    for (let back = 0, refused = 0; ; ) {
      const rows = await this.#deps.store.list({ ...range, limit: PAGE }, { onlyGone: true });
      for (const row of rows) {
        const refusal = await this.restore(row, row.key, { force: false, withinQuota: false });
        report(row, refusal);
        if (refusal === undefined) back++;
        else refused++;
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) return { back, refused };
      range = { ...range, from: `${last.key}\u0001` };
    }
  }

  /** Returns the reason if the object could not be restored. */
  async restore(
    version: Pick<DeletedRow, 'trash_id' | 'trashed_at'>,
    to: string,
    how: { readonly force: boolean; readonly withinQuota: boolean },
  ): Promise<Fault | undefined> {
    const { store, graceMs } = this.#deps;
    const row = await store.undelete(version.trash_id, to, { ...how, graceMs });
    if (row === undefined || !row.there) return this.nothing('');
    if (row.collecting || !row.in_grace) {
      const why = row.collecting ? 'its bytes are being removed' : `${this.#kept} are over`;
      return new Fault('noSuchEntry', { hint: `deleted at ${version.trashed_at.toISOString()}: ${why}` });
    }
    if (!row.open) return new Fault('noSuchBucket');
    if (row.written) return undefined;
    if (!row.has_room) return new Fault('quotaExceeded');
    return new Fault('fileExists', { hint: `${to} exists; choose another key, or delete it first` });
  }

  #range(bucket: Bucket, { key, prefix = '', since, before }: DeletedQuery) {
    return {
      bucketId: bucket.id,
      from: key ?? prefix,
      // No key contains NUL, so the next key after k is at least k followed by character 1.
      until: key === undefined ? endOfPrefix(prefix) : `${key}\u0001`,
      since: since ?? null,
      before: before ?? null,
      graceMs: this.#deps.graceMs,
    };
  }

  async #bucket(name: string): Promise<Bucket> {
    const bucket = await this.#deps.buckets.byName(name);
    if (bucket === undefined) throw new Fault('noSuchBucket', { hint: name });
    await this.#deps.buckets.assertInThisRegion(bucket);
    return bucket;
  }

  get #kept(): string {
    return `the ${(this.#deps.graceMs / DAY_MS).toFixed(1).replace(/\.0$/, '')} days that it is kept`;
  }

  nothing(which: string): Fault {
    return new Fault('noSuchEntry', {
      hint: `the trash has no version${which} of this key; what was deleted is gone after ${this.#kept}`,
    });
  }
}

/** Calls on objects, one at a time or a thousand in a batch. */
import { type Condition, dialects } from '@millpond/protocol';
import { type MillpondError, responseToError } from '../core/error.ts';
import type { Caller, CallOptions } from './caller.ts';
import {
  type ListOptions,
  listObjects,
  type ObjectListChunk,
  type ObjectPage,
  pageOf,
  partOf,
} from './lists.ts';
import { type MetadataChange, type ObjectLifecycle, type ObjectRef, operations } from './operations.ts';
import {
  type ListEntry,
  type ObjectEntry,
  type ObjectRecord,
  type StorageClassNumber,
  withMetadata,
} from './records.ts';

/** In a batch: the outcome of one operation. */
export type BatchOutcome =
  | { readonly ok: true; readonly code: number; readonly data: unknown }
  | { readonly ok: false; readonly code: number; readonly error: MillpondError };

export const MAX_BATCH_SIZE = 1000;

export class Objects {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async stat(bucket: string, key: string, options: CallOptions = {}): Promise<ObjectRecord> {
    const record = await this.#caller.json<Record<string, unknown>>({
      role: 'rs',
      method: 'GET',
      target: operations.stat(bucket, key),
      ...options,
    });
    return withMetadata<ObjectRecord>(record, this.#dialect);
  }

  delete(bucket: string, key: string, options: CallOptions = {}): Promise<void> {
    return this.#do(operations.delete(bucket, key), options, false);
  }

  /** `force` overwrites an existing object; without it that is an error (614). */
  copy(from: ObjectRef, to: ObjectRef, options: CallOptions & { force?: boolean } = {}): Promise<void> {
    return this.#do(operations.copy(from, to, options.force), options, options.force ?? false);
  }

  move(from: ObjectRef, to: ObjectRef, options: CallOptions & { force?: boolean } = {}): Promise<void> {
    return this.#do(operations.move(from, to, options.force), options, false);
  }

  changeMetadata(
    bucket: string,
    key: string,
    change: MetadataChange,
    options: CallOptions = {},
  ): Promise<void> {
    return this.#do(
      this.changeMetadataOperation(bucket, key, change),
      options,
      change.condition === undefined,
    );
  }

  /** For a batch: contains the dialect's own word for metadata. */
  changeMetadataOperation(bucket: string, key: string, change: MetadataChange): string {
    return operations.changeMetadata(this.#dialect.metaPrefix, bucket, key, change);
  }

  changeType(
    bucket: string,
    key: string,
    type: StorageClassNumber,
    options: CallOptions = {},
  ): Promise<void> {
    return this.#do(operations.changeType(bucket, key, type), options, true);
  }

  changeStatus(
    bucket: string,
    key: string,
    isDisabled: boolean,
    options: CallOptions & { condition?: Condition } = {},
  ): Promise<void> {
    return this.#do(operations.changeStatus(bucket, key, isDisabled, options.condition), options, true);
  }

  deleteAfterDays(bucket: string, key: string, days: number, options: CallOptions = {}): Promise<void> {
    return this.#do(operations.deleteAfterDays(bucket, key, days), options, true);
  }

  lifecycle(bucket: string, key: string, rules: ObjectLifecycle, options: CallOptions = {}): Promise<void> {
    return this.#do(operations.lifecycle(bucket, key, rules), options, true);
  }

  /** For 1 to 7 days. Answers at once; `stat` tells when the object can be read. */
  restore(bucket: string, key: string, days: number, options: CallOptions = {}): Promise<void> {
    return this.#do(operations.restore(bucket, key, days), options, true);
  }

  /** At most 1,000 of `operations`; each has its own outcome, in the same order. */
  async batch(list: readonly string[], options: CallOptions = {}): Promise<BatchOutcome[]> {
    const answers = await this.#caller.json<{ code: number; data?: Record<string, unknown> }[]>({
      role: 'rs',
      target: '/batch',
      form: list.map((operation) => ['op', operation]),
      repeatable: list.every((operation) => /^\/(?:stat|chtype|restoreAr|deleteAfterDays)\//.test(operation)),
      ...options,
    });
    return answers.map(({ code, data }) => {
      if (code >= 200 && code < 300) {
        const record = data !== undefined && 'fsize' in data ? withMetadata(data, this.#dialect) : data;
        return { ok: true, code, data: record };
      }
      return { ok: false, code, error: responseToError(code, JSON.stringify(data ?? {}), {}) };
    });
  }

  /** Every object under a prefix, in byte order, as it arrives; a broken stream continues where it was. */
  list(bucket: string, options?: ListOptions & { delimiter?: undefined }): AsyncGenerator<ObjectEntry, void>;
  list(bucket: string, options?: ListOptions): AsyncGenerator<ListEntry, void>;
  async *list(bucket: string, options: ListOptions = {}): AsyncGenerator<ListEntry, void> {
    for await (const entries of this.listChunks(bucket, options)) yield* entries;
  }

  /** The same, in chunks as they arrive: for those who count every microsecond. */
  listChunks(bucket: string, options: ListOptions = {}): AsyncGenerator<readonly ListEntry[], void> {
    return listObjects(this.#caller, bucket, options);
  }

  /** At most `limit` entries in the order of the list, common prefixes among them, and the marker after them. */
  part(bucket: string, options: ListOptions & { readonly limit: number }): Promise<ObjectListChunk> {
    return partOf(this.#caller, bucket, options);
  }

  /** At most 1,000 objects, and the marker of the next page. */
  page(bucket: string, options: ListOptions = {}): Promise<ObjectPage> {
    return pageOf(this.#caller, bucket, options);
  }

  get #dialect() {
    return dialects[this.#caller.options.dialect];
  }

  #do(target: string, { signal }: CallOptions, repeatable: boolean): Promise<void> {
    return this.#caller.sendEmpty({ role: 'rs', target, repeatable, signal });
  }
}

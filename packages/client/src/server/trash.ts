/** What was deleted or replaced in a bucket, for as long as the server keeps it. */
import { type Caller, type CallOptions, queryText } from './caller.ts';
import { itemsOf } from './pages.ts';
import { pathOf } from './paths.ts';
import type { TrashedObject, Undeleted } from './records.ts';

export interface TrashOptions extends CallOptions {
  readonly prefix?: string | undefined;
}

export class Trash {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** By key, the latest version first, page by page. */
  list(bucket: string, { prefix, signal }: TrashOptions = {}): AsyncGenerator<TrashedObject, void> {
    return itemsOf<TrashedObject>((marker) => {
      const target = `${pathOf`/v1/trash/${bucket}`}${queryText({ prefix, marker, limit: 1000 })}`;
      return this.#caller.json({ role: 'api', method: 'GET', target, signal });
    });
  }

  /**
   * At most 1,000, each with its own outcome, in the same order: an object that exists is not replaced. `as`: the key that it
   * gets, for a single one.
   */
  async undelete(
    bucket: string,
    ids: readonly string[],
    { as, signal }: CallOptions & { readonly as?: string | undefined } = {},
  ): Promise<readonly Undeleted[]> {
    const target = pathOf`/v1/trash/${bucket}/undelete`;
    const { items } = await this.#caller.json<{ items: readonly Undeleted[] }>({
      role: 'api',
      target,
      signal,
      json: as === undefined ? { ids } : { ids, as },
    });
    return items;
  }
}

/** Work on many objects, done by the server in the background. */
import { pause } from '../core/retry.ts';
import { type Caller, type CallOptions, queryText } from './caller.ts';
import { itemsOf } from './pages.ts';
import { pathOf } from './paths.ts';
import type { BulkRecord, NewBulk } from './records.ts';

export interface BulkFilter extends CallOptions {
  readonly state?: BulkRecord['state'] | undefined;
}

export interface BulkWaitOptions extends CallOptions {
  /** Called whenever it was looked at. */
  readonly onProgress?: ((bulk: BulkRecord) => void) | undefined;
}

const FIRST_CHECK_MS = 250;
const CHECK_INTERVAL_MS = 2000;

export class Bulk {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Answers at once; `get` and `wait` tell how far it has come. */
  submit(bulk: NewBulk, { signal }: CallOptions = {}): Promise<BulkRecord> {
    return this.#caller.json({ role: 'api', target: '/v1/bulk', json: bulk, signal });
  }

  /** Newest first, page by page. */
  list({ state, signal }: BulkFilter = {}): AsyncGenerator<BulkRecord, void> {
    return itemsOf<BulkRecord>((marker) => {
      const target = `/v1/bulk${queryText({ state, marker, limit: 100 })}`;
      return this.#caller.json({ role: 'api', method: 'GET', target, signal });
    });
  }

  get(id: string, { signal }: CallOptions = {}): Promise<BulkRecord> {
    return this.#caller.json({ role: 'api', method: 'GET', target: pathOf`/v1/bulk/${id}`, signal });
  }

  /** What is done stays done. */
  stop(id: string, { signal }: CallOptions = {}): Promise<BulkRecord> {
    const target = pathOf`/v1/bulk/${id}/stop`;
    return this.#caller.json({ role: 'api', target, repeatable: true, signal });
  }

  /** Waits for a final `state` (done, failed or stopped). */
  async wait(id: string, { signal, onProgress }: BulkWaitOptions = {}): Promise<BulkRecord> {
    for (let wait = FIRST_CHECK_MS; ; wait = Math.min(2 * wait, CHECK_INTERVAL_MS)) {
      const bulk = await this.get(id, { signal });
      onProgress?.(bulk);
      if (bulk.ended !== undefined) return bulk;
      await pause(wait, signal);
    }
  }
}

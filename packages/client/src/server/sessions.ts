/** Sessions of the console: who is signed in, and ending that. HTTPS only; needs a root key. */
import type { Caller, CallOptions } from './caller.ts';
import { pathOf } from './paths.ts';
import type { SessionRecord } from './records.ts';

export class Sessions {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Newest first. */
  async list(options: CallOptions = {}): Promise<SessionRecord[]> {
    const { items } = await this.#caller.json<{ items: SessionRecord[] }>({
      role: 'api',
      method: 'GET',
      target: '/v1/sessions',
      ...options,
    });
    return items;
  }

  /** Within 5 s everywhere. */
  end(id: string, options: CallOptions = {}): Promise<void> {
    return this.#caller.sendEmpty({
      role: 'api',
      method: 'DELETE',
      target: pathOf`/v1/sessions/${id}`,
      ...options,
    });
  }

  /** All but the one that makes the call; with an access key, all. */
  endOthers(options: CallOptions = {}): Promise<void> {
    return this.#caller.sendEmpty({
      role: 'api',
      method: 'DELETE',
      target: '/v1/sessions',
      repeatable: true,
      ...options,
    });
  }
}

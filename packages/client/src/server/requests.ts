/** What became of single requests. HTTPS only. */
import type { Caller, CallOptions } from './caller.ts';
import { pathOf } from './paths.ts';
import type { RequestTrace } from './records.ts';

export class Requests {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** By the id that its answer had in `X-Reqid`. */
  get(reqid: string, options: CallOptions = {}): Promise<RequestTrace> {
    return this.#caller.json({
      role: 'api',
      method: 'GET',
      target: pathOf`/v1/requests/${reqid}`,
      ...options,
    });
  }
}

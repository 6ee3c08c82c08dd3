/** Events and callbacks that were sent, and sending them again. HTTPS only. */
import { type Caller, type CallOptions, queryText } from './caller.ts';
import type { DeliveryDetail, DeliveryRecord, EndpointRecord } from './records.ts';

export interface DeliveryFilter extends CallOptions {
  readonly state?: DeliveryRecord['state'] | undefined;
  readonly endpoint?: string | undefined;
  /** ISO 8601, or unix seconds. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export class Deliveries {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Newest first, page by page. */
  list(filter: DeliveryFilter = {}): AsyncGenerator<DeliveryRecord, void> {
    return this.#pages('/v1/deliveries', filter);
  }

  get(id: string, options: CallOptions = {}): Promise<DeliveryDetail> {
    return this.#caller.json({ role: 'api', method: 'GET', target: `/v1/deliveries/${id}`, ...options });
  }

  resend(id: string, options: CallOptions = {}): Promise<void> {
    return this.#caller.done({
      role: 'api',
      target: `/v1/deliveries/${id}/resend`,
      repeatable: true,
      ...options,
    });
  }

  /** Everything that failed since a time, again; the number of them. */
  recover(filter: DeliveryFilter & { since: string }): Promise<number> {
    return this.#again('/v1/deliveries/recover', filter);
  }

  /** Everything of a time again, whatever became of it. */
  replay(filter: DeliveryFilter & { since: string }): Promise<number> {
    return this.#again('/v1/deliveries/replay', filter);
  }

  endpoints(options: CallOptions = {}): AsyncGenerator<EndpointRecord, void> {
    return this.#pages('/v1/deliveries/endpoints', options);
  }

  /** Sends to a suspended endpoint again. */
  resume(endpoint: string, options: CallOptions = {}): Promise<EndpointRecord> {
    const target = `/v1/deliveries/endpoints/${endpoint}/resume`;
    return this.#caller.json({ role: 'api', target, repeatable: true, ...options });
  }

  async *#pages<T>(path: string, filter: DeliveryFilter): AsyncGenerator<T, void> {
    const { signal, ...fields } = filter;
    for (let marker: string | undefined; ; ) {
      const target = `${path}${queryText({ ...fields, marker, limit: 1000 })}`;
      const page = await this.#caller.json<{ items: T[]; marker?: string }>({
        role: 'api',
        method: 'GET',
        target,
        signal,
      });
      yield* page.items;
      if (page.marker === undefined) return;
      marker = page.marker;
    }
  }

  async #again(target: string, filter: DeliveryFilter): Promise<number> {
    const { signal, ...fields } = filter;
    let count = 0;
    for (let marker: string | undefined; ; ) {
      const form = { ...fields, marker };
      const step = await this.#caller.json<{ count: number; marker?: string }>({
        role: 'api',
        target,
        form,
        signal,
      });
      count += step.count;
      if (step.marker === undefined) return count;
      marker = step.marker;
    }
  }
}

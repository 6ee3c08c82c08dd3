/** Events and callbacks that were sent, and resending them. HTTPS only. */
import { type Caller, type CallOptions, queryText } from './caller.ts';
import { itemsOf, pagesOf } from './pages.ts';
import { pathOf } from './paths.ts';
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
    return this.#items('/v1/deliveries', filter);
  }

  /** One page of the same, from the marker of the page before. */
  page({
    signal,
    ...fields
  }: DeliveryFilter & { marker?: string | undefined; limit?: number | undefined }): Promise<{
    items: DeliveryRecord[];
    marker?: string;
  }> {
    return this.#caller.json({
      role: 'api',
      method: 'GET',
      target: `/v1/deliveries${queryText(fields)}`,
      signal,
    });
  }

  get(id: string, options: CallOptions = {}): Promise<DeliveryDetail> {
    return this.#caller.json({
      role: 'api',
      method: 'GET',
      target: pathOf`/v1/deliveries/${id}`,
      ...options,
    });
  }

  resend(id: string, options: CallOptions = {}): Promise<void> {
    return this.#caller.sendEmpty({
      role: 'api',
      target: pathOf`/v1/deliveries/${id}/resend`,
      repeatable: true,
      ...options,
    });
  }

  /** Resends everything that failed since a time; returns how many. */
  recover(filter: DeliveryFilter & { since: string }): Promise<number> {
    return this.#again('/v1/deliveries/recover', filter);
  }

  /** Resends everything since a time, whatever its outcome; returns how many. */
  replay(filter: DeliveryFilter & { since: string }): Promise<number> {
    return this.#again('/v1/deliveries/replay', filter);
  }

  endpoints(options: CallOptions = {}): AsyncGenerator<EndpointRecord, void> {
    return this.#items('/v1/deliveries/endpoints', options);
  }

  /** Resumes sending to a suspended endpoint. */
  resume(endpoint: string, options: CallOptions = {}): Promise<EndpointRecord> {
    const target = pathOf`/v1/deliveries/endpoints/${endpoint}/resume`;
    return this.#caller.json({ role: 'api', target, repeatable: true, ...options });
  }

  /** Sends a test event to an endpoint; returns the id of its delivery, which shows the answer. */
  async test(endpoint: string, options: CallOptions = {}): Promise<string> {
    const target = pathOf`/v1/deliveries/endpoints/${endpoint}/test`;
    const { id } = await this.#caller.json<{ id: string }>({ role: 'api', target, ...options });
    return id;
  }

  #items<T>(path: string, { signal, ...fields }: DeliveryFilter): AsyncGenerator<T, void> {
    return itemsOf<T>((marker) => {
      const target = `${path}${queryText({ ...fields, marker, limit: 1000 })}`;
      return this.#caller.json({ role: 'api', method: 'GET', target, signal });
    });
  }

  async #again(target: string, { signal, ...fields }: DeliveryFilter): Promise<number> {
    const ask = (marker: string | undefined) =>
      this.#caller.json<{ count: number; marker?: string }>({
        role: 'api',
        target,
        form: { ...fields, marker },
        signal,
      });
    let sum = 0;
    for await (const { count } of pagesOf(ask)) sum += count;
    return sum;
  }
}

/** Calls of operators, which a session of the console makes: no access key may. */
import { type Caller, type CallOptions, queryText } from './caller.ts';
import type { FigureSeries, Health } from './records.ts';

export interface FiguresQuery extends CallOptions {
  /** Unix seconds; default: the last hour. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Seconds, a multiple of 60. */
  readonly step?: number | undefined;
  /** Such as `requests.downloads`; default: all. */
  readonly names?: readonly string[] | undefined;
}

export class Operator {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** How gateways, workers and engines are. */
  health(options: CallOptions = {}): Promise<Health> {
    return this.#caller.json({ role: 'api', method: 'GET', target: '/v1/operator/health', ...options });
  }

  /** Requests, errors, latency, traffic, queues and what is stored, over time. */
  figures({ signal, names, ...fields }: FiguresQuery = {}): Promise<FigureSeries> {
    const query = queryText({ ...fields, names: names?.join(',') });
    return this.#caller.json({ role: 'api', method: 'GET', target: `/v1/operator/figures${query}`, signal });
  }
}

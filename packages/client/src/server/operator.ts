/** Calls of operators, which a session of the console makes: no access key may. */
import { type Caller, type CallOptions, queryText } from './caller.ts';
import { itemsOf } from './pages.ts';
import { pathOf } from './paths.ts';
import type { AccountRecord, FigureSeries, Health, OperatorAccount } from './records.ts';

export interface FiguresQuery extends CallOptions {
  /** Unix seconds; default: the last hour. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Seconds, a multiple of 60. */
  readonly step?: number | undefined;
  /** Such as `requests.downloads`; default: all. */
  readonly names?: readonly string[] | undefined;
}

export interface AccountFilter extends CallOptions {
  /** Only accounts whose e-mail begins with it. */
  readonly begins?: string | undefined;
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

  /** By e-mail, page by page, with what they store. */
  accounts({ signal, ...filter }: AccountFilter = {}): AsyncGenerator<OperatorAccount, void> {
    return itemsOf<OperatorAccount>((marker) => this.accountPage({ ...filter, marker, limit: 100, signal }));
  }

  /** One page of the same, from the marker of the page before. */
  accountPage({
    signal,
    ...fields
  }: AccountFilter & { marker?: string | undefined; limit?: number | undefined } = {}): Promise<{
    items: OperatorAccount[];
    marker?: string;
  }> {
    const target = `/v1/operator/accounts${queryText(fields)}`;
    return this.#caller.json({ role: 'api', method: 'GET', target, signal });
  }

  /** All its credentials are refused within 5 s, and its sessions end. */
  disableAccount(uid: number, reason?: string, options: CallOptions = {}): Promise<AccountRecord> {
    return this.#change(pathOf`/v1/operator/accounts/${String(uid)}/disable`, reason, options);
  }

  enableAccount(uid: number, options: CallOptions = {}): Promise<AccountRecord> {
    return this.#change(pathOf`/v1/operator/accounts/${String(uid)}/enable`, undefined, options);
  }

  #change(target: string, reason: string | undefined, options: CallOptions): Promise<AccountRecord> {
    const form = reason === undefined ? {} : { reason };
    return this.#caller.json({ role: 'api', target, form, repeatable: true, ...options });
  }
}

/** Every call, by subject: what an account can do with a key, with a token, or in the session of a console. */

import { AccessTokens } from './access-tokens.ts';
import { Accounts } from './accounts.ts';
import { Buckets } from './buckets.ts';
import { Bulk } from './bulk.ts';
import { type Caller, type CallOptions, queryText } from './caller.ts';
import { Deliveries } from './deliveries.ts';
import { Fetches } from './fetches.ts';
import { Live } from './live/live.ts';
import { Objects } from './objects.ts';
import { Operator } from './operator.ts';
import { itemsOf } from './pages.ts';
import { Processing } from './processing.ts';
import type { FailureRecord, OverviewRecord } from './records.ts';
import { Requests } from './requests.ts';
import { Sessions } from './sessions.ts';
import { Signing } from './signing.ts';
import { Trash } from './trash.ts';

export interface FailuresQuery extends CallOptions {
  /** Records per page, at most 200. */
  readonly limit?: number | undefined;
}

const FAILURES_OF_PAGE = 100;

export class Calls {
  readonly objects: Objects;
  readonly trash: Trash;
  readonly bulk: Bulk;
  readonly buckets: Buckets;
  readonly fetches: Fetches;
  readonly processing: Processing;
  readonly deliveries: Deliveries;
  readonly requests: Requests;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly accessTokens: AccessTokens;
  readonly live: Live;
  readonly operator: Operator;
  readonly signing: Signing;
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.objects = new Objects(caller);
    this.trash = new Trash(caller);
    this.bulk = new Bulk(caller);
    this.buckets = new Buckets(caller);
    this.fetches = new Fetches(caller);
    this.processing = new Processing(caller);
    this.deliveries = new Deliveries(caller);
    this.requests = new Requests(caller);
    this.accounts = new Accounts(caller);
    this.sessions = new Sessions(caller);
    this.accessTokens = new AccessTokens(caller);
    this.live = new Live(caller);
    this.operator = new Operator(caller);
    this.signing = new Signing(caller);
    this.#caller = caller;
  }

  /** What is stored and under way. */
  overview(options: CallOptions = {}): Promise<OverviewRecord> {
    return this.#caller.json({ role: 'api', method: 'GET', target: '/v1/overview', ...options });
  }

  /** What failed in the last 30 days, newest first, page by page. */
  failures({ signal, limit = FAILURES_OF_PAGE }: FailuresQuery = {}): AsyncGenerator<FailureRecord, void> {
    return itemsOf<FailureRecord>((marker) => {
      const target = `/v1/failures${queryText({ marker, limit })}`;
      return this.#caller.json({ role: 'api', method: 'GET', target, signal });
    });
  }
}

/** Every call, by subject: what an account can do with a key, with a token, or in the session of a console. */
import { Accounts } from './accounts.ts';
import { Buckets } from './buckets.ts';
import { Bulk } from './bulk.ts';
import type { Caller } from './caller.ts';
import { Deliveries } from './deliveries.ts';
import { Fetches } from './fetches.ts';
import { Live } from './live/live.ts';
import { Objects } from './objects.ts';
import { Operator } from './operator.ts';
import { Processing } from './processing.ts';
import { Requests } from './requests.ts';
import { Sessions } from './sessions.ts';
import { Trash } from './trash.ts';

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
  readonly live: Live;
  readonly operator: Operator;

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
    this.live = new Live(caller);
    this.operator = new Operator(caller);
  }
}

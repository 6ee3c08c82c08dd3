/**
 * What all account calls require: HTTPS, a signature by a root key or a session with its rights, a rate within limits; and that
 * nothing stores their answers.
 */
import { type Rate, RateLimit } from '@millpond/base';
import { Fault } from '@millpond/protocol';
import type { Answer, Call, Route } from '../../platform/web/index.ts';
import type { Actor } from './account-changes.ts';
import type { AccountCaller } from './authenticate.ts';
import { tenantOf } from './tenants.ts';
import { forbidStoring, requireTls } from './transport.ts';

export interface AccountCallDeps {
  readonly authenticate: (call: Call) => Promise<AccountCaller>;
  readonly plainHttp: boolean;
  readonly rate: Rate;
}

export class AccountCalls {
  readonly #deps: AccountCallDeps;
  readonly #perTenant: RateLimit;

  constructor(deps: AccountCallDeps) {
    this.#deps = deps;
    this.#perTenant = new RateLimit(deps.rate, 'failedRequest');
  }

  async rootKey(call: Call): Promise<AccountCaller> {
    requireTls(call, this.#deps.plainHttp);
    const key = await this.#deps.authenticate(call);
    this.#perTenant.take(String(tenantOf(key)));
    if (!key.isRoot) throw new Fault('permissionDenied', { hint: 'this call needs a root access key' });
    return key;
  }

  async parentKey(call: Call): Promise<AccountCaller> {
    const key = await this.rootKey(call);
    if (key.parentUid !== 0n)
      throw new Fault('permissionDenied', { hint: 'this call is for parent accounts' });
    return key;
  }
}

export function accountRoute(
  method: 'GET' | 'POST',
  path: string,
  handle: (call: Call) => Promise<Answer>,
): Route {
  return {
    role: 'api',
    methods: [method],
    path,
    errors: 'account',
    handle(call) {
      forbidStoring(call);
      return handle(call);
    },
  };
}

/** For acts that are written into the audit log. */
export function actorOf(key: AccountCaller, call: Call): Actor {
  call.isAudited = true;
  return { uid: key.uid, name: key.name, address: call.peer.address, reqid: call.reqid };
}

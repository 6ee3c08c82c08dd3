/**
 * What all account calls require: HTTPS, a signature by a root key or a session with its rights, a rate within limits; and that
 * nothing stores their answers.
 */
import { type Rate, RateLimiter } from '@millpond/base';
import { Fault } from '@millpond/protocol';
import type { HttpResponse, RequestContext, Route } from '../../platform/web/index.ts';
import type { Actor } from './account-changes.ts';
import type { AccountCaller } from './authenticate.ts';
import { tenantOf } from './tenants.ts';
import { forbidStoring, requireTls } from './transport.ts';

export interface AccountCallDeps {
  readonly authenticate: (context: RequestContext) => Promise<AccountCaller>;
  readonly plainHttp: boolean;
  readonly rate: Rate;
}

export class AccountApiAuth {
  readonly #deps: AccountCallDeps;
  readonly #perTenant: RateLimiter;

  constructor(deps: AccountCallDeps) {
    this.#deps = deps;
    this.#perTenant = new RateLimiter(deps.rate, 'failedRequest');
  }

  async rootKey(context: RequestContext): Promise<AccountCaller> {
    requireTls(context, this.#deps.plainHttp);
    const key = await this.#deps.authenticate(context);
    this.#perTenant.take(String(tenantOf(key)));
    if (!key.isRoot) throw new Fault('permissionDenied', { hint: 'this call needs a root access key' });
    return key;
  }

  async parentKey(context: RequestContext): Promise<AccountCaller> {
    const key = await this.rootKey(context);
    if (key.parentUid !== 0n)
      throw new Fault('permissionDenied', { hint: 'this call is for parent accounts' });
    return key;
  }
}

export function accountRoute(
  method: 'GET' | 'POST',
  path: string,
  handle: (context: RequestContext) => Promise<HttpResponse>,
): Route {
  return {
    role: 'api',
    methods: [method],
    path,
    errors: 'account',
    handle(context) {
      forbidStoring(context);
      return handle(context);
    },
  };
}

/** For acts that are written into the audit log. */
export function actorOf(key: AccountCaller, context: RequestContext): Actor {
  context.isAudited = true;
  return { uid: key.uid, name: key.name, address: context.peer.address, reqid: context.reqid };
}

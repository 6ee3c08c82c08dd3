/** Traces of requests, at the `api` host. HTTPS only. */
import type { WireRecord } from '@millpond/protocol';
import { type Authenticate, requireAdminister } from '../../identity/accounts/index.ts';
import type { Route } from '../../platform/web/index.ts';
import { resourceRoutes } from '../../platform/web/resources/index.ts';
import type { Requests } from './requests.service.ts';

export interface RequestRouteDeps {
  readonly requests: Requests;
  readonly authenticate: Authenticate;
  readonly plainHttp: boolean;
}

export function requestRoutes({ requests, ...deps }: RequestRouteDeps): Route[] {
  const route = resourceRoutes({ role: 'api', ...deps, authenticate: requireAdminister(deps.authenticate) });
  return [
    route(
      'GET',
      '/requests/:reqid',
      ({ uid, name, context }): Promise<WireRecord<'RequestTrace'>> =>
        requests.get(name('reqid'), context.session?.isOperator ? undefined : uid),
    ),
  ];
}

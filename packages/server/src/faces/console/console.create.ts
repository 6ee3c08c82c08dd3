/** Builds the console: pages, sessions, and the calls of the interface on its own origin. */
import type { Log } from '@millpond/base';
import type { Accounts, Audit, Identities, Keyring, Login, Sessions } from '../../identity/accounts/index.ts';
import type { Route } from '../../platform/web/index.ts';
import type { RegionHosts } from '../../storage/buckets/index.ts';
import { consoleCallRoutes } from './console-call-routes.ts';
import { type SessionRouteSettings, sessionRoutes } from './console-session.routes.ts';
import { readApplication } from './load-static-files.ts';
import { createOidc, type OidcDeps, type OidcSettings, oidcOptions } from './oidc/oidc.create.ts';
import { SessionAuth, type SessionAuthSettings } from './session-auth.ts';
import { applicationRoutes } from './static-files.ts';

export interface ConsoleDeps extends OidcDeps {
  readonly accounts: Accounts;
  readonly identities: Identities;
  readonly audit: Audit;
  readonly keyring: Keyring;
  readonly login: Login;
  readonly sessions: Sessions;
  readonly hosts: RegionHosts;
  /** All that the server answers: what the console offers on its own origin is among them. */
  readonly routes: readonly Route[];
  readonly log: Log;
}

/** Settings by name. */
export interface ConsoleSettings
  extends SessionAuthSettings,
    Omit<SessionRouteSettings, 'oidc'>,
    OidcSettings {}

export async function createConsole(deps: ConsoleDeps, settings: ConsoleSettings): Promise<Route[]> {
  const oidc = createOidc(deps, settings);
  const sessionAuth = new SessionAuth({ ...deps, claimCheck: oidc?.claimCheck }, settings);
  return [
    ...sessionRoutes({ ...deps, sessionAuth }, { ...settings, oidc: oidcOptions(settings) }),
    ...(oidc?.routes({ ...deps, sessionAuth }) ?? []),
    ...consoleCallRoutes(deps.routes, { ...deps, sessionAuth }),
    ...applicationRoutes(await readApplication()),
  ];
}

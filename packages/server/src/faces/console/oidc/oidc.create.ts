/** Builds the sign-in with another provider. */
import type { OutboundClient } from '@millpond/outbound';
import type { Database } from '../../../platform/db/database.ts';
import type { Route } from '../../../platform/web/index.ts';
import { ClaimCheck, type ClaimCheckDeps, type ClaimCheckSettings } from './claim-check.ts';
import { type OidcRouteDeps, type OidcRouteSettings, oidcRoutes } from './oidc.routes.ts';
import { Provider } from './provider.ts';
import { ProviderTokenStore } from './provider-token.store.ts';

export interface OidcDeps extends Omit<ClaimCheckDeps, 'provider' | 'store'> {
  readonly control: Database;
  readonly oidcOutbound: OutboundClient;
}

/** Settings by name. Without an issuer there is no provider. */
export interface OidcSettings extends OidcRouteSettings, ClaimCheckSettings {
  readonly oidcIssuer: string | undefined;
  readonly oidcClientId: string | undefined;
  readonly oidcClientSecret: string | undefined;
  readonly oidcScopes: string;
  readonly oidcLabel: string;
}

export interface Oidc {
  readonly claimCheck: ClaimCheck;
  routes(deps: Omit<OidcRouteDeps, 'provider' | 'tripKeys' | 'claimCheck'>): Route[];
}

export function createOidc(deps: OidcDeps, settings: OidcSettings): Oidc | undefined {
  const { oidcIssuer, oidcClientId } = settings;
  if (oidcIssuer === undefined || oidcClientId === undefined) return undefined;
  const provider = new Provider({ ...settings, oidcIssuer, oidcClientId }, deps.oidcOutbound);
  const store = new ProviderTokenStore(deps.control);
  const claimCheck = new ClaimCheck({ ...deps, provider, store }, settings);
  const tripKeys = deps.sealer.deriveKeys('sign-in by a provider');
  return {
    claimCheck,
    routes: (more) => oidcRoutes({ ...more, provider, tripKeys, claimCheck }, settings),
  };
}

/** For the sign-in page. */
export function oidcOptions({
  oidcIssuer,
  oidcName,
  oidcLabel,
}: OidcSettings): { name: string; label: string }[] {
  return oidcIssuer === undefined ? [] : [{ name: oidcName, label: oidcLabel }];
}

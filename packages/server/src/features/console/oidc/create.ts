/** Builds the sign-in with another provider. */
import type { Outbound } from '../../../platform/outbound/index.ts';
import type { Sealer } from '../../../platform/secrets/sealer.ts';
import type { Route } from '../../../platform/web/index.ts';
import { type OidcRouteDeps, type OidcRouteSettings, oidcRoutes } from './oidc-routes.ts';
import { Provider } from './provider.ts';

export interface OidcDeps extends Omit<OidcRouteDeps, 'provider' | 'tripKeys'> {
  readonly oidcOutbound: Outbound;
  readonly sealer: Sealer;
}

/** Settings by name. Without an issuer there is no provider. */
export interface OidcSettings extends OidcRouteSettings {
  readonly oidcIssuer: string | undefined;
  readonly oidcClientId: string | undefined;
  readonly oidcClientSecret: string | undefined;
  readonly oidcScopes: string;
  readonly oidcLabel: string;
}

export function createOidc(deps: OidcDeps, settings: OidcSettings): Route[] {
  const { oidcIssuer, oidcClientId } = settings;
  if (oidcIssuer === undefined || oidcClientId === undefined) return [];
  const provider = new Provider({ ...settings, oidcIssuer, oidcClientId }, deps.oidcOutbound);
  const tripKeys = deps.sealer.deriveKeys('sign-in by a provider');
  return oidcRoutes({ ...deps, provider, tripKeys }, settings);
}

/** For the sign-in page. */
export function oidcOptions({
  oidcIssuer,
  oidcName,
  oidcLabel,
}: OidcSettings): { name: string; label: string }[] {
  return oidcIssuer === undefined ? [] : [{ name: oidcName, label: oidcLabel }];
}

/** Builds the signing of tokens and URLs. */
import type { Authenticate, Keyring } from '../../identity/accounts/index.ts';
import type { Feature } from '../../platform/feature.ts';
import type { Buckets, Domains } from '../../storage/buckets/index.ts';
import { signingRoutes } from './signing.routes.ts';
import { Signing } from './signing.service.ts';

export interface SigningDeps {
  readonly authenticate: Authenticate;
  readonly keyring: Keyring;
  readonly buckets: Buckets;
  readonly domains: Domains;
  /** Scheme and host where objects are read, for somebody who reached us like this. */
  readonly downloadsAt: (asked: { readonly host: string; readonly secure: boolean }) => string;
}

export interface SigningSettings {
  readonly plainHttp: boolean;
  readonly downloadSuffix: string | undefined;
}

export function createSigning(deps: SigningDeps, settings: SigningSettings): Feature {
  const signing = new Signing({ ...deps, downloadSuffix: settings.downloadSuffix });
  return {
    routes: signingRoutes(signing, deps.authenticate, settings.plainHttp),
    jobs: [],
    metrics: [],
  };
}

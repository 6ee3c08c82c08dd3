/** The little of oidc-provider that the tests use; the package has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<unknown>;
  }

  interface GrantContext {
    readonly oidc: {
      readonly provider: { readonly Grant: new (of: { clientId: string; accountId: string }) => Grant };
      readonly session: { readonly accountId: string };
    };
  }

  interface Configuration {
    readonly clients: readonly object[];
    readonly claims: Readonly<Record<string, readonly string[]>>;
    readonly scopes: readonly string[];
    readonly jwks: { readonly keys: readonly object[] };
    readonly conformIdTokenClaims: boolean;
    readonly issueRefreshToken: () => boolean;
    readonly ttl: Readonly<Record<string, number>>;
    readonly pkce: { readonly required: () => boolean };
    readonly features: Readonly<Record<string, { readonly enabled: boolean }>>;
    readonly cookies: { readonly keys: readonly string[] };
    readonly findAccount: (context: unknown, id: string) => { accountId: string; claims: () => object };
    readonly interactions: { readonly url: () => string };
    readonly loadExistingGrant: (context: GrantContext) => Promise<Grant>;
  }

  export default class Provider {
    constructor(issuer: string, configuration: Configuration);
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: { readonly login: { readonly accountId: string } },
    ): Promise<void>;
  }
}

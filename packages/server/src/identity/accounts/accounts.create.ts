/** Builds the accounts feature: accounts, their keys and tokens, and the authentication of calls. */
import type { Rate } from '@millpond/base';
import type { Dialect } from '@millpond/protocol';
import type { Database } from '../../platform/db/database.ts';
import { DAY_SECONDS, type Feature, HOUR_SECONDS, MINUTE_SECONDS } from '../../platform/feature.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import { accountRoutes } from './account.routes.ts';
import { AccountApiAuth } from './account-api-auth.ts';
import { AccountStates } from './account-states.ts';
import { Accounts } from './accounts.service.ts';
import { AccountStore } from './accounts.store.ts';
import { auditRoutes } from './audit.routes.ts';
import { Audit } from './audit.store.ts';
import { authenticators } from './authenticate.ts';
import { Identities } from './identities/identities.ts';
import { IdentityStore } from './identities/identity.store.ts';
import { keyRoutes } from './keys/key.routes.ts';
import { KeyStore } from './keys/key.store.ts';
import { Keyring } from './keys/keyring.ts';
import { Keys } from './keys/keys.ts';
import { OwnKeys } from './keys/own-keys.ts';
import { SigningKeys } from './keys/signing-keys.ts';
import { sessionRoutes } from './sessions/sessions.routes.ts';
import { SessionStore } from './sessions/sessions.store.ts';
import { Sessions } from './sessions/sessions.ts';
import { type ExplainSignature, signatureExplainer } from './signature-diagnostics.ts';
import { Tenants } from './tenants.ts';
import { grantRoutes } from './tokens/grant.routes.ts';
import { Login, type LoginRates } from './tokens/login.ts';
import { Passwords } from './tokens/passwords.ts';
import { type TokenRouteOptions, tokenRoutes } from './tokens/token.routes.ts';
import { TokenStore } from './tokens/token.store.ts';
import { TokenGrants } from './tokens/token-grants.ts';
import { type TokenOptions, Tokens } from './tokens/tokens.ts';
import { webhookSecretRoutes } from './webhook-secrets/webhook-secret.routes.ts';
import { WebhookSecretStore } from './webhook-secrets/webhook-secret.store.ts';
import { WebhookSecrets } from './webhook-secrets/webhook-secrets.ts';

export interface AccountDeps {
  readonly control: Database;
  readonly sealer: Sealer;
  readonly dialect: Dialect;
}

/** Settings by name. */
export interface AccountSettings extends LoginRates {
  readonly plainHttp: boolean;
  readonly controlCache: number;
  readonly controlStale: number;
  readonly passwordCharacters: number;
  readonly accessTokenLife: number;
  readonly refreshTokens: TokenOptions['rotation'];
  readonly explainSignatures: boolean;
  readonly accountCallsPerAccount: Rate;
  readonly childrenPerAccount: number;
  readonly grants: TokenRouteOptions['grants'];
  readonly oauthClients: TokenRouteOptions['clients'];
  readonly sessionIdle: number;
  readonly sessionLife: number;
}

export interface AccountsFeature extends Feature {
  readonly accounts: Accounts;
  readonly keyring: Keyring;
  readonly states: AccountStates;
  readonly tenants: Tenants;
  readonly signingKeys: SigningKeys;
  readonly secrets: WebhookSecrets;
  readonly explain: ExplainSignature;
  readonly authenticate: ReturnType<typeof authenticators>['call'];
  /** For the console. */
  readonly login: Login;
  readonly sessions: Sessions;
  readonly identities: Identities;
  readonly audit: Audit;
}

export function createAccounts(deps: AccountDeps, settings: AccountSettings): AccountsFeature {
  const { control, sealer, dialect } = deps;
  const { plainHttp } = settings;
  const times = { freshMs: settings.controlCache, staleMs: settings.controlStale };
  const store = new AccountStore(control);
  const keyStore = new KeyStore(control);
  const audit = new Audit(control);
  const passwords = new Passwords({ minCharacters: settings.passwordCharacters });
  const tokenStore = new TokenStore(control);
  const secrets = new WebhookSecrets(new WebhookSecretStore(control), sealer, times);
  const keys = new Keys(keyStore, sealer);
  const accounts = new Accounts({
    control,
    store,
    keys,
    passwords,
    audit,
    tokens: tokenStore,
    webhookSecrets: secrets,
    maxChildren: settings.childrenPerAccount,
  });
  const tenants = new Tenants(store);
  const keyring = new Keyring(keyStore, sealer, times, tenants);
  const tokens = new Tokens(tokenStore, {
    accessSeconds: Math.round(settings.accessTokenLife / 1000),
    rotation: settings.refreshTokens,
    derivationKeys: sealer.deriveKeys('refresh tokens'),
    ...times,
  });
  const sessionStore = new SessionStore(control);
  const sessions = new Sessions(
    { control, store: sessionStore, audit },
    { idleMs: settings.sessionIdle, maxMs: settings.sessionLife, ...times },
  );
  const identities = new Identities({ control, store: new IdentityStore(control), audit });
  const explain = signatureExplainer(settings.explainSignatures);
  const login = new Login({ store, tokens, passwords, audit }, settings);
  const authenticate = authenticators({ keyring, tenants, tokens, dialect, plainHttp, explain });
  const calls = new AccountApiAuth({
    authenticate: authenticate.accountCall,
    plainHttp,
    rate: settings.accountCallsPerAccount,
  });
  return {
    accounts,
    keyring,
    tenants,
    secrets,
    explain,
    login,
    sessions,
    identities,
    audit,
    states: new AccountStates(store, times),
    signingKeys: new SigningKeys(keyStore, sealer, times),
    authenticate: authenticate.call,
    routes: [
      ...accountRoutes(accounts, calls),
      ...keyRoutes(new OwnKeys({ control, keys, audit, keyring, sessions: sessionStore }), calls),
      ...auditRoutes(audit, accounts, calls),
      ...webhookSecretRoutes(accounts, calls),
      ...sessionRoutes(sessions, calls),
      ...grantRoutes(new TokenGrants({ control, store: tokenStore, audit }), calls),
      ...tokenRoutes(login, { plainHttp, grants: settings.grants, clients: settings.oauthClients }),
    ],
    jobs: [
      {
        name: 'email-fold',
        everySeconds: MINUTE_SECONDS,
        says: 'addresses of accounts made by servers of the version before folded',
        run: async () => ({ folded: await accounts.foldEmails() }),
      },
      {
        name: 'token-forget',
        everySeconds: DAY_SECONDS,
        says: 'expired tokens deleted',
        run: async () => ({ forgotten: await tokens.forgetExpired() }),
      },
      {
        name: 'session-forget',
        everySeconds: HOUR_SECONDS,
        says: 'expired sessions deleted',
        run: async () => ({ forgotten: await sessions.forgetExpired() }),
      },
    ],
    metrics: [],
  };
}

/** Builds who gets in: accounts, their keys and tokens, and what judges the credentials of a call. */
import type { Dialect } from '@millpond/protocol';
import type { Config } from '../config/config.ts';
import type { Infra } from '../engines/infra.ts';
import {
  AccountCalls,
  AccountStates,
  AccountStore,
  Accounts,
  Audit,
  accountRoutes,
  authenticators,
  type ExplainSignature,
  Keyring,
  KeyStore,
  Keys,
  keyRoutes,
  Login,
  OwnKeys,
  Passwords,
  SigningKeys,
  signatureExplainer,
  TokenStore,
  Tokens,
  tokenRoutes,
  WebhookSecretStore,
  WebhookSecrets,
  webhookSecretRoutes,
} from '../features/accounts/index.ts';
import type { Route } from '../platform/web/index.ts';

export interface AccountServices {
  readonly accounts: Accounts;
  readonly tokens: Tokens;
}

/** What other features need of accounts, and nobody outside. */
export interface AccountParts extends AccountServices {
  readonly keyring: Keyring;
  readonly states: AccountStates;
  readonly signingKeys: SigningKeys;
  readonly secrets: WebhookSecrets;
  readonly explain: ExplainSignature;
  readonly authenticate: ReturnType<typeof authenticators>;
  readonly routes: readonly Route[];
}

export function makeAccountServices(
  { control, sealer }: Infra,
  config: Config,
  dialect: Dialect,
): AccountParts {
  const { plainHttp } = config;
  const times = { freshMs: config.controlCache, staleMs: config.controlStale };
  const store = new AccountStore(control);
  const keyStore = new KeyStore(control);
  const audit = new Audit(control);
  const passwords = new Passwords({ leastCharacters: config.passwordCharacters });
  const tokenStore = new TokenStore(control);
  const secrets = new WebhookSecrets(new WebhookSecretStore(control), sealer, times);
  const keys = new Keys(keyStore, sealer);
  const accounts = new Accounts({
    control,
    store,
    keys,
    tokens: tokenStore,
    passwords,
    audit,
    webhookSecrets: secrets,
  });
  const keyring = new Keyring(keyStore, sealer, times);
  const tokens = new Tokens(tokenStore, {
    accessSeconds: Math.round(config.accessTokenLife / 1000),
    rotation: config.refreshTokens,
    derivationKeys: sealer.deriveKeys('refresh tokens'),
    ...times,
  });
  const explain = signatureExplainer(config.explainSignatures);
  const login = new Login({ store, tokens, passwords, audit }, config);
  const authenticate = authenticators({ keyring, tokens, dialect, plainHttp, explain });
  const calls = new AccountCalls({
    authenticate: authenticate.accountCall,
    plainHttp,
    rate: config.accountCallsPerAccount,
  });
  return {
    accounts,
    tokens,
    keyring,
    states: new AccountStates(store, times),
    signingKeys: new SigningKeys(keyStore, sealer, times),
    secrets,
    authenticate,
    explain,
    routes: [
      ...accountRoutes(accounts, calls),
      ...keyRoutes(new OwnKeys({ control, keys, audit }), calls),
      ...webhookSecretRoutes(accounts, calls),
      ...tokenRoutes(login, { plainHttp, grants: config.grants, clients: config.oauthClients }),
    ],
  };
}

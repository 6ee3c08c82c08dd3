/** Signing in at the console with another provider, by OpenID Connect. */

import { optional, secret, withDefault } from '../setting-kinds.ts';
import { durationBetween, list, mapped, matchingText, network, text, url } from '../values.ts';

export const oidc = {
  oidcIssuer: optional(
    'MILLPOND_OIDC_ISSUER',
    url('https:', 'http:'),
    'The provider’s issuer, exactly as it names itself; `http://` only with MILLPOND_PLAIN_HTTP.',
  ),
  oidcClientId: optional('MILLPOND_OIDC_CLIENT_ID', text, 'The console’s client id at the provider.'),
  oidcClientSecret: secret(
    optional(
      'MILLPOND_OIDC_CLIENT_SECRET',
      text,
      'Its secret; without one it is a public client, which PKCE protects.',
    ),
  ),
  oidcName: withDefault(
    'MILLPOND_OIDC_NAME',
    matchingText(/^[A-Za-z0-9-]{1,32}$/, '1 to 32 letters, digits and hyphens'),
    'sso',
    'The provider’s name in URLs: its redirect URI is `https://<console>/session/oidc/<name>/callback`.',
  ),
  oidcLabel: withDefault(
    'MILLPOND_OIDC_LABEL',
    text,
    'single sign-on',
    'What the button calls the provider.',
  ),
  oidcScopes: withDefault('MILLPOND_OIDC_SCOPES', text, 'openid email', 'Scopes to ask for, with spaces.'),
  oidcAccountClaim: withDefault(
    'MILLPOND_OIDC_ACCOUNT_CLAIM',
    text,
    'email',
    'The claim that says which account it is. By a verified `email` a person joins an account once; values of other claims count only if MILLPOND_OIDC_ACCOUNTS has them.',
  ),
  oidcAccounts: withDefault(
    'MILLPOND_OIDC_ACCOUNTS',
    list(mapped(text)),
    '',
    'Values of that claim and the accounts that they stand for, by e-mail or uid: `ada=ada@example.com,bob=1380000007`.',
  ),
  oidcRightsClaim: optional(
    'MILLPOND_OIDC_RIGHTS_CLAIM',
    text,
    'The claim that says what somebody may do, a text or a list, such as `groups`. Without it everybody has the rights of their account.',
  ),
  oidcRights: withDefault(
    'MILLPOND_OIDC_RIGHTS',
    list(mapped(text)),
    '',
    'Values of that claim and what they give, the first that matches: `operator`, `account`, or `key:` and an access key with limits, whose rights the session gets. Nobody else may sign in.',
  ),
  oidcCheckEvery: withDefault(
    'MILLPOND_OIDC_CHECK_EVERY',
    durationBetween('5s', '1h'),
    '30s',
    'With MILLPOND_OIDC_RIGHTS_CLAIM: how old the provider’s word about a session may be. Whoever uses an older one waits until the provider was asked again.',
  ),
  oidcNetworks: withDefault(
    'MILLPOND_OIDC_NETWORKS',
    list(network),
    '',
    'CIDR ranges of private addresses that requests to the provider may reach; by default none.',
  ),
} as const;

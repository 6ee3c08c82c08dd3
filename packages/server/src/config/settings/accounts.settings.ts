/** Tokens, and rate limits for requesting them. */

import { secret, withDefault } from '../setting-kinds.ts';
import { choice, duration, integer, list, rate, text } from '../values.ts';

export const accounts = {
  accessTokenLife: withDefault(
    'MILLPOND_ACCESS_TOKEN_LIFE',
    duration,
    '1h',
    'How long an access token is valid.',
  ),
  refreshTokens: withDefault(
    'MILLPOND_REFRESH_TOKENS',
    choice('sliding', 'rotate'),
    'sliding',
    'What a refresh returns: the same refresh token, valid for another 30 days, or a new one each time.',
  ),
  grants: withDefault(
    'MILLPOND_GRANTS',
    list(choice('password', 'refresh_token')),
    'password,refresh_token',
    'Grants that the token call accepts.',
  ),
  oauthClients: secret(
    withDefault(
      'MILLPOND_OAUTH_CLIENTS',
      list(text),
      '',
      'Applications `id:secret` that may send a client_id with the token call.',
    ),
  ),
  tokenCallsPerAddress: withDefault(
    'MILLPOND_TOKEN_CALLS_PER_ADDRESS',
    rate,
    '600+600/m',
    'Token calls that one address may make, at each gateway.',
  ),
  passwordCharacters: withDefault(
    'MILLPOND_PASSWORD_CHARACTERS',
    integer(1, 64),
    '8',
    'Minimum number of characters in a new account password. Existing passwords stay valid.',
  ),
  passwordTriesPerEmail: withDefault(
    'MILLPOND_PASSWORD_TRIES_PER_EMAIL',
    rate,
    '10+6/m',
    'Wrong passwords for one e-mail address from one network (an IPv4 address, or the /64 of an IPv6 address), at each gateway.',
  ),
  passwordTriesPerAccount: withDefault(
    'MILLPOND_PASSWORD_TRIES_PER_ACCOUNT',
    rate,
    '600+60/m',
    'Wrong passwords for one e-mail address from all networks together, at each gateway. It does not hold up a network from which the right one came since the gateway started.',
  ),
  refreshesPerToken: withDefault(
    'MILLPOND_REFRESHES_PER_TOKEN',
    rate,
    '300+60/m',
    'Refreshes with one refresh token, at each gateway.',
  ),
  accountCallsPerAccount: withDefault(
    'MILLPOND_ACCOUNT_CALLS_PER_ACCOUNT',
    rate,
    '600+600/m',
    'Account calls that one account and its children together may make, at each gateway.',
  ),
  childrenPerAccount: withDefault(
    'MILLPOND_CHILDREN_PER_ACCOUNT',
    integer(0, 10_000_000),
    '10000',
    'Child accounts that one account may have. Each may have as many buckets, keys and all else as any other account.',
  ),
} as const;

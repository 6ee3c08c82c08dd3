import { statements } from '../statement.ts';

/** Access and refresh tokens, and the error table that token and account calls share. */
export const tokensStatements = [
  ...statements(
    { subject: 'tokens', from: 'interface', milestone: 'accounts', where: 'Endpoints 5' },
    {
      'token-01':
        'POST {auth_url}/oauth2/token with grant_type=refresh_token and a valid refresh_token answers 200 with a token response',
      'token-02': 'The call needs no Authorization header',
      'token-03': 'The form body with Content-Type application/x-www-form-urlencoded is accepted',
      'token-04': 'A refresh_token with percent-encoded characters is decoded before it is judged',
      'token-05': 'grant_type missing: 400, 6 invalid_without_params',
      'token-06': 'refresh_token missing: 400, 6 invalid_without_params',
      'token-07': 'A 200 answer has Content-Type application/json',
      'token-08': 'A 200 answer has Cache-Control no-store',
    },
  ),
  ...statements(
    { subject: 'tokens', from: 'interface', milestone: 'accounts', where: 'Resources: Token response' },
    {
      'token-field-01': '`access_token` is a string that is accepted on a later call',
      'token-field-02': '`expires_in` is an integer number of seconds, 3600 by default',
      'token-field-03': '`refresh_token` is a string that renews the access token',
    },
  ),
  ...statements(
    { subject: 'tokens', from: 'interface', milestone: 'accounts', where: 'States and transitions' },
    {
      'token-state-01': 'A valid access token is accepted until expires_in seconds have passed',
      'token-state-02':
        'With an expired access token and a valid refresh token, the refresh call gives a new access token that works',
      'token-state-03':
        'Each refresh begins the 30 days anew: refreshed on day 29, the token still refreshes on day 50',
      'token-state-04': 'A refresh token not used for 30 natural days is expired: 401, 9 expired_token',
      'token-state-05': 'A refresh token is still valid on its 29th day',
      'token-state-06': 'After the refresh token expired, username and password give a new authorization',
    },
  ),
  ...statements(
    { subject: 'tokens', from: 'interface', milestone: 'accounts', where: 'Errors: Account and token' },
    {
      'err-account-01': 'A wrong method (GET on the token call): 405, error_code 1, invalid_request_method',
      'err-account-02': 'A wrong client_id or client_secret: 400, error_code 2, invalid_client',
      'err-account-03': 'A wrong or unexpected token: 400, error_code 3, invalid_token',
      'err-account-04': 'An e-mail address of wrong form: 400, error_code 4, invalid_email',
      'err-account-05': 'A wrong or unsupported grant_type: 400, error_code 5, invalid_grant_type',
      'err-account-06': 'A missing required parameter: 400, error_code 6, invalid_without_params',
      'err-account-07': 'An empty parameter value: 400, error_code 7, invalid_empty_params',
      'err-account-08': 'A bad request: 400, error_code 8, invalid_bad_request',
      'err-account-09': 'An expired access or refresh token: 401, error_code 9, expired_token',
      'err-account-10': 'A record that already exists: 409, error_code 10, record_exists',
      'err-account-11': 'A wrong user name or password: 401, error_code 11, failed_authentication',
      'err-account-12': 'A failed request: 417, error_code 12, failed_request',
      'err-account-13': 'An application that is not authorized: 403, error_code 13, unauthorized_client',
      'err-account-14': 'A record that does not exist: 400, error_code 14, record_not_found',
      'err-account-15': 'A missing permission: 401, error_code 15, permission_denied',
      'err-account-16': '`error` in the body is a string',
      'err-account-17': '`error_code` in the body is an integer',
      'err-account-18': '`error_description` in the body is a string',
      'err-account-19': 'A server-side failure of a token or account call: 599',
    },
  ),
  ...statements(
    { subject: 'tokens', from: 'decision', milestone: 'accounts', where: 'tokens' },
    {
      'token-rule-01':
        'grant_type=password with username and password answers like a refresh: the same three fields',
      'token-rule-02': 'Another Content-Type than form answers 400, 8',
      'token-rule-03': 'By default (`sliding`) a refresh returns the same refresh token',
      'token-rule-04': 'The 30 days end with the 30th day and are never under 30 × 24 h',
      'token-rule-05': 'With `rotate` a refresh returns a new refresh token',
      'token-rule-06': 'With `rotate` concurrent refreshes of one token get the same pair',
      'token-rule-07': 'With `rotate` the old refresh token works 60 s more',
      'token-rule-08':
        'With `rotate` the use of the old token after 60 s revokes the whole family: the new token fails too',
      'token-rule-09':
        'Only hashes are stored: no access or refresh token can be found in a dump of the database',
      'token-rule-10': 'An expired refresh token answers 401, 9 for 30 days more; an unknown one 400, 3',
      'token-rule-11': 'An unknown e-mail and a wrong password answer alike: 401, 11, same body',
      'token-rule-12': 'client_id sent and wrong: 400, 2; without it the call goes on',
      'token-rule-13': 'A grant that is switched off answers 403, 13',
      'token-rule-14':
        'Too many token calls from one address, or wrong passwords for one e-mail: 417, 12 with `Retry-After`',
      'token-rule-15': 'Every answer of token and account calls, errors included, carries no-store',
      'token-rule-16':
        'At most two password computations run at a time; the queue behind them is bounded and answers 417, 12',
      'token-rule-17':
        'Wrong passwords for one e-mail are counted by network (IPv6: by /64), and far above that over all networks: whoever comes from elsewhere signs in',
      'token-form-01': 'A refresh token that is not ours is 400, 3, of whatever length and characters',
    },
  ),
];

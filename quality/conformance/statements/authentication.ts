import { statements } from '../statement.ts';

/** Who is calling: management credentials, dates, keys, HTTPS. */
export const authenticationStatements = [
  ...statements(
    { subject: 'authentication', from: 'interface', milestone: 'ground', where: 'Authentication 1' },
    {
      'auth-01':
        '`Authorization: Svc <credential>` (scheme word, one space, credential) is accepted on an object-management call',
      'auth-02': 'A call without Authorization answers 401',
      'auth-03': 'A credential with a wrong signature answers 401',
      'auth-04': 'A credential made for another path answers 401',
      'auth-05': 'Another scheme word than `Svc` answers 401',
      'auth-06': 'A credential glued to the scheme word without a space answers 401',
    },
  ),
  ...statements(
    { subject: 'authentication', from: 'interface', milestone: 'processing', where: 'Authentication 1' },
    {
      'auth-07':
        'The processing submit call takes the same `Svc` credential and answers 401 to an invalid one',
    },
  ),
  ...statements(
    { subject: 'authentication', from: 'interface', milestone: 'accounts', where: 'Authentication 2' },
    {
      'auth-account-01': "Children list with `Svc <AK>:<Sign>` of the parent account's key answers 200",
      'auth-account-02': "Create child with `Svc <AK>:<Sign>` of the parent account's key answers 200",
      'auth-account-03': "Account info with `Svc <AK>:<Sign>` of the root user's key answers 200",
      'auth-account-04': 'An account call without Authorization answers 401',
      'auth-account-05': 'An account call with a wrong Sign answers 401',
      'auth-account-06': 'An account call with an unknown AK answers 401',
      'auth-account-07': 'An account call whose credential has no `:` or another scheme word answers 401',
    },
  ),
  ...statements(
    { subject: 'authentication', from: 'interface', milestone: 'accounts', where: 'Authentication 4' },
    {
      'auth-expired-01': 'An expired access token answers 401 with `error` expired_token',
      'auth-expired-02': 'That answer has `error_code` 9',
      'auth-expired-03': 'That answer carries Cache-Control: no-store',
    },
  ),
  ...statements(
    { subject: 'authentication', from: 'interface', milestone: 'accounts', where: 'Authentication 9' },
    {
      'https-01': 'The token host reached over plain HTTP does not serve the call',
      'https-02': 'Token and account calls are served over TLS',
    },
  ),
  ...statements(
    { subject: 'authentication', from: 'decision', milestone: 'ground', where: 'credentials' },
    {
      'sign-01':
        'A credential with `:` is judged as a signature only: a wrong one never passes as an access token',
      'sign-02':
        'Sign is URL-safe Base64 with padding of HMAC-SHA1 over method, path, Host, Content-Type, sorted `X-Svc-*` lines and body',
      'sign-03': 'The raw query is part of the signed text: a changed query answers 401',
      'sign-04': 'The Host header with its port is part of the signed text: another Host answers 401',
      'sign-05': 'The method is part of the signed text: another method answers 401 or 405, never 200',
      'sign-06':
        'Content-Type is signed when the header is there: a changed one answers 401; without the header there is no line',
      'sign-07':
        'Every `X-Svc-*` header is signed under its canonical name: one added, removed or changed afterwards answers 401',
      'sign-08': 'The body is signed when a Content-Type is present: a changed form body answers 401',
      'sign-09': 'With application/octet-stream the body is not signed',
      'sign-10':
        'Raw bytes of the path are signed: percent-encoded and plain forms of one path are different texts',
      'sign-old-01':
        'Where the dialect accepts the old signing (`path[?query]\\n` and the form body), an object call with it answers 200',
      'sign-old-02': 'Where the dialect does not accept the old signing, it answers 401',
      'date-01': '`X-Svc-Date` 16 minutes off, in either direction, answers 401 (`svc`)',
      'date-02': '`X-Svc-Date` 14 minutes off is accepted',
      'date-03': 'A malformed `X-Svc-Date` answers 401',
      'date-04': 'A call without `X-Svc-Date` is accepted without a time check',
      'date-05': 'With the `qiniu` dialect a skewed date answers 403 `request time too skewed`',
      'date-06': 'An `X-Svc-Date` that was not signed answers 401',
      'judge-01': 'The route is judged first: a wrong method without credential answers 405',
      'judge-02': 'The credential is judged before arguments: a bad entry with a bad signature answers 401',
      'judge-03':
        'The date is judged before arguments: a bad entry with a skewed date answers as the date does',
      'judge-04': 'Arguments are judged before existence: a bad entry in a missing bucket answers 400',
      'tenant-01':
        "stat and delete in another account's bucket answer byte for byte like a missing bucket, but for X-Reqid and Date",
      'secret-01': 'Secrets are stored sealed: no secret of a key can be found in a dump of the database',
      'secret-02': 'The server does not start without a master key and says so',
      'secret-03': 'The master key is rotated online: keys made before work during and after it',
    },
  ),
  ...statements(
    { subject: 'authentication', from: 'decision', milestone: 'accounts', where: 'credentials' },
    {
      'cred-01':
        'A credential without `:` is judged as an access token: a valid one is accepted on object calls',
      'cred-02': 'A valid access token over plain HTTP answers 401',
      'cred-03': 'Account calls refuse an access token with 401: they take `AK:Sign` only',
      'cred-04': 'An expired access token answers 401, expired_token, 9 and no-store on the object hosts too',
      'cred-05': 'The old signing never passes on account calls',
      'cred-06': 'An account can switch the old signing off: its calls then answer 401',
      'cred-07': 'An account can demand `X-Svc-Date`: its calls without it answer 401',
      'cred-08': 'An account has at most two access keys without limits at a time: a third is refused',
      'cred-09': 'Only root keys may call /v1/user/*: a user key answers 401, 15',
      'cred-10':
        'A disabled account: management calls, upload tokens and access tokens of it answer 401 within 5 s',
      'key-state-01': 'A disabled key answers 401 within 5 s, while the other key of the account works',
      'control-01':
        'With the control database away a key that is not cached answers 599, a cached one goes on working',
      'cred-11': 'A disabled account: public objects can still be read',
      'https-rule-01': 'HTTPS-only hosts answer plain HTTP with 400 and error_code 8, never with a redirect',
      'https-rule-02':
        'TLS ended by a trusted proxy counts: `X-Forwarded-Proto: https` from a trusted address is accepted',
      'https-rule-03': '`X-Forwarded-Proto: https` from any other address is ignored: 400, 8',
      'https-rule-04':
        'Plain HTTP is judged before the credential: a bad signature over plain HTTP answers 400, not 401',
      'audit-01':
        'Security-relevant acts are found by `millpond audit` with who, from where, to what and the request id',
    },
  ),
  ...statements(
    { subject: 'authentication', from: 'decision', milestone: 'processing', where: 'credentials' },
    {
      'https-rule-05': 'pfop and status over plain HTTP answer 400 with `{"error": …}`, never a redirect',
      'cred-12': 'A disabled account: tasks accepted before finish and are told',
    },
  ),
  ...statements(
    { subject: 'authentication', from: 'decision', milestone: 'users', where: 'keys with limits' },
    {
      'key-limit-01':
        'Every call refuses a key whose limits of buckets, prefixes, actions, networks or end forbid it, with 403 (account calls: 401, 15) and the name of the limit',
      'key-limit-02': 'What the limits allow is answered as to the account’s other keys',
      'key-limit-03': 'Limits are set when a key is made and later, shown with it, and can be taken away',
      'key-limit-04': 'A change of limits reaches every gateway within 5 s',
      'key-limit-05': 'A key without `delete` creates objects and replaces none, by every kind of upload',
      'key-limit-06': 'An upload token permits no key of an object that its access key may not write',
      'key-limit-07':
        'A signed URL reads no object that its access key may not read, as style or mark neither',
      'key-limit-08': 'A batch does what is allowed and answers 403 in the place of the rest',
      'key-limit-09':
        'Lists stay under a prefix of the key; lists of buckets and the query of hosts know only its buckets',
      'key-limit-10': 'Tasks and fetches write only where the key that asks for them may',
      'key-limit-11': 'Limits that are not understood are refused, with what is wrong, and change nothing',
      'key-limit-12': 'Changes of limits are in the audit log',
      'key-limit-13':
        'An empty list of limits allows nothing; a key without limits is made, and limits are taken away, only where that is said',
    },
  ),
];
